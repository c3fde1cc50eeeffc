"""Kicks from the mark, by turns: whose turn it is and when it is decided. Nothing of any one sport."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def next_side(first: str, other: str, taken: Mapping[str, int]) -> str:
    """Whose kick it is: the sides take turns, `first` begins."""
    return other if taken.get(first, 0) > taken.get(other, 0) else first


def is_sudden_death(taken: Mapping[str, int], kicks: int, *, decided: bool) -> bool:
    """Whether the first `kicks` of each side did not decide it."""
    return max(taken.values()) > kicks or (not decided and min(taken.values()) >= kicks)


def winner(
    sides: tuple[str, str], scored: Mapping[str, int], taken: Mapping[str, int], kicks: int
) -> str | None:
    """The side that the other can no longer reach, or None while it is open.

    Within the first `kicks` the kicks left count; from then on only pairs of kicks decide.

    >>> winner(("a", "b"), {"a": 3}, {"a": 3, "b": 3}, 5)
    'a'
    """
    for side, other in (sides, sides[::-1]):
        left = max(kicks - taken.get(other, 0), taken.get(side, 0) - taken.get(other, 0), 0)
        if scored.get(side, 0) > scored.get(other, 0) + left:
            return side
    return None


def waiting(team: Iterable[str], kicks: Mapping[str, int], kicker: str) -> int:
    """How many of the team must kick before `kicker` may again: those with fewer kicks than he has."""
    own = kicks.get(kicker, 0)
    return sum(kicks.get(mate, 0) < own for mate in team)
