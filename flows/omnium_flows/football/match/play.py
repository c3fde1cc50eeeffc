"""The course of a match: kick-off, periods, stoppages, the end, and what an authority makes of it."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.constants import EXTRA
from omnium_flows.football.match import result, stays
from omnium_flows.football.match.board import opponent, subs_of
from omnium_flows.football.match.people import show_left
from omnium_flows.football.match.periods import (
    golden_goal_fell,
    latest_half,
    leader,
    next_period,
    open_half,
    period_name,
    score_text,
    span,
)
from omnium_flows.football.match.tap import State, Tap
from omnium_flows.shared import clocks


def match_start(state: State, tap: Tap) -> None:
    """Kick-off of the first period."""
    if state["started"]:
        tap.conflict(state, "The match has already begun.")
        return
    state.update(started=True, status="live", sides=[tap.input["home"], tap.input["away"]])
    state["goals"] = dict.fromkeys(state["sides"], 0)
    state["subs"] = {side: subs_of(state, side) for side in state["sides"]}
    show_left(state, tap)
    stays.begin_all(state)
    _open(state, tap, period="1H", kick_off=tap.input.get("kickOff"))


def half_start(state: State, tap: Tap) -> None:
    """A further period begins; one that is still open ends with it."""
    period = tap.input["period"]
    if not _is_on(state, tap):
        return
    if period != next_period(state, tap.format):
        tap.conflict(state, f"It is not the time of the {period_name(period)}.")
        return
    if open_half(state) is not None:
        tap.conflict(state, f"The {period_name(state['halves'][-1]['period'])} was still open.")
        _close(state, tap)
    if period == EXTRA[0] and leader(state, tap.format) is not None:
        tap.conflict(state, f"Extra time was not needed: the score was {score_text(state, tap.format)}.")
    _open(state, tap, period=period, kick_off=tap.input.get("kickOff") or _kick_off(state, period))
    show_left(state, tap)


def half_end(state: State, tap: Tap) -> None:
    """The period ends; `added` is how long was played beyond regular time."""
    half = open_half(state)
    if half is None:
        tap.conflict(state, "No period was open.")
        return
    if tap.input.get("added") is not None:
        half["added"] = tap.input["added"]
    _close(state, tap)


def injury_time(state: State, tap: Tap) -> None:
    """Added time is announced."""
    half = open_half(state)
    if half is None:
        tap.conflict(state, "No period was open.")
        return
    half["announced"] = tap.input["announced"]
    state["clock"]["added"] = tap.input["announced"]


def interrupt(state: State, tap: Tap) -> None:
    """Play is suspended."""
    if _is_on(state, tap):
        state.update(status="interrupted", interruption={"seq": tap.seq, "reason": tap.input["reason"]})
        clocks.stop(state["clock"], tap.at)


def resume(state: State, tap: Tap) -> None:
    """Play goes on, after a suspension or from where the match was abandoned: nothing else changes."""
    if state["done"] or state["status"] not in ("interrupted", "abandoned"):
        tap.conflict(state, "Play was not suspended.")
        return
    state.update(status="live", abandoned=False)
    state.pop("interruption", None)
    if open_half(state) is not None:
        clocks.resume(state["clock"], tap.at)


def abandon(state: State, tap: Tap) -> None:
    """The match is broken off: the score stands still, the result stays open."""
    if not _is_on(state, tap):
        return
    clocks.stop(state["clock"], tap.at)
    state.update(
        status="abandoned", abandoned=True, interruption={"seq": tap.seq, "reason": tap.input["reason"]}
    )


def award(state: State, tap: Tap) -> None:
    """An authority says how the match ends."""
    if len(state["sides"]) < 2:
        tap.conflict(state, "The sides are not known.")
        return
    status = "finished" if state["started"] else "walkover"
    if open_half(state) is not None:
        _close(state, tap)
    state.update(done=True, abandoned=False, status=status)
    result.award(state, tap)


def match_end(state: State, tap: Tap) -> None:
    """The match is over."""
    if not _is_on(state, tap):
        return
    if open_half(state) is not None:
        if not golden_goal_fell(state, tap.format):
            tap.conflict(state, f"The {period_name(state['halves'][-1]['period'])} was still open.")
        _close(state, tap)
    state.update(done=True, status="finished")
    result.settle(state, tap)


def _is_on(state: State, tap: Tap) -> bool:
    if not state["started"]:
        tap.conflict(state, "The match has not kicked off.")
    elif state["done"]:
        tap.conflict(state, "The match is over.")
    elif state["abandoned"]:
        tap.conflict(state, "The match was abandoned.")
    else:
        return True
    return False


def _open(state: State, tap: Tap, *, period: str, kick_off: str | None) -> None:
    start, end = span(period, tap.format)
    half: dict[str, Any] = {
        "number": len(state["halves"]) + 1,
        "period": period,
        "goals": dict.fromkeys(state["sides"], 0),
        "closed": False,
        "end": end,
        **({"kickOff": kick_off} if kick_off else {}),
    }
    state["halves"].append(half)
    state["status"] = "live"
    clock = clocks.running(tap.at, limit_ms=(end - start) * 60_000)
    state["clock"] = {**clock, "period": period, "start_minute": start}


def _close(state: State, tap: Tap) -> None:
    half = state["halves"][-1]
    half["closed"] = True
    if golden_goal_fell(state, tap.format):
        minutes = [g["minute"] for g in state["scorers"] if "minute" in g and g["period"] == half["period"]]
        half["end"] = min(max(minutes, default=half["end"]), half["end"])
    clocks.stop(state["clock"], tap.at)


def _kick_off(state: State, period: str) -> str | None:
    """Who kicks off where nobody says so: the other side than before; extra time has a new toss."""
    half = latest_half(state)
    if period == "ET1" or half is None or "kickOff" not in half:
        return None
    return opponent(state, half["kickOff"])
