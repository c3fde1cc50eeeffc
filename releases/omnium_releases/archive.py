"""A wheel as a zip archive that is trusted in nothing: every file is listed, hashed, plain and inside."""

from __future__ import annotations

import csv
import hashlib
import io
import stat
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from omnium_contract.release import ReleaseFilesError, record_lines

LARGEST_WHEEL = 32 * 1024 * 1024
LARGEST_UNPACKED = 128 * 1024 * 1024
MOST_FILES = 10_000

_UNREADABLE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)
_ENCRYPTED = 0x1


class ArchiveError(Exception):
    """The archive is not a sound wheel; `problems` are all that is wrong with it."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Archive:
    """The files of a sound wheel, by path."""

    files: Mapping[str, bytes]
    record: PurePosixPath

    @property
    def dist_info(self) -> str:
        """The folder that holds RECORD and METADATA."""
        return str(self.record.parent)

    @property
    def modules(self) -> tuple[str, ...]:
        """The names that `import` may find at the top of the wheel."""
        tops = (PurePosixPath(name) for name in self.files)
        packages = {top.parts[0] for top in tops if len(top.parts) > 1}
        singles = {
            name.removesuffix(".py") for name in self.files if "/" not in name and name.endswith(".py")
        }
        return tuple(sorted({p for p in packages if not p.endswith(".dist-info")} | singles))


def open_archive(content: bytes) -> Archive:
    """Read all of a wheel. Raises `ArchiveError` with every problem that can be told."""
    if len(content) > LARGEST_WHEEL:
        raise ArchiveError([f"it has {len(content):,} bytes, {LARGEST_WHEEL:,} are allowed"])
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as zipped:
            infos = zipped.infolist()
            if problems := [*_size_problems(infos), *_name_problems(infos)]:
                raise ArchiveError(problems)
            files = {info.filename: _read(zipped, info) for info in infos if not info.is_dir()}
    except _UNREADABLE as error:
        raise ArchiveError([f"it is not a sound zip file ({error})"]) from error
    record = _record_of(files)
    if problems := list(_record_problems(files, record)):
        raise ArchiveError(problems)
    return Archive(files, record)


def _size_problems(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    if len(infos) > MOST_FILES:
        yield f"it holds {len(infos):,} files, {MOST_FILES:,} are allowed"
    if (size := sum(info.file_size for info in infos)) > LARGEST_UNPACKED:
        yield f"it unpacks to {size:,} bytes, {LARGEST_UNPACKED:,} are allowed"


def _name_problems(infos: list[zipfile.ZipInfo]) -> Iterator[str]:
    for info in infos:
        yield from _entry_problems(info)
    for name, count in Counter(info.filename for info in infos).items():
        if count > 1:
            yield f"{name}: is in it {count} times"
    folded = Counter(name.casefold() for name in {info.filename for info in infos})
    yield from (f"{name}: is in it twice, in other capitals" for name, count in folded.items() if count > 1)


def _entry_problems(info: zipfile.ZipInfo) -> Iterator[str]:
    name = info.filename
    if info.orig_filename != name or "\\" in name or any(ord(letter) < 32 for letter in name):
        yield f"{info.orig_filename!r}: is no portable name"
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        yield f"{name}: leaves the release's folder"
    elif name != f"{path}{'/' if info.is_dir() else ''}":
        yield f"{name}: is no plain path"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFDIR if info.is_dir() else stat.S_IFREG):
        yield f"{name}: is a {'link' if kind == stat.S_IFLNK else 'special file'}"
    if info.flag_bits & _ENCRYPTED:
        yield f"{name}: is encrypted"
    if path.parts and path.parts[0].endswith(".data"):
        yield f"{name}: would need an installer; a release is only unpacked"
    if path.suffix in (".pyc", ".so", ".pyd", ".pth"):
        yield f"{name}: is not source; a release holds Python source and data"


def _read(zipped: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with zipped.open(info) as member:
        return member.read(info.file_size + 1)  # the zip reader stops at the declared size and checks the CRC


def _record_of(files: Mapping[str, bytes]) -> PurePosixPath:
    found = [
        PurePosixPath(name) for name in files if name.endswith(".dist-info/RECORD") and name.count("/") == 1
    ]
    if len(found) != 1:
        raise ArchiveError([f"it has {len(found) or 'no'} RECORD, a wheel has one"])
    return found[0]


def _record_problems(files: Mapping[str, bytes], record: PurePosixPath) -> Iterator[str]:
    listed: dict[str, str | None] = {}
    try:
        for path, hashed in record_lines(files[str(record)]):
            if path in listed:
                yield f"{path}: listed twice in RECORD"
            listed[path] = hashed
    except (ReleaseFilesError, ValueError, csv.Error) as error:
        yield str(error)
        return
    for path, hashed in listed.items():
        if path not in files:
            yield f"{path}: listed in RECORD and missing"
        elif path != str(record) and hashed is None:
            yield f"{path}: listed without SHA-256"
        elif hashed is not None and hashlib.sha256(files[path]).hexdigest() != hashed:
            yield f"{path}: differs from RECORD"
    yield from (f"{path}: not listed in RECORD" for path in sorted(files.keys() - listed.keys()))
