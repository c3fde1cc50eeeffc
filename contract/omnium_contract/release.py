"""What a release is made of: hashes of its wheels, and the check that every file is as listed."""

from __future__ import annotations

import base64
import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath


class ReleaseFilesError(Exception):
    """Files of an unpacked wheel are not what its RECORD says; the message names each."""


def code_sha(record: bytes) -> str:
    """Hex SHA-256 of a wheel's RECORD file: the fingerprint of all code in the wheel, helpers included."""
    return hashlib.sha256(record).hexdigest()


def record_lines(record: bytes) -> Iterator[tuple[str, str | None]]:
    """(path, hex SHA-256 or None) of each line of RECORD. `ReleaseFilesError` for a line it can't read."""
    for line in csv.reader(record.decode().splitlines()):
        if len(line) != 3:
            raise ReleaseFilesError(f"RECORD has a line that is not path,hash,size: {','.join(line)!r}")
        path, hashed, _ = line
        algorithm, _, value = hashed.partition("=")
        if hashed and algorithm != "sha256":
            raise ReleaseFilesError(f"{path}: listed with {algorithm or 'no'} hash, SHA-256 is required")
        yield path, base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)).hex() if hashed else None


def check_files(folder: Path, records: tuple[PurePosixPath, ...]) -> None:
    """Compare every file below `folder` with the RECORDs in it (one a wheel, relative paths).

    Raises `ReleaseFilesError` naming all files that are missing, changed, unlisted, links or outside.
    """
    listed: dict[str, str | None] = {}
    problems: list[str] = []
    for record in records:
        for path, hashed in record_lines((folder / record).read_bytes()):
            problems += _listing_problems(path, hashed, record=record, listed=listed)
            listed[path] = hashed
    problems += _file_problems(folder, listed)
    if problems:
        raise ReleaseFilesError("; ".join(sorted(problems)))


def _listing_problems(
    path: str, hashed: str | None, *, record: PurePosixPath, listed: dict[str, str | None]
) -> Iterator[str]:
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path:
        yield f"{path}: leaves the release's folder"
    if path in listed:
        yield f"{path}: listed twice"
    if hashed is None and pure != record:
        yield f"{path}: listed without SHA-256"


def _file_problems(folder: Path, listed: dict[str, str | None]) -> Iterator[str]:
    found = set()
    for file in folder.rglob("*"):
        name = file.relative_to(folder).as_posix()
        if file.is_symlink():
            yield f"{name}: is a link"
        elif not file.is_dir():
            found.add(name)
            if name not in listed:
                yield f"{name}: not listed in RECORD"
            elif (wanted := listed[name]) and hashlib.sha256(file.read_bytes()).hexdigest() != wanted:
                yield f"{name}: differs from RECORD"
    yield from (f"{name}: missing" for name in listed.keys() - found)
