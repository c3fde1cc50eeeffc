"""A side's result as the rules of results read it, and what keeps results from fitting together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omnium_contract.flows.types import Fixture, Side
from omnium_flows.shared.medals import Ranked, medals_misfit
from omnium_flows.shared.ranks import broken_run, unmarked_tie


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one side has. `mark` (DNS, DSQ, …), `score` and `medal` are empty where it has none."""

    name: str
    rank: int | None = None
    shared: bool = False
    mark: str = ""
    score: str = ""
    medal: str = ""


def name_of(side: Side) -> str:
    """What people call a side."""
    return side.name or side.code or f"Side {side.position}"


def outcome_of(side: Side, sent: Mapping[str, Any] | None = None) -> Outcome:
    """The outcome of a side, with the values of `sent` (camelCase) in place of its own."""
    had = {**side.result, "rank": side.rank, "status": side.status}
    has = {**had, **(sent or {})}
    return Outcome(
        name=name_of(side),
        rank=has.get("rank"),
        shared=bool(has.get("shared")),
        mark=has.get("status") or "",
        score=str(has.get("score") or ""),
        medal=has.get("medal") or "",
    )


def outcomes_of(fixture: Fixture[Any]) -> list[Outcome]:
    """The outcomes of all sides, in their order."""
    return [outcome_of(side) for side in fixture.sides]


def missing_result(archetype: str, outcomes: Sequence[Outcome], rankless: frozenset[str]) -> str | None:
    """Who has neither a rank nor a mark of `rankless`, the marks without one, as a sentence, or None."""
    lacking = [one for one in outcomes if one.rank is None and one.mark not in rankless]
    if not lacking:
        return None
    scores = {one.score for one in outcomes}
    if archetype == "duel" and len(lacking) == len(outcomes) and len(scores) == 1 and scores != {""}:
        return (
            "Both sides have the same score; say who won and how (penalties, shoot-off, judges, tie-break), "
            "or mark a draw."
        )
    return f"{lacking[0].name} has no rank and no mark. Give one: everybody is in an official result."


def unmarked_ties(outcomes: Sequence[Outcome]) -> str | None:
    """Which rank is given twice without being a tie, as a sentence, or None."""
    rank = unmarked_tie((one.rank, one.shared) for one in outcomes if one.rank is not None)
    return None if rank is None else f"Rank {rank} is given twice: mark the tie or change it."


def broken_ranks(outcomes: Sequence[Outcome]) -> str | None:
    """What keeps the ranks from running 1, 2, 2, 4, as a sentence, or None."""
    return broken_run(one.rank for one in outcomes if one.rank is not None)


def misfit_medals(archetype: str, outcomes: Sequence[Outcome]) -> str | None:
    """Why the medals do not fit the ranks, as a sentence, or None."""
    return medals_misfit(archetype, [Ranked(name=o.name, rank=o.rank, medal=o.medal) for o in outcomes])


def upset(outcomes: Sequence[Outcome]) -> str | None:
    """The winner of a duel with no better score, as a sentence, or None. Scores must be numbers."""
    ranked = sorted((one for one in outcomes if one.rank is not None), key=lambda one: one.rank or 0)
    if len(ranked) != 2 or ranked[0].rank == ranked[1].rank:
        return None
    won, lost = (_number(one.score) for one in ranked)
    if won is None or lost is None or won > lost:
        return None
    winner, loser = ranked
    if won == lost:
        return f"{winner.name} won with the same score, {won}-{lost}. Confirm that something else decided it."
    return (
        f"The winner has the lower score. Confirm: {winner.name} beat {loser.name} with {won} to {lost}, "
        "by an award, a walkover or a disqualification."
    )


def misfit(archetype: str, outcomes: Sequence[Outcome], rankless: frozenset[str]) -> str | None:
    """The first thing that keeps outcomes from being an official result, as a sentence, or None."""
    checks: tuple[Callable[[], str | None], ...] = (
        lambda: missing_result(archetype, outcomes, rankless),
        lambda: unmarked_ties(outcomes),
        lambda: broken_ranks(outcomes),
        lambda: misfit_medals(archetype, outcomes),
    )
    return next((said for check in checks if (said := check()) is not None), None)


def _number(score: str) -> int | None:
    text = score.strip()
    return int(text) if text.isascii() and text.isdigit() else None
