"""From a path to a recording: finds the reader that takes the file, by what is in it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from omnium_releases.readers import (
    football_fjelstul,
    football_live_log,
    football_openfootball,
    football_timeline,
    goldens,
    tables,
)
from omnium_releases.readers.recorded import Recording, UnreadableFile

_READERS: Final[tuple[tuple[Callable[[Any], bool], Callable[[Any], Recording]], ...]] = (
    (goldens.takes, goldens.read),
    (football_fjelstul.takes, football_fjelstul.read),
    (football_timeline.takes, football_timeline.read),
    (football_live_log.takes, football_live_log.read),
    (football_openfootball.takes, football_openfootball.read),
)

#: What a file may be, as its recording names it.
FORMATS: Final = (
    goldens.FORMAT,
    football_fjelstul.FORMAT,
    football_timeline.FORMAT,
    football_live_log.FORMAT,
    football_openfootball.FORMAT,
    tables.FORMAT,
)

#: A file above this is refused before it is read.
LARGEST_FILE: Final = 64 * 1024 * 1024


def read_file(path: Path) -> Recording:
    """All that `path` holds. Raises `UnreadableFile` with the reason if no reader takes it."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnreadableFile(f"is larger than {LARGEST_FILE // 2**20} MiB")
        if ".csv" in path.suffixes:
            return _read_table(path)
        return _read_json(path)
    except OSError as error:
        raise UnreadableFile(f"can't be read: {error.strerror or error}") from error
    except EOFError as error:
        raise UnreadableFile(f"is cut short: {error}") from error
    except UnicodeDecodeError as error:
        raise UnreadableFile(f"is not UTF-8 text: {error}") from error


def files_below(paths: list[Path]) -> Iterator[Path]:
    """Every file of `paths`, folders walked in order."""
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.is_file() and p.name[0] != ".")
        else:
            yield path


def _read_json(path: Path) -> Recording:
    try:
        document = json.loads(path.read_bytes())
    except ValueError as error:
        raise UnreadableFile(f"is not JSON: {error}") from error
    for takes, read in _READERS:
        if takes(document):
            return read(document)
    raise UnreadableFile("is JSON of no known format; docs/formats.md lists the known ones")


def _read_table(path: Path) -> Recording:
    content = path.read_bytes()
    if path.suffix == ".gz":
        with gzip.GzipFile(fileobj=BytesIO(content)) as packed:
            content = packed.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise UnreadableFile(f"is larger than {LARGEST_FILE // 2**20} MiB when unpacked")
    return tables.read(iter(content.decode("utf-8-sig").splitlines(keepends=True)))
