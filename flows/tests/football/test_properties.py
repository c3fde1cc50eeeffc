"""Random matches: whatever a desk sends, the fold is total, and one fold is every fold."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from omnium_contract import canonical
from omnium_contract.flows.types import Event
from omnium_contract.testing import Match, context, fixture
from omnium_flows.football import Football
from omnium_flows.football.match.order import key

WARNINGS = ("caution_is_first", "caution_was_shown", "substitutions_left", "windows_left", "tie_is_decided")
entries = st.sampled_from(["A", "B"])
#: Squads, their benches, and somebody whom nobody knows.
people = st.sampled_from([*(f"{side}{n}" for side in "ab" for n in (1, 2, 3, 9, 12, 13)), "stranger"])
seqs = st.integers(1, 40)
minutes: st.SearchStrategy[dict[str, int]] = st.one_of(
    st.just({}), st.integers(1, 120).map(lambda minute: {"minute": minute})
)


def _command(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(st.just(name), st.fixed_dictionaries(fields))


def _timed(name: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    return st.tuples(_command(name, **fields), minutes).map(lambda p: (p[0][0], {**p[0][1], **p[1]}))


goals = _timed(
    "goal", entry=entries, kind=st.sampled_from(["open_play", "own_goal", "penalty"]), scorer=people
)
cards = _timed(
    "card", entry=entries, person=people, colour=st.sampled_from(["yellow", "second_yellow", "red"])
)
subs = _timed(
    "substitution",
    entry=entries,
    off=people,
    on=people,
    kind=st.sampled_from(["normal", "normal", "concussion", "opponent_concussion"]),
)
kicks = _command("shootout_kick", entry=entries, outcome=st.sampled_from(["scored", "missed", "retake"]))
course = st.one_of(
    _command("half_end"),
    _command("half_start", period=st.sampled_from(["2H", "ET1", "ET2"])),
    _command("match_end"),
)
rest = st.one_of(
    _command("goal_cancel", seq=seqs, reason=st.just("offside")),
    _command("card_cancel", seq=seqs),
    _command("card_move", seq=seqs, to=people),
    _command("interrupt", reason=st.just("fog")),
    _command("resume"),
    _command("abandon", reason=st.just("weather")),
    _command("award", winner=entries),
    _command("shootout_start", first=entries),
    _command("shootout_exclude", entry=entries, player=people),
    _command("stat", entry=entries, kind=st.just("corner")),
    _command("injury_time", announced=st.just(3)),
    _timed("penalty", entry=entries, taker=people, outcome=st.sampled_from(["scored", "saved", "retake"])),
)
scripts = st.lists(st.one_of(goals, goals, cards, subs, kicks, course, course, course, rest), max_size=40)


def _begun(*, lineups: bool) -> Match:
    match = Match(Football, fixture(Football, sides=("A", "B"), format={"extraTime": "2x15", "subs": 2}))
    for entry in "AB" if lineups else "":
        names = [f"{entry.lower()}{number}" for number in range(1, 15)]
        match.must("lineup", entry=entry, starters=names[:11], bench=names[11:], keeper=names[0])
    match.must("match_start", home="A", away="B")
    return match


def _played(script: list[tuple[str, dict[str, Any]]], *, lineups: bool) -> Match:
    match = _begun(lineups=lineups)
    for name, told in script:
        match.send(name, confirm=WARNINGS, **told)
    return match


def _folded(match: Match, log: list[Event]) -> Match:
    again = Match(Football, match.fixture)
    for event in log:
        again.append(event)
    return again


@settings(max_examples=80, deadline=None)
@given(scripts, st.booleans())
def test_a_legal_match_has_no_conflicts_but_those_of_cards_and_adds_up(
    script: list[tuple[str, dict[str, Any]]], lineups: bool
) -> None:
    match = _played(script, lineups=lineups)
    state = match.state
    assert all("Put" in conflict["sentence"] for conflict in state["conflicts"])
    standing = [goal for goal in state["scorers"] if "cancelled" not in goal]
    for entry in state["sides"]:
        counted = sum(goal["entry"] == entry for goal in standing)
        assert state["goals"][entry] == counted
        assert sum(half["goals"][entry] for half in state["halves"]) == counted
    assert state["scorers"] == sorted(state["scorers"], key=key)
    for entry, players in state["onField"].items():
        assert len(players) == state["playersLeft"][entry] <= 11
        assert not set(players) & set(state["bench"][entry])


@settings(max_examples=40, deadline=None)
@given(scripts, st.booleans(), st.integers(0, 60))
def test_one_event_less_never_raises(
    script: list[tuple[str, dict[str, Any]]], lineups: bool, where: int
) -> None:
    match = _played(script, lineups=lineups)
    gone = where % len(match.log)
    again = _folded(match, match.log[:gone] + match.log[gone + 1 :])
    canonical.dumps([dict(line.values) for line in again.lines()])
    assert len(again.places()) in (0, 2)


@settings(max_examples=40, deadline=None)
@given(scripts, st.randoms(use_true_random=False))
def test_any_order_of_a_log_never_raises(script: list[tuple[str, dict[str, Any]]], chance: Any) -> None:
    match = _played(script, lineups=True)
    log = list(match.log)
    chance.shuffle(log)
    again = _folded(match, log)
    canonical.dumps([dict(line.values) for line in again.lines()])


@settings(max_examples=40, deadline=None)
@given(scripts, st.booleans())
def test_a_fold_in_one_go_equals_one_that_is_stored_after_every_event(
    script: list[tuple[str, dict[str, Any]]], lineups: bool
) -> None:
    match = _played(script, lineups=lineups)
    ctx, football = context(match.fixture), Football()
    state = football.initial(ctx)
    for event in match.log:
        state = football.state(state, event, ctx)
    assert canonical.dumps(state) == match.state_bytes
    assert _folded(match, match.log).digests == match.digests


@settings(max_examples=25, deadline=None)
@given(scripts)
def test_the_board_holds_whole_numbers_only(script: list[tuple[str, dict[str, Any]]]) -> None:
    def numbers(value: Any) -> list[Any]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return [value, *(n for item in inner for n in numbers(item))]

    match = _played(script, lineups=True)
    assert not [n for n in numbers(match.state) if isinstance(n, float)]
    assert not [n for line in match.lines() for n in line.values.values() if type(n) is not int]
