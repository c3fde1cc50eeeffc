"""Replays of small releases made by hand and of editions of the working tree, on corpora of a few matches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from harness.fleet import ROOT
from harness.wheels import MadeRelease, make_release, sample
from harness.workers import bytecode
from omnium_releases.replay.corpora import FolderCorpus
from omnium_releases.replay.entries import (
    CorpusEntry,
    EntryCommand,
    EntryLine,
    EntryPlace,
    EntryRefusal,
    EntrySide,
    RecordedBy,
)
from omnium_releases.replay.entry_documents import write_entry
from omnium_releases.replay.messages import batches
from omnium_releases.replay.outcome import Outcome
from omnium_releases.replay.players import Wheels, player
from omnium_releases.replay.replaying import Plan, replay
from omnium_releases.rule_changes import RuleChange

GOLDENS: Final = ROOT / "flows" / "tests" / "goldens"

#: Says no more than that it was refused; `played_entry` puts the sentence in.
_SOME_REFUSAL: Final = EntryRefusal(refusal="rejected", message="")

#: A log of the sample workflow `tally`: code and input.
Log = Sequence[tuple[str, dict[str, Any]]]

LOG: Final[Log] = (
    ("tally.add", {"entry": "s1"}),
    ("tally.begin", {}),
    ("tally.begin", {}),
    ("tally.add", {"entry": "s1", "amount": 2}),
    ("tally.add", {"entry": "s2", "amount": 3}),
    ("tally.add", {"entry": "nobody"}),
    ("tally.add", {"entry": "s2", "amount": 0}),
    ("tally.add", {"entry": "s1", "amount": 4}),
)
#: Which of them `tally` accepts.
ACCEPTED: Final = (1, 3, 4, 7)


def tally_release(folder: Path, *changes: tuple[str, str], number: int = 1, **more: str) -> MadeRelease:
    """A release of `tally` with some of its source replaced, each once; `more` are further workflows."""
    source = sample("tally")
    for old, new in changes:
        assert source.count(old) >= 1, old
        source = source.replace(old, new, 1)
    others = {f"{name}/__init__.py": text for name, text in more.items()}
    return make_release(folder, {"tally/__init__.py": source, **others}, version=f"0.1.0+g{number:012x}")


def wheels_of(release: MadeRelease) -> Wheels:
    """Its files, as a replay takes them."""
    return Wheels(release.flows, release.contract)


def entry_of(log: Log = LOG, *, id: str = "m-1", accepted: Sequence[int] = ACCEPTED) -> CorpusEntry:
    """A match of tally of which only the verdicts are known, and those without their sentences."""
    return CorpusEntry(
        id=id,
        workflow="tally",
        sport="tally",
        sides=(EntrySide(entry="s1"), EntrySide(entry="s2")),
        log=tuple(
            EntryCommand(
                seq=1 + sum(other < place for other in accepted),
                code=code,
                input=given,
                occurred_at="2026-06-14T15:00:00Z",
                judged=place in accepted,
                refused=None if place in accepted else _SOME_REFUSAL,
            )
            for place, (code, given) in enumerate(log)
        ),
    )


async def played_entry(release: MadeRelease, entry: CorpusEntry) -> CorpusEntry:
    """The entry with all that the release makes of it: sentences, digests, and its end."""
    async with player("old", wheels_of(release), bytecode=bytecode()) as playing:
        return await _recorded(playing, entry, RecordedBy(version=release.version, code_sha=release.code_sha))


async def _recorded(playing: Any, entry: CorpusEntry, by: RecordedBy) -> CorpusEntry:
    async def each() -> Any:
        for request in batches(entry, derive=frozenset()):
            yield request

    answers = [answer.batch async for answer in playing.answers(each())]
    judged = [one for answer in answers for one in answer.judged]
    end = answers[-1].end
    log = tuple(_as_judged(*pair) for pair in zip(entry.log, judged, strict=True))
    return replace(
        entry,
        log=log,
        recorded_by=by,
        state=json.loads(end.state),
        lines=tuple(EntryLine(**row) for row in json.loads(end.lines)),
        places=tuple(_place(row) for row in json.loads(end.places)),
    )


def _as_judged(command: EntryCommand, judged: Any) -> EntryCommand:
    refusal = EntryRefusal(refusal=judged.refusal, message=judged.message, reason=judged.reason or None)
    return replace(
        command, digest=judged.state.hex(), judged=True, refused=None if judged.accepted else refusal
    )


def _place(row: dict[str, Any]) -> EntryPlace:
    return EntryPlace(**{name: value for name, value in row.items() if name != "sort"})


def write_corpus(folder: Path, *entries: CorpusEntry) -> Path:
    """A folder with these entries."""
    folder.mkdir(parents=True, exist_ok=True)
    for entry in entries:
        write_entry(folder / f"{entry.id}.json", entry)
    return folder


async def replayed(
    old: Wheels | None, new: Wheels, corpus: Path, *changes: RuleChange, lines_every: int = 64
) -> Outcome:
    """A replay of a folder."""
    return await replay(
        Plan(
            old=old,
            new=new,
            corpus=FolderCorpus(corpus, "test"),
            changes=changes,
            bytecode=bytecode(),
            lines_every=lines_every,
        )
    )
