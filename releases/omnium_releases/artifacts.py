"""The two wheels of a release: kept in the database, unpacked into a folder that their hashes name."""

from __future__ import annotations

import shutil
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from omnium_contract.release import ReleaseFilesError, check_files, code_sha
from omnium_releases.suitability import check_pair
from omnium_releases.wheels import Wheel
from omnium_store.database import Connection
from omnium_store.errors import NotFound, Refused
from omnium_store.statements import Statements

__all__ = ["ReleaseFiles", "StoredRelease", "Wheel", "fetch", "no_such_release", "unpack", "verify"]

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True)
class ReleaseFiles:
    """A flows wheel and the contract wheel that it was proven with. Make one with `of`."""

    flows: Wheel
    contract: Wheel

    @classmethod
    def of(cls, flows: Wheel, contract: Wheel) -> ReleaseFiles:
        """The pair, if this platform can run it. Raises `Refused`."""
        check_pair(flows, contract)
        return cls(flows, contract)

    @property
    def version(self) -> str:
        """The release's name: the flows' version."""
        return self.flows.version

    @property
    def code_sha(self) -> str:
        """Hex SHA-256 of the flows' RECORD."""
        return self.flows.record_sha

    @property
    def contract_sha(self) -> str:
        """Hex SHA-256 of the contract's RECORD."""
        return self.contract.record_sha

    @property
    def contract_version(self) -> str:
        """The contract's version."""
        return self.contract.version

    @property
    def folder_name(self) -> str:
        """The name of the folder that it unpacks into."""
        return f"{self.code_sha[:24]}-{self.contract_sha[:24]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRelease:
    """A release as the database has it."""

    id: uuid.UUID
    version: str
    status: str
    files: ReleaseFiles


async def fetch(conn: Connection, version: str) -> StoredRelease:
    """Read a release's wheels and verify them against what was registered. Raises `NotFound`, `Refused`."""
    rows = await conn.fetch(_SQL["release_artifacts"], version)
    if not rows:
        raise no_such_release(version)
    wheels = {row["kind"]: _stored_wheel(row) for row in rows if row["kind"]}
    if missing := {"flows", "contract"} - wheels.keys():
        raise _tampered(version, [f"the {kind} wheel is missing" for kind in sorted(missing)])
    flows, contract = wheels["flows"], wheels["contract"]
    for wheel, registered in ((flows, rows[0]["code_sha"]), (contract, rows[0]["contract_sha"])):
        if wheel.record_sha != registered:
            raise _tampered(version, [f"{wheel.filename}: {wheel.record} is not the one that was registered"])
    if flows.version != version:
        raise _tampered(version, [f"{flows.filename} is version {flows.version}"])
    return StoredRelease(
        id=rows[0]["id"], version=version, status=rows[0]["status"], files=ReleaseFiles.of(flows, contract)
    )


def no_such_release(version: str) -> NotFound:
    """There is no release of this version."""
    return NotFound(
        f"There is no release {version}. `omnium releases list` shows those that there are.",
        reason="no_such_release",
    )


def unpack(files: ReleaseFiles, cache: Path) -> Path:
    """The folder of a release below `cache`: written if it is not there, verified in any case.

    Any number of processes may unpack the same release at once: a folder appears whole or not at all.
    """
    folder = cache.absolute() / "releases" / files.folder_name
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write(files, folder)
    verify(files, folder)
    return folder


def verify(files: ReleaseFiles, folder: Path) -> None:
    """Raise `Refused` (tampered) unless `folder` holds the release's files and no others."""
    wheels = (files.contract, files.flows)
    try:
        for wheel in wheels:
            if code_sha((folder / wheel.record).read_bytes()) != wheel.record_sha:
                raise ReleaseFilesError(f"{wheel.record}: differs from the registered one")
        check_files(folder, tuple(wheel.record for wheel in wheels))
    except (ReleaseFilesError, OSError) as error:
        raise Refused(
            f"The unpacked release {files.version} is not what was registered: {error}. "
            f"Find out who wrote there, remove the folder {folder}, and start again.",
            reason="tampered",
        ) from error


def _write(files: ReleaseFiles, folder: Path) -> None:
    draft = Path(tempfile.mkdtemp(prefix=".unpack-", dir=folder.parent))
    try:
        for wheel in (files.contract, files.flows):
            for name, content in wheel.files.items():
                path = draft / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(0o444)
        draft.rename(folder)
    except OSError:
        if not folder.is_dir():  # else another process was first; what it wrote is verified like ours
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _stored_wheel(row: asyncpg.Record) -> Wheel:
    try:
        wheel = Wheel.read(row["content"], filename=row["filename"])
    except Refused as error:
        raise _tampered(row["version"], [error.message]) from error
    if wheel.sha256 != row["sha256"] or wheel.record_sha != row["record_sha"]:
        raise _tampered(row["version"], [f"{wheel.filename}: its hash is not the registered one"])
    return wheel


def _tampered(version: str, problems: list[str]) -> Refused:
    return Refused(
        f"Release {version} in the database is not what was registered: {'; '.join(problems)} "
        "Restore the row of release_artifact from a backup, or build and register another version.",
        reason="tampered",
        metadata={"release": version},
    )
