"""`corpus import`: public match files as corpus entries, played by one release without a database.

A match is played as its file has it and compared with what the file states, then masked and played again.
Its names are public, so the key is too: the same file gives the same entry everywhere.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from omnium_releases.corpus.masks import CannotMask, Mask
from omnium_releases.corpus.names import Names, persons_in
from omnium_releases.corpus.performances import Performance, Stage, Unproven, completed
from omnium_releases.corpus.pseudonyms import KEY_BYTES, PseudonymKey
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.playing import disagreements
from omnium_releases.readers.files import read_file
from omnium_releases.readers.observers import observer_of
from omnium_releases.readers.recorded import RecordedMatch, UnreadableFile
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.recordings import recorded_entry

#: Everybody's key. It hides nothing from somebody who has the file; it keeps names out of the corpus.
PUBLIC_KEY: Final = PseudonymKey(bytes(KEY_BYTES))
#: Instead of the name of a format: what is in a file says of which one it is.
AUTO: Final = "auto"


@dataclass(slots=True)
class ImportReport:
    """What became of the files. `left`: matches without an entry; `disagree`: of those written."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    left: list[dict[str, str]] = field(default_factory=list)
    disagree: list[dict[str, str]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    scores_only: int = 0

    def as_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "written": self.written,
            "unchanged": self.unchanged,
            "left": self.left,
            "disagree": self.disagree,
            "skipped": self.skipped,
            "scoresOnly": self.scores_only,
        }


async def import_files(
    files: Sequence[Path],
    stage: Stage,
    shelf: Shelf,
    *,
    format_name: str = AUTO,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> ImportReport:
    """Write an entry for every match that can be played; `format_name` refuses files of other formats."""
    report = ImportReport()
    for number, path in enumerate(files):
        progress(number, len(files))
        try:
            recording = read_file(path)
            if format_name not in (AUTO, recording.format_name):
                raise UnreadableFile(f"is of format {recording.format_name}")
        except UnreadableFile as unreadable:
            report.skipped.append({"file": str(path), "reason": str(unreadable)})
            continue
        for match in recording.matches:
            if match.scores_only:
                report.scores_only += 1
            else:
                await _match(path, match, stage, shelf, report)
    return report


async def _match(path: Path, match: RecordedMatch, stage: Stage, shelf: Shelf, report: ImportReport) -> None:
    told = {"file": str(path), "match": match.name}
    entry = recorded_entry(match, id=f"{match.sport}: {match.name}: {_content(match)}")
    try:
        as_it_was = await stage.play(entry)
        _check_accepted(entry, as_it_was)
        program = stage.program(entry.workflow)
        names = _names(match, entry, program)
        masked = Mask.of(entry, names, PUBLIC_KEY, program=program).masked()
        made = replace(completed(masked, await stage.play(masked)), recorded_by=stage.release)
    except (CannotMask, Unproven) as problem:
        report.left.append({**told, "reason": str(problem)})
        return
    (report.written if shelf.put(made) else report.unchanged).append(made.id)
    report.disagree += [{**told, "reason": one} for one in _disagreements(match, as_it_was)]


def _content(match: RecordedMatch) -> str:
    """Of the log: two matches of one name are two entries."""
    told = [match.format, *((command.code, command.input, command.occurred_at) for command in match.commands)]
    return hashlib.sha256(json.dumps(told, sort_keys=True, default=repr).encode()).hexdigest()


def _check_accepted(entry: CorpusEntry, played: Performance) -> None:
    for command, verdict in zip(entry.log, played.verdicts, strict=True):
        if not verdict.accepted:
            raise Unproven(
                f"command {command.seq} {command.code} is refused ({verdict.refusal} {verdict.reason}): "
                f"{verdict.message}"
            )


def _names(match: RecordedMatch, entry: CorpusEntry, program: Mapping[str, Any] | None) -> Names:
    persons = frozenset(persons_in(entry.log, program))
    sides = {text for side in match.sides for text in (side.code, side.name, side.noc) if text}
    return Names(all=persons | sides | {match.name}, persons=persons)


def _disagreements(match: RecordedMatch, played: Performance) -> list[str]:
    """Where the end of the match is not what its file states."""
    board = {"state": json.loads(played.state), "sides": [{"entry": side.code} for side in match.sides]}
    return disagreements(match.stated, observer_of(match)(board))
