"""`Wheel`: one built wheel, verified when it is read."""

from __future__ import annotations

import configparser
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path, PurePosixPath

from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from omnium_contract.flows.registry import ENTRY_POINT_GROUP
from omnium_contract.release import code_sha
from omnium_releases.archive import Archive, ArchiveError, open_archive
from omnium_store.errors import Refused

_PURE = Tag("py3", "none", "any")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel whose every file is the one that its RECORD lists. `record_sha` names all that is in it."""

    filename: str
    name: str
    version: str
    record: PurePosixPath
    record_sha: str
    sha256: str
    requires: tuple[str, ...] = ()
    requires_python: str = ""
    entry_points: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    content: bytes = field(repr=False)
    files: Mapping[str, bytes] = field(repr=False, compare=False)

    @classmethod
    def read(cls, source: Path | bytes, *, filename: str = "") -> Wheel:
        """Read and verify. Raises `Refused` (bad_wheel) with every problem that can be told."""
        content = source if isinstance(source, bytes) else _bounded(source)
        filename = filename or (source.name if isinstance(source, Path) else "wheel")
        try:
            archive = open_archive(content)
            metadata = _metadata(archive)
            name, version = _identity(archive, metadata, filename)
            points = _entry_points(archive)
        except ArchiveError as error:
            raise bad_wheel(filename, error.problems) from error
        return cls(
            filename=filename,
            name=name,
            version=version,
            record=archive.record,
            record_sha=code_sha(archive.files[str(archive.record)]),
            sha256=hashlib.sha256(content).hexdigest(),
            requires=tuple(metadata.get_all("Requires-Dist", [])),
            requires_python=metadata.get("Requires-Python", ""),
            entry_points=points,
            modules=archive.modules,
            content=content,
            files=archive.files,
        )


def bad_wheel(filename: str, problems: list[str]) -> Refused:
    """The refusal of a wheel that can't be trusted."""
    shown = "; ".join(problems[:20]) + (f"; and {len(problems) - 20} more" if len(problems) > 20 else "")
    return Refused(
        f"{filename} is not a sound wheel: {shown}. Build it again and send the new file unchanged.",
        reason="bad_wheel",
        metadata={"wheel": filename},
    )


def _bounded(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(64 * 1024 * 1024)  # beyond the limit on purpose: reading it says how large it is


def _metadata(archive: Archive) -> Message:
    content = archive.files.get(f"{archive.dist_info}/METADATA")
    if content is None:
        raise ArchiveError([f"{archive.dist_info}/METADATA: missing"])
    return BytesHeaderParser().parsebytes(content)


def _identity(archive: Archive, metadata: Message, filename: str) -> tuple[str, str]:
    """Project and version; file name, folder and METADATA must agree on them."""
    try:
        named, version, _, tags = parse_wheel_filename(filename)
        told = (canonicalize_name(metadata["Name"] or ""), Version(metadata["Version"] or ""))
    except (InvalidWheelFilename, InvalidVersion) as error:
        raise ArchiveError([str(error)]) from error
    if told != (named, version):
        raise ArchiveError([f"its file name says {named} {version}, its METADATA {told[0]} {told[1]}"])
    folder, _, folder_version = archive.dist_info.removesuffix(".dist-info").partition("-")
    if (canonicalize_name(folder), folder_version) != (named, str(version)):
        raise ArchiveError([f"{archive.dist_info}: is not the folder of {named} {version}"])
    if _PURE not in tags:
        raise ArchiveError(["it is built for one platform; a release is pure Python (py3-none-any)"])
    return str(named), str(version)


def _entry_points(archive: Archive) -> tuple[str, ...]:
    text = archive.files.get(f"{archive.dist_info}/entry_points.txt", b"")
    parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # names keep their capitals
    try:
        parser.read_string(text.decode())
    except (configparser.Error, UnicodeDecodeError) as error:
        raise ArchiveError([f"{archive.dist_info}/entry_points.txt: {error}"]) from error
    return tuple(sorted(parser[ENTRY_POINT_GROUP])) if parser.has_section(ENTRY_POINT_GROUP) else ()
