"""Goals and penalties in play: the one place that credits a goal, and the one that takes it back."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.constants import GoalKind, PenaltyOutcome
from omnium_flows.football.match import order, tallies
from omnium_flows.football.match.board import absence, goal_numbered, opponent
from omnium_flows.football.match.periods import half_of, open_half
from omnium_flows.football.match.tap import State, Tap, moment

_MARKS = {GoalKind.OWN_GOAL.value: "OG", GoalKind.PENALTY.value: "P"}


def goal(state: State, tap: Tap) -> None:
    """A goal to a side."""
    half = _half(state, tap)
    if half is not None:
        _score(
            state, tap, half, {name: tap.input.get(name) for name in ("entry", "kind", "scorer", "assist")}
        )


def penalty(state: State, tap: Tap) -> None:
    """A penalty in play: scored it is a goal, to be retaken it is nobody's."""
    half, outcome = _half(state, tap), tap.input["outcome"]
    if half is None:
        return
    entry, taker = tap.input["entry"], tap.input.get("taker")
    if outcome == PenaltyOutcome.SCORED:
        _score(state, tap, half, {"entry": entry, "kind": GoalKind.PENALTY.value, "scorer": taker})
        return
    row = {"seq": tap.seq, "entry": entry, "outcome": outcome, **moment(state, tap)}
    row |= {"taker": taker} if taker else {}
    order.place(state["penalties"], {**row, "label": order.label(row)})
    if outcome != PenaltyOutcome.RETAKE:
        tallies.add(state, entry, taker, "penaltiesMissed")
        tallies.add_for_side(state, entry, "penaltiesMissed")


def goal_cancel(state: State, tap: Tap) -> None:
    """A goal that does not stand: it stays in the list, marked, and counts for nobody."""
    row = goal_numbered(state, tap.input["seq"])
    if row is None or "cancelled" in row:
        tap.conflict(state, f"There is no standing goal {tap.input['seq']} to cancel.")
        return
    row["cancelled"] = tap.input["reason"]
    _credit(state, row, -1)
    scorer = f", {row['scorer']}" if row.get("scorer") else ""
    when = f", {row['label']}'" if row["label"] else ""
    tap.notice(state, f"Goal cancelled: {tap.side(row['entry'])}{scorer}{when} ({_words(row['cancelled'])}).")


def team_of_scorer(state: Any, entry: str, kind: str) -> str | None:
    """The side that the scorer plays for: the other one at an own goal."""
    return opponent(state, entry) if kind == GoalKind.OWN_GOAL else entry


def _half(state: State, tap: Tap) -> dict[str, Any] | None:
    """The period that the event counts in; None, and a conflict, where there is none."""
    told = tap.input.get("period")
    half = half_of(state, told) if told else open_half(state)
    if half is None or state["done"] or state["abandoned"] or tap.input["entry"] not in state["sides"]:
        tap.conflict(state, "Nothing is in play: this does not count.")
        return None
    if state["status"] == "interrupted":
        tap.conflict(state, "Play is suspended.")
    return half


def _score(state: State, tap: Tap, half: dict[str, Any], what: dict[str, Any]) -> None:
    row = {"seq": tap.seq, **{k: v for k, v in what.items() if v is not None}, **moment(state, tap)}
    row["period"] = half["period"]
    row["label"] = order.label(row)
    if row["kind"] in _MARKS:
        row["mark"] = _MARKS[row["kind"]]
    team = team_of_scorer(state, row["entry"], row["kind"])
    for person, entry in ((row.get("scorer"), team), (row.get("assist"), row["entry"])):
        problem = absence(state, entry, person) if person and entry else None
        if problem:
            tap.conflict(state, problem)
    order.place(state["scorers"], row)
    _credit(state, row, 1)


def _credit(state: State, row: dict[str, Any], by: int) -> None:
    entry, kind = row["entry"], row["kind"]
    half = half_of(state, row["period"])
    for goals in (state["goals"], half["goals"] if half else {}):
        goals[entry] = goals.get(entry, 0) + by
    own = kind == GoalKind.OWN_GOAL
    team = team_of_scorer(state, entry, kind)
    if team is not None:
        tallies.add(state, team, row.get("scorer"), "ownGoals" if own else "goals", by)
    if kind == GoalKind.PENALTY:
        tallies.add(state, entry, row.get("scorer"), "penaltiesScored", by)
    if not own:
        tallies.add(state, entry, row.get("assist"), "assists", by)


def _words(reason: str) -> str:
    return reason.replace("_", " ")
