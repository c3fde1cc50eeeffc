"""Football matches of a given length as a corpus: taps of a desk, one in twenty of them refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntryRefusal, EntrySide
from omnium_releases.replay.entry_documents import write_entry
from omnium_releases.replay.messages import batches
from omnium_releases.replay.players import Wheels, player

HOME, AWAY = "home", "away"
KINDS = ("corner", "shot", "foul", "offside")
#: Matches that differ; the corpus repeats them under other ids.
DISTINCT = 10


def commands(match: int, events: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The taps of one match: goals, cards, and what a desk counts."""
    yield "football.match_start", {"home": HOME, "away": AWAY}
    for number in range(1, events - 3):
        side = (HOME, AWAY)[(number + match) % 2]
        if number == events // 2:
            yield "football.half_end", {}
            yield "football.half_start", {"period": "2H"}
        if number % 90 == 30:
            yield "football.goal", {"entry": side, "kind": "open_play", "scorer": f"p{(number + match) % 11}"}
        elif number % 90 == 60:
            person = f"p{number}"
            yield "football.card", {"entry": side, "colour": "yellow", "person": person, "role": "player"}
        elif number % 20 == 19:
            yield "football.goal", {"entry": "nobody", "kind": "open_play"}
        else:
            yield "football.stat", {"entry": side, "kind": KINDS[(number + match) % 4]}
    yield "football.half_end", {}


def match_of(number: int, events: int) -> CorpusEntry:
    """One match, all of it unjudged."""
    log = (
        EntryCommand(seq=seq, code=code, input=given, occurred_at="2026-06-14T12:00:00Z")
        for seq, (code, given) in enumerate(commands(number, events), 1)
    )
    sides = (EntrySide(entry=HOME), EntrySide(entry=AWAY))
    return CorpusEntry(id=f"m{number}", workflow="football", sides=sides, log=tuple(log))


async def write_corpus(folder: Path, wheels: Wheels, cache: Path, *, matches: int, events: int) -> None:
    """Write it with the verdicts and digests of the release that is to be the old one."""
    async with player("old", wheels, bytecode=cache) as playing:
        for number in range(min(matches, DISTINCT)):
            entry = await _recorded(playing, match_of(number, events))
            for copy in range(number, matches, DISTINCT):
                write_entry(folder / f"m{copy:04}.json", replace(entry, id=f"m{copy:04}"))


async def _recorded(playing: Any, entry: CorpusEntry) -> CorpusEntry:
    async def each() -> Any:
        for request in batches(replace(entry, log=tuple(_open(c) for c in entry.log)), derive=frozenset()):
            yield request

    judged = [one async for answer in playing.answers(each()) for one in answer.batch.judged]
    log = (_as_judged(*pair) for pair in zip(entry.log, judged, strict=True))
    return replace(entry, log=tuple(log))


def _open(command: EntryCommand) -> EntryCommand:
    """A tap for nobody is not folded in, whatever is said of it."""
    nobody = EntryRefusal(refusal="rejected", message="")
    return replace(command, refused=nobody if command.input.get("entry") == "nobody" else None)


def _as_judged(command: EntryCommand, judged: Any) -> EntryCommand:
    refusal = EntryRefusal(refusal=judged.refusal, message=judged.message, reason=judged.reason)
    return replace(command, digest=judged.state.hex(), refused=None if judged.accepted else refusal)
