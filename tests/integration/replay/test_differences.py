"""Two small releases on real workers: every kind of difference is caught where it is, and named."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from harness.replays import entry_of, played_entry, replayed, tally_release, wheels_of, write_corpus
from harness.wheels import MadeRelease
from omnium_releases.replay.differences import Difference, Kind
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.outcome import Outcome, Reason
from omnium_releases.rule_changes import RuleChange

STEP = 'state["points"].get(entry, 0) + event.input["amount"]'
DOUBLED = 'state["points"].get(entry, 0) + 2 * event.input["amount"]'
SIDE_RULE = (
    'return ok() if ctx.fixture.side(input["entry"]) else reject(f"There is no side {input[\'entry\']}.")'
)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    return tally_release(tmp_path_factory.mktemp("old"))


@pytest.fixture(scope="module")
def entry(old: MadeRelease) -> CorpusEntry:
    return asyncio.run(played_entry(old, entry_of()))


@pytest.fixture
def corpus(entry: CorpusEntry, tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus", entry)


async def against(
    old: MadeRelease,
    corpus: Path,
    *changed: tuple[str, str],
    declared: tuple[RuleChange, ...] = (),
    lines_every: int = 64,
) -> Outcome:
    """The replay of `old` against the same with some of its source replaced."""
    new = tally_release(corpus.parent / "new", *changed, number=2)
    return await replayed(wheels_of(old), wheels_of(new), corpus, *declared, lines_every=lines_every)


def reasons(outcome: Outcome) -> list[Reason]:
    return [failure.reason for failure in outcome.failures]


def told(difference: Difference) -> tuple[int, str, str, str]:
    return difference.event, difference.key, difference.old, difference.new


async def test_a_release_agrees_with_itself_and_with_its_record(old: MadeRelease, corpus: Path) -> None:
    outcome = await replayed(wheels_of(old), wheels_of(old), corpus)
    assert (outcome.failures, outcome.differences, outcome.notes) == ([], [], [])
    assert (outcome.matches, outcome.events, outcome.by_sport["tally"].refused) == (1, 8, 4)
    assert outcome.new["code_sha"] == old.code_sha
    coverage = outcome.coverage["tally"]
    assert coverage.kinds["commands"].missing == ("tally.misbehave",)
    assert coverage.kinds["rules"].missing == ("tally.mischief",)
    assert coverage.kinds["actions"].missing == ()
    assert coverage.never_refused == ()


async def test_a_changed_number_is_caught_at_its_event_with_its_key(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, (STEP, DOUBLED))
    first, *_ = outcome.differences
    assert (first.match, first.command, first.kind) == ("m-1", "tally.add", Kind.STATE)
    assert told(first) == (2, "points.s1", "2", "4")
    assert {one.key for one in outcome.differences} == {
        "points.s1", "points.s2", "points", "places.s1.value", "places.s1.display", "places.s2.value",
        "places.s2.display",
    }  # fmt: skip
    assert reasons(outcome) == [Reason.UNDECLARED]
    assert "m-1 event 2 (tally.add): points.s1 2 -> 4" in outcome.failures[0].message
    assert outcome.by_sport["tally"].undeclared == len(outcome.differences)


DOUBLE = RuleChange(
    sport="tally", what="counts double", keys=("points", "points.*", "places.*.value", "places.*.display")
)


async def test_a_declared_change_passes(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, (STEP, DOUBLED), declared=(DOUBLE,))
    assert outcome.failures == []
    assert {one.declared for one in outcome.differences} == {"counts double"}


async def test_a_change_that_is_declared_too_narrowly_fails(old: MadeRelease, corpus: Path) -> None:
    narrow = RuleChange(sport="tally", what="counts double", keys=("points.s1", "points", "places.**"))
    outcome = await against(old, corpus, (STEP, DOUBLED), declared=(narrow,))
    assert reasons(outcome) == [Reason.UNDECLARED]
    assert outcome.failures[0].message == "m-1 event 3 (tally.add): points.s2 3 -> 6"


async def test_a_declaration_that_nothing_shows_fails(old: MadeRelease, corpus: Path) -> None:
    unseen = RuleChange(sport="tally", what="draws are shared", keys=("places.*.shared",))
    outcome = await against(old, corpus, (STEP, DOUBLED), declared=(DOUBLE, unseen))
    assert reasons(outcome) == [Reason.UNSEEN]
    assert '"draws are shared" (tally: places.*.shared)' in outcome.failures[0].message


async def test_a_loosened_rule_is_caught(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, (SIDE_RULE, "return ok()"))
    (one,) = outcome.differences
    assert told(one) == (4, "rules.known_side", 'refused "There is no side nobody."', "accepted")
    assert reasons(outcome) == [Reason.UNDECLARED]
    loosened = RuleChange(sport="tally", what="guests may score", keys=("rules.known_side",))
    assert (await against(old, corpus, (SIDE_RULE, "return ok()"), declared=(loosened,))).passed


async def test_a_tightened_rule_is_caught_and_the_match_goes_on_as_recorded(
    old: MadeRelease, corpus: Path
) -> None:
    outcome = await against(
        old, corpus, ('ctx.derived["status"] == "live" else', 'ctx.derived["status"] == "on" else')
    )
    (one,) = outcome.differences
    assert told(one) == (2, "rules.running", "accepted", 'refused "It is not running."')
    assert one.times == 3


async def test_a_reworded_refusal_is_caught(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, ('reject("It has begun already.")', 'reject("It has begun.")'))
    (one,) = outcome.differences
    assert told(one) == (2, "rules.not_begun", 'refused "It has begun already."', 'refused "It has begun."')


async def test_an_input_that_is_taken_otherwise_is_caught(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, ("default=1, ge=1", "default=1, ge=0"))
    (one,) = outcome.differences
    assert (one.event, one.key, one.new) == (4, "inputs.tally.add", "accepted")
    assert one.old.startswith('refused "amount: ')


async def test_a_rule_that_fails_is_caught(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, (SIDE_RULE, 'return ok() if input["entri"] else ok()'))
    by_key = {one.key: one for one in outcome.differences}
    assert by_key["commands.tally.add"].new == 'refused "tally.known_side failed. Nothing was written."'


async def test_a_number_of_a_line_alone_is_caught_at_its_event(old: MadeRelease, corpus: Path) -> None:
    lines = ('values={"points": n})', 'values={"points": n + (n == 6)})')
    outcome = await against(old, corpus, lines)
    (one,) = outcome.differences
    assert (one.kind, one.where, told(one)) == (Kind.LINE, "s1", (4, "points", "6", "7"))


async def test_a_line_that_differs_for_a_while_is_caught_where_every_command_is_looked_at(
    old: MadeRelease, corpus: Path
) -> None:
    lines = ('values={"points": n})', 'values={"points": n + (n == 2)})')
    assert (await against(old, corpus, lines)).passed
    outcome = await against(old, corpus, lines, lines_every=1)
    (one,) = outcome.differences
    assert (told(one), one.times) == ((2, "points", "2", "3"), 4)


async def test_a_place_alone_is_caught(old: MadeRelease, corpus: Path) -> None:
    outcome = await against(old, corpus, ("rank=i + 1", "rank=i + 2"))
    assert [told(one) for one in outcome.differences] == [
        (2, "places.s1.rank", "1", "2"),
        (2, "places.s2.rank", "2", "3"),
    ]


async def test_an_action_of_another_name_that_gives_the_same_is_no_difference(
    old: MadeRelease, corpus: Path
) -> None:
    outcome = await against(
        old,
        corpus,
        ('actions=("state", "lines", "places")', 'actions=("state", "numbers", "places")'),
        ("def lines(", "def numbers("),
    )
    assert outcome.differences == []
    assert [failure.reason for failure in outcome.failures] == []


async def test_a_release_that_depends_on_the_order_of_a_set_is_caught(old: MadeRelease, corpus: Path) -> None:
    chance = (
        'if event.code == "tally.begin":',
        'if event.code == "tally.begin":\n            state["order"] = list({*"abcdefgh"})',
    )
    outcome = await against(old, corpus, chance)
    assert set(reasons(outcome)) == {Reason.NONDETERMINISTIC, Reason.UNDECLARED}
    (failure,) = [one for one in outcome.failures if one.reason is Reason.NONDETERMINISTIC]
    assert "m-1 event 1 (tally.begin): order.0" in failure.message


async def test_a_release_that_depends_on_hash_is_caught_where_no_state_shows_it(
    old: MadeRelease, corpus: Path
) -> None:
    chance = ('reject("It has begun already.")', 'reject(f"It has begun already ({hash("x") % 1000}).")')
    quoted = (chance[0], chance[1].replace('hash("x")', "hash('x')"))
    outcome = await against(old, corpus, quoted)
    assert Reason.NONDETERMINISTIC in reasons(outcome)
