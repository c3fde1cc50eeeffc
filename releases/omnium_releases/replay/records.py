"""What a corpus recorded, held against what a release gives: the first place where they part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from omnium_contract import canonical
from omnium_contract.testing.goldens import differences
from omnium_proto.replay_pb2 import ReplayJudged, ReplayValues
from omnium_releases.replay.comparing import Playing
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntryLine, EntryPlace


def departure(entry: CorpusEntry, playing: Playing) -> str:
    """Where a playing departs first from what the entry recorded; empty if it is borne out."""
    if playing.problem:
        return f"it can't be played: {playing.problem}"
    return next(_departures(entry, playing), "")


def _departures(entry: CorpusEntry, playing: Playing) -> Iterator[str]:
    for command, judged in zip(entry.log, playing.judged, strict=True):
        what = _of_command(command, judged)
        if what:
            yield f"event {command.seq} ({command.code}): {what}"
    if playing.end is not None:
        yield from _of_end(entry, playing.end)


def _of_command(command: EntryCommand, judged: ReplayJudged) -> str:
    if command.judged and (what := _of_verdict(command, judged)):
        return what
    if command.digest is not None and command.digest != judged.state.hex():
        return "the state after it is another one than recorded"
    return ""


def _of_verdict(command: EntryCommand, judged: ReplayJudged) -> str:
    refused = command.refused
    if refused is None:
        return "" if judged.accepted else f'it was accepted, and is refused: "{judged.message}"'
    if judged.accepted:
        return f'it was refused ("{refused.message}"), and is accepted'
    if refused.message != judged.message:
        return f'it was refused with "{refused.message}", and is with "{judged.message}"'
    if (refused.reason or judged.reason) != judged.reason:
        return f"it was refused by {refused.reason}, and is by {judged.reason}"
    return ""


def _of_end(entry: CorpusEntry, end: ReplayValues) -> Iterator[str]:
    if entry.state is not None and canonical.dumps(entry.state) != end.state:
        where = next(differences(entry.state, orjson.loads(end.state)), "")
        yield f"at the end: state{where}"
    if entry.lines is not None:
        yield from _of_rows("line", _lines_recorded(entry.lines), _lines_given(end.lines, entry.lines))
    if entry.places is not None:
        yield from _of_rows("place", _places_recorded(entry.places), _places_given(end.places))


def _of_rows(kind: str, recorded: Sequence[str], given: Sequence[str]) -> Iterator[str]:
    was, is_ = Counter(recorded), Counter(given)
    for row in was - is_:
        yield f"at the end: the {kind} {row} was recorded, and is not given"
    for row in is_ - was:
        yield f"at the end: the {kind} {row} is given, and was not recorded"


def _lines_recorded(lines: Sequence[EntryLine]) -> list[str]:
    return sorted(
        _row(line.entry, line.person, line.segment, line.key, line.value, line.action) for line in lines
    )


def _lines_given(text: bytes, recorded: Sequence[EntryLine]) -> list[str]:
    """As recorded: without the action that gave them where the record does not name it."""
    rows = orjson.loads(text)
    if isinstance(rows, dict):
        return [orjson.dumps(rows).decode()]
    is_named = any(line.action for line in recorded)
    names = ("entry", "person", "segment", "key", "value", *(("action",) if is_named else ()))
    return sorted(_row(*(row.get(name) for name in names)) for row in rows)


def _places_recorded(places: Sequence[EntryPlace]) -> list[str]:
    return [_row(p.entry, p.rank, p.display, p.value, p.shared) for p in places]


def _places_given(text: bytes) -> list[str]:
    rows = orjson.loads(text)
    if isinstance(rows, dict):
        return [orjson.dumps(rows).decode()]
    return [
        _row(*(row.get(name) for name in ("entry", "rank", "display", "value", "shared"))) for row in rows
    ]


def _row(*values: Any) -> str:
    """One row as text; what is not there is left out."""
    return " ".join(str(value) for value in values if value is not None and value != "")
