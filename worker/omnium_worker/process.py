"""A worker process, from its command line to the moment when its release's code may be imported."""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
import time
import uuid
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

import asyncpg
import structlog
import uvloop

from omnium_contract.release import ReleaseFilesError, check_files, code_sha
from omnium_releases.artifacts import ReleaseFiles, Wheel, fetch, unpack
from omnium_releases.isolation import enter_release_folder
from omnium_store.database import connect
from omnium_store.errors import BadRequest, DatabaseAway, NotFound, OmniumError, Refused
from omnium_store.journal import open_journal
from omnium_worker.settings import ReplaySettings, WorkerSettings

ROLE: Final = "omnium_worker"
RETRY_S: Final = 0.5
#: Imports the release's contract, so it is imported itself only after the folder was entered.
_SERVING: Final = "omnium_worker.serving"

log = structlog.get_logger("omnium.worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpacked:
    """A release in a folder, verified; no code of it has run yet."""

    id: uuid.UUID
    version: str
    code_sha: str
    contract_sha: str
    folder: Path


def run_worker(version: str, settings: WorkerSettings, *, began: float) -> int:
    """Serve commands of one release until told to stop; the exit status. `began` is of `time.monotonic`."""
    return _run(_serve_commands(version, settings, began), settings)


def run_replay(source: Path | tuple[Path, Path], settings: ReplaySettings, *, began: float) -> int:
    """Serve replays of a release that lies in a folder or in two wheels; the exit status."""
    return _run(_serve_replays(source, settings, began), settings)


def _run(serving: Coroutine[None, None, int], settings: ReplaySettings) -> int:
    open_journal("worker", level=settings.log_level, stream=sys.stdout)
    _forget_settings()
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(serving)
    except OmniumError as error:
        log.error("worker.not_started", reason=error.reason, message=error.message)
        return _exit_status(error)
    except OSError as error:
        log.error("worker.not_started", reason="os_error", message=str(error))
        return 1


async def _serve_commands(version: str, settings: WorkerSettings, began: float) -> int:
    release = await _fetched(version, settings)
    enter_release_folder(release.folder)
    serving = importlib.import_module(_SERVING)
    status: int = await serving.serve_commands(release, settings, began=began)
    return status


async def _serve_replays(source: Path | tuple[Path, Path], settings: ReplaySettings, began: float) -> int:
    release = _in_folder(source) if isinstance(source, Path) else _from_wheels(*source, cache=settings.cache)
    enter_release_folder(release.folder)
    serving = importlib.import_module(_SERVING)
    status: int = await serving.serve_replays(release, settings, began=began)
    return status


async def _fetched(version: str, settings: WorkerSettings) -> Unpacked:
    connection = await _patiently_connected(settings.database_url, settings.worker_patience_s)
    try:
        stored = await fetch(connection, version)
    finally:
        await connection.close()
    return Unpacked(
        id=stored.id,
        version=stored.version,
        code_sha=stored.files.code_sha,
        contract_sha=stored.files.contract_sha,
        folder=unpack(stored.files, settings.cache),
    )


async def _patiently_connected(dsn: str, patience_s: float) -> asyncpg.Connection[asyncpg.Record]:
    """A connection; services start in any order, so a database that is away is waited for."""
    deadline = time.monotonic() + patience_s
    while True:
        try:
            return await connect(dsn, application="omnium worker start")
        except DatabaseAway as error:
            if time.monotonic() > deadline:
                raise
            log.warning("worker.waits_for_database", message=error.message)
            await asyncio.sleep(RETRY_S)


def _from_wheels(flows: Path, contract: Path, *, cache: Path) -> Unpacked:
    files = ReleaseFiles.of(Wheel.read(flows), Wheel.read(contract))
    return Unpacked(
        id=uuid.UUID(int=0),
        version=files.version,
        code_sha=files.code_sha,
        contract_sha=files.contract_sha,
        folder=unpack(files, cache),
    )


def _in_folder(folder: Path) -> Unpacked:
    records = {record.parent.name: record for record in folder.glob("*.dist-info/RECORD")}
    contract = [name for name in records if name.startswith("omnium_contract-")]
    flows = [name for name in records if name not in contract]
    if len(contract) != 1 or len(flows) != 1:
        raise NotFound(f"{folder} holds no release: unpack one flows wheel and one contract wheel into it.")
    try:
        check_files(folder, tuple(PurePosixPath(record.relative_to(folder)) for record in records.values()))
    except ReleaseFilesError as error:
        raise Refused(
            f"The release in {folder} is not what its RECORDs say: {error}.", reason="tampered"
        ) from error
    return Unpacked(
        id=uuid.UUID(int=0),
        version=flows[0].removesuffix(".dist-info").partition("-")[2],
        code_sha=code_sha(records[flows[0]].read_bytes()),
        contract_sha=code_sha(records[contract[0]].read_bytes()),
        folder=folder,
    )


def _forget_settings() -> None:
    """Addresses and passwords are no business of a component that looks into the environment."""
    for name in [name for name in os.environ if name.startswith("OMNIUM_")]:
        del os.environ[name]


def _exit_status(error: OmniumError) -> int:
    match error:
        case DatabaseAway():
            return 5
        case NotFound():
            return 4
        case BadRequest():
            return 2
        case _:
            return 1
