"""What a corpus must be: recorded by what it says, not empty, with a match of each sport."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.replays import Log, entry_of, played_entry, replayed, tally_release, wheels_of, write_corpus
from harness.wheels import MadeRelease, sample
from omnium_releases.replay.entries import CorpusEntry, EntryRefusal, RecordedBy
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_store.errors import Refused

CHESS = sample("tally").replace('code = "tally"', 'code = "chess"').replace('"tally.', '"chess.')
UNDO = """
    @command(input=Begin, actions=("state",), validations=("running",), description="Undo.")
    def undo(self) -> None: ...

    @command(input=Mischief"""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    return tally_release(tmp_path_factory.mktemp("old"))


@pytest.fixture(scope="module")
def entry(old: MadeRelease) -> CorpusEntry:
    return asyncio.run(played_entry(old, entry_of()))


def reasons(outcome: Outcome) -> list[Reason]:
    return [failure.reason for failure in outcome.failures]


async def itself(release: MadeRelease, folder: Path, *entries: CorpusEntry) -> Outcome:
    wheels = wheels_of(release)
    return await replayed(wheels, wheels, write_corpus(folder, *entries))


def rotten_state(entry: CorpusEntry) -> CorpusEntry:
    return replace(entry, state={"status": "live", "points": {"s1": 7, "s2": 3}})


def rotten_digest(entry: CorpusEntry) -> CorpusEntry:
    return replace(entry, log=(*entry.log[:3], replace(entry.log[3], digest="0" * 64), *entry.log[4:]))


def rotten_sentence(entry: CorpusEntry) -> CorpusEntry:
    said = EntryRefusal(refusal="rejected", reason="not_begun", message="It has begun.")
    return replace(entry, log=(*entry.log[:2], replace(entry.log[2], refused=said), *entry.log[3:]))


def rotten_verdict(entry: CorpusEntry) -> CorpusEntry:
    return replace(entry, log=(replace(entry.log[0], seq=9, refused=None), *entry.log[1:]))


def rotten_lines(entry: CorpusEntry) -> CorpusEntry:
    assert entry.lines is not None
    return replace(entry, lines=entry.lines[1:])


ROT = (
    (rotten_state, "at the end: state.points.s1: 7 -> 6"),
    (rotten_digest, "event 2 (tally.add): the state after it is another one"),
    (rotten_sentence, 'it was refused with "It has begun.", and is with "It has begun already."'),
    (rotten_verdict, 'it was accepted, and is refused: "It is not running."'),
    (rotten_lines, "is given, and was not recorded"),
)


async def test_a_corpus_that_its_own_release_does_not_bear_out_is_rotten(
    old: MadeRelease, entry: CorpusEntry, tmp_path: Path
) -> None:
    entries = [replace(spoil(entry), id=f"m-{number}") for number, (spoil, _) in enumerate(ROT)]
    outcome = await itself(old, tmp_path, *entries)
    assert reasons(outcome) == [Reason.ROTTEN] * len(ROT)
    for failure, (_, said) in zip(outcome.failures, ROT, strict=True):
        assert said in failure.message


async def test_what_another_release_recorded_is_compared_and_not_held_to(
    old: MadeRelease, entry: CorpusEntry, tmp_path: Path
) -> None:
    elsewhere = replace(rotten_state(entry), recorded_by=RecordedBy(version="0.0.9", code_sha="ff" * 32))
    outcome = await itself(old, tmp_path, elsewhere)
    assert outcome.passed
    assert "m-1 was recorded by 0.0.9" in outcome.notes[0]


async def test_an_empty_corpus_proves_nothing(old: MadeRelease, tmp_path: Path) -> None:
    assert reasons(await itself(old, tmp_path)) == [Reason.EMPTY]


async def test_a_sport_without_a_match_fails(old: MadeRelease, entry: CorpusEntry, tmp_path: Path) -> None:
    new = tally_release(tmp_path / "new", number=2, chess=CHESS)
    corpus = write_corpus(tmp_path / "corpus", entry)
    outcome = await replayed(wheels_of(old), wheels_of(new), corpus)
    assert [(one.reason, one.sport) for one in outcome.failures] == [(Reason.NO_MATCH, "chess")]


def as_chess(entry: CorpusEntry) -> CorpusEntry:
    log = tuple(
        replace(c, code=c.code.replace("tally.", "chess."), judged=c.refused is None) for c in entry.log
    )
    lines = tuple(replace(one, action="chess.lines") for one in entry.lines or ())
    return replace(entry, id="c-1", workflow="chess", sport="chess", log=log, lines=lines, recorded_by=None)


async def test_a_sport_that_the_old_release_does_not_have_is_proven_by_its_record_alone(
    old: MadeRelease, entry: CorpusEntry, tmp_path: Path
) -> None:
    new = tally_release(tmp_path / "new", number=2, chess=CHESS)
    corpus = write_corpus(tmp_path / "corpus", entry, as_chess(entry))
    outcome = await replayed(wheels_of(old), wheels_of(new), corpus)
    assert (outcome.failures, outcome.differences) == ([], [])
    assert outcome.by_sport["chess"].alone == 1
    assert (
        "does not have chess: its 1 matches are proven by what the corpus recorded alone" in outcome.notes[0]
    )
    write_corpus(corpus, rotten_state(as_chess(entry)))
    assert reasons(await replayed(wheels_of(old), wheels_of(new), corpus)) == [Reason.ROTTEN]


async def test_a_sport_that_the_new_release_does_not_have_any_more_fails(
    old: MadeRelease, entry: CorpusEntry, tmp_path: Path
) -> None:
    both = tally_release(tmp_path / "both", number=2, chess=CHESS)
    corpus = write_corpus(tmp_path / "corpus", entry, as_chess(entry))
    outcome = await replayed(wheels_of(both), wheels_of(old), corpus)
    assert [(one.reason, one.sport) for one in outcome.failures] == [(Reason.LOST_SPORT, "chess")]


async def test_a_command_that_the_old_release_does_not_have_is_told_apart(
    old: MadeRelease, tmp_path: Path
) -> None:
    new = tally_release(tmp_path / "new", ("\n    @command(input=Mischief", UNDO), number=2)
    log: Log = (
        ("tally.begin", {}),
        ("tally.add", {"entry": "s1"}),
        ("tally.undo", {}),
        ("tally.add", {"entry": "s2"}),
    )
    entry = await played_entry(new, entry_of(log, accepted=(0, 1, 2, 3)))
    corpus = write_corpus(tmp_path / "corpus", entry)
    outcome = await replayed(wheels_of(old), wheels_of(new), corpus)
    assert (outcome.failures, outcome.differences) == ([], [])
    assert "1 matches of tally have commands that 0.1.0+g000000000001 does not have" in outcome.notes[0]


async def test_a_command_that_the_new_release_does_not_have_any_more_is_a_difference(
    old: MadeRelease, tmp_path: Path
) -> None:
    older = tally_release(tmp_path / "older", ("\n    @command(input=Mischief", UNDO), number=2)
    log: Log = (("tally.begin", {}), ("tally.undo", {}))
    corpus = write_corpus(tmp_path / "corpus", await played_entry(older, entry_of(log, accepted=(0, 1))))
    outcome = await replayed(wheels_of(older), wheels_of(old), corpus)
    (one,) = outcome.differences
    assert (one.key, one.old, one.new) == (
        "commands.tally.undo",
        "accepted",
        'refused "Tally has no command tally.undo."',
    )


async def test_a_first_release_is_proven_by_what_the_corpus_recorded(
    old: MadeRelease, entry: CorpusEntry, tmp_path: Path
) -> None:
    corpus = write_corpus(tmp_path / "corpus", entry)
    outcome = await replayed(None, wheels_of(old), corpus)
    assert (outcome.failures, outcome.old) == ([], None)
    assert outcome.notes == [
        f"{old.version} is the first release: it is proven by what the corpus recorded alone"
    ]
    write_corpus(corpus, rotten_sentence(entry))
    assert reasons(await replayed(None, wheels_of(old), corpus)) == [Reason.ROTTEN]


async def test_settings_that_the_new_release_refuses_are_a_match_that_can_not_be_played(
    old: MadeRelease, tmp_path: Path
) -> None:
    strict = tally_release(
        tmp_path / "new", ("target: int = Field(", "target: int = Field(le=100, "), number=2
    )
    settings: dict[str, Any] = {"target": 500}
    corpus = write_corpus(tmp_path / "corpus", await played_entry(old, replace(entry_of(), format=settings)))
    outcome = await replayed(wheels_of(old), wheels_of(strict), corpus)
    assert reasons(outcome) == [Reason.UNPLAYABLE]
    assert "target" in outcome.failures[0].message


async def test_a_worker_that_a_rule_ends_ends_the_replay_with_the_match_it_was_at(
    old: MadeRelease, tmp_path: Path
) -> None:
    log: Log = (("tally.begin", {}), ("tally.misbehave", {"kind": "c_loop"}))
    corpus = write_corpus(tmp_path / "corpus", entry_of(log, accepted=(0, 1)))
    with pytest.raises(Refused, match="ended in the middle of a match") as raised:
        await replayed(wheels_of(old), wheels_of(old), corpus)
    assert raised.value.reason == "player_gone"


async def test_a_release_that_does_not_start_says_which_and_why(old: MadeRelease, tmp_path: Path) -> None:
    broken = tally_release(tmp_path / "new", ("class Tally(Sport):", "class Tally(Sport)"), number=2)
    with pytest.raises(Refused, match="The new release does not start") as raised:
        await replayed(wheels_of(old), wheels_of(broken), write_corpus(tmp_path / "corpus", entry_of()))
    assert raised.value.reason == "not_started"
