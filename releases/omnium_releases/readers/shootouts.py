"""Kicks that a file lists by team, brought into an order in which they can have been taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

REGULAR_KICKS = 5


@dataclass(frozen=True, slots=True)
class Kick:
    """One kick of a shoot-out."""

    team: str
    player: str
    scored: bool


def interleaved(kicks: Sequence[Kick], teams: tuple[str, str]) -> list[Kick] | None:
    """The kicks in alternating order, each team's in its own, ending with the one that decided it.

    Tries the first team of `teams` as the one that began, then the other (often both are legal; the file
    does not say which it was). None if neither order ends where a shoot-out ends.
    """
    for first, second in (teams, teams[::-1]):
        order = _alternating([k for k in kicks if k.team == first], [k for k in kicks if k.team == second])
        if order is not None and _ends_when_decided(order, (first, second)):
            return order
    return None


def _alternating(ours: Sequence[Kick], theirs: Sequence[Kick]) -> list[Kick] | None:
    if not 0 <= len(ours) - len(theirs) <= 1:
        return None
    order: list[Kick] = []
    for number, kick in enumerate(ours):
        order += [kick, *theirs[number : number + 1]]
    return order


def _ends_when_decided(order: Sequence[Kick], teams: tuple[str, str]) -> bool:
    decided = [_decided(order[:n], teams) for n in range(1, len(order) + 1)]
    return bool(decided) and decided[-1] and not any(decided[:-1])


def _decided(taken: Sequence[Kick], teams: tuple[str, str]) -> bool:
    scored = [sum(k.scored for k in taken if k.team == team) for team in teams]
    kicked = [sum(k.team == team for k in taken) for team in teams]
    if max(kicked) <= REGULAR_KICKS:
        left = [REGULAR_KICKS - n for n in kicked]
        return scored[0] > scored[1] + left[1] or scored[1] > scored[0] + left[0]
    return kicked[0] == kicked[1] and scored[0] != scored[1]
