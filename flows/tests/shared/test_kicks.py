"""Kicks by turns, of no sport in particular."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from omnium_flows.shared.kicks import is_sudden_death, next_side, waiting, winner

SIDES = ("a", "b")


@pytest.mark.parametrize(
    ("scored", "taken", "won"),
    [
        ({"a": 3, "b": 0}, {"a": 3, "b": 3}, "a"),
        ({"a": 3, "b": 0}, {"a": 3, "b": 2}, None),
        ({"a": 4, "b": 2}, {"a": 4, "b": 3}, None),
        ({"a": 4, "b": 2}, {"a": 4, "b": 4}, "a"),
        ({"a": 1, "b": 4}, {"a": 4, "b": 4}, "b"),
        ({"a": 5, "b": 5}, {"a": 5, "b": 5}, None),
        ({"a": 6, "b": 5}, {"a": 6, "b": 5}, None),
        ({"a": 5, "b": 5}, {"a": 6, "b": 5}, None),
        ({"a": 5, "b": 6}, {"a": 6, "b": 6}, "b"),
    ],
)
def test_a_side_has_won_once_the_other_cannot_reach_it(
    scored: dict[str, int], taken: dict[str, int], won: str | None
) -> None:
    assert winner(SIDES, scored, taken, 5) == won


@given(st.lists(st.booleans(), max_size=30), st.integers(1, 11))
def test_no_shootout_is_decided_while_the_loser_could_still_draw_level(
    outcomes: list[bool], kicks: int
) -> None:
    scored, taken = {"a": 0, "b": 0}, {"a": 0, "b": 0}
    for outcome in outcomes:
        side = next_side("a", "b", taken)
        taken[side] += 1
        scored[side] += outcome
        won = winner(SIDES, scored, taken, kicks)
        if won is not None:
            other = "b" if won == "a" else "a"
            rounds = max(kicks, taken["a"], taken["b"])
            assert scored[won] > scored[other] + rounds - taken[other]
            return


def test_sudden_death_begins_when_the_first_kicks_decided_nothing() -> None:
    assert is_sudden_death({"a": 5, "b": 5}, 5, decided=False)
    assert not is_sudden_death({"a": 5, "b": 5}, 5, decided=True)
    assert not is_sudden_death({"a": 5, "b": 4}, 5, decided=False)
    assert is_sudden_death({"a": 6, "b": 6}, 5, decided=True)


def test_everybody_kicks_once_before_anybody_kicks_twice() -> None:
    team = ["p", "q", "r"]
    assert waiting(team, {}, "p") == 0
    assert waiting(team, {"p": 1}, "p") == 2
    assert waiting(team, {"p": 1, "q": 1, "r": 1}, "p") == 0
    assert waiting(team, {"p": 2, "q": 1, "r": 1}, "p") == 2
