"""Where the matches of a replay come from: a folder, the goldens of a working tree, or a database."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Protocol

from omnium_releases.corpus.logged import LoggedMatch, finished_matches, read_match
from omnium_releases.readers import goldens
from omnium_releases.readers.files import files_below, read_file
from omnium_releases.readers.recorded import UnreadableFile
from omnium_releases.replay import entry_documents
from omnium_releases.replay.entries import CorpusEntry, EntryCommand
from omnium_releases.replay.recordings import golden_entry, recorded_entry
from omnium_store.database import Connection

#: The goldens of a working tree, below its root.
GOLDENS: Final = Path("flows", "tests", "goldens")


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in the corpus that gives no match. `is_broken`: it says that it is one, and can't be read."""

    name: str
    reason: str
    is_broken: bool = False


class Corpus(Protocol):
    """Matches, one after another, always in the same order."""

    @property
    def name(self) -> str:
        """What it is called in a report."""

    async def count(self) -> int:
        """How many matches or files there are, for progress."""

    def entries(self) -> AsyncIterator[CorpusEntry | Skipped]:
        """Them."""


@dataclass(frozen=True, slots=True)
class FolderCorpus:
    """Every match in the files of a folder: corpus entries, goldens, public match files."""

    folder: Path
    name: str

    async def count(self) -> int:
        """How many files there are."""
        return sum(1 for _ in files_below([self.folder]))

    async def entries(self) -> AsyncIterator[CorpusEntry | Skipped]:
        """The matches of each file, in the order of the files' names."""
        for path in files_below([self.folder]):
            name = path.relative_to(self.folder).as_posix() if path != self.folder else path.name
            for one in _in_file(path, name):
                yield one


@dataclass(frozen=True, slots=True)
class DatabaseCorpus:
    """The finished matches of a database, with the commands that were refused."""

    connection: Connection
    name: str = "db"

    async def count(self) -> int:
        """How many finished matches there are."""
        return len(await finished_matches(self.connection))

    async def entries(self) -> AsyncIterator[CorpusEntry | Skipped]:
        """Them, by release."""
        for head in await finished_matches(self.connection):
            yield as_recorded(await read_match(self.connection, head.fixture))


def as_recorded(match: LoggedMatch) -> CorpusEntry:
    """The entry of a match, held to what the release that it is on has judged, and to nothing else.

    Refusals depend on the fixture's status, and records that change it are not in the log.
    """
    by = match.entry.recorded_by
    own = {seq for seq, author in match.authors.items() if by is not None and author.code_sha == by.code_sha}
    log = tuple(_as_judged(command, is_own=command.seq in own) for command in match.entry.log)
    return replace(match.entry, log=log, what=match.name)


def _as_judged(command: EntryCommand, *, is_own: bool) -> EntryCommand:
    if command.refused is not None:
        return replace(command, judged=False)
    return command if is_own else replace(command, judged=False, digest=None)


def _in_file(path: Path, name: str) -> Iterator[CorpusEntry | Skipped]:
    stem = name.removesuffix(".gz").removesuffix(".json")
    try:
        document = _parsed(path)
        if entry_documents.takes(document):
            yield entry_documents.entry_of(document)
        elif goldens.takes(document):
            yield golden_entry(document, id=stem)
        else:
            yield from _recorded(path, name, stem)
    except UnreadableFile as error:
        yield Skipped(name, str(error), is_broken=True)


def _parsed(path: Path) -> Any:
    """The file's JSON; None for a file of another kind. Raises `UnreadableFile`."""
    if not path.name.endswith((".json", ".json.gz")):
        return None
    try:
        content = path.read_bytes()
        return json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UnreadableFile(f"is not JSON that can be read: {error}") from error


def _recorded(path: Path, name: str, stem: str) -> Iterator[CorpusEntry | Skipped]:
    """What a reader finds in a public match file; a file that none takes is none of ours."""
    try:
        matches = read_file(path).matches
    except UnreadableFile as error:
        yield Skipped(name, str(error))
        return
    without = sum(match.scores_only or not match.commands for match in matches)
    if without:
        yield Skipped(name, f"has {without} matches with scores and no log")
    for number, match in enumerate(matches, 1):
        if not match.scores_only and match.commands:
            yield recorded_entry(match, id=stem if len(matches) == 1 else f"{stem}#{number}")
