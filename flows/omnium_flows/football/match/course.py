"""What the course of the match allows now: each function gives the sentence that is against it, or None."""

from __future__ import annotations

from omnium_flows.football.constants import EXTRA
from omnium_flows.football.match import board
from omnium_flows.football.match.periods import (
    View,
    extra_is_begun,
    golden_goal_fell,
    half_of,
    latest_half,
    leader,
    next_period,
    open_half,
    period_name,
    periods_of,
    score_text,
)
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.match.shootout import score_text as kicks_text


def no_open_period(state: View, told: str | None) -> str | None:
    """Something in play needs a period: the one it names, or the one that is open."""
    half = latest_half(state)
    if half is None or state.get("done") or state.get("abandoned"):
        return None
    if state.get("shootout"):
        return "The shoot-out has started: what belongs before it is a correction of the log."
    if told is not None:
        name = period_name(told)
        return None if half_of(state, told) else f"The {name} has not started. Add this to a period that has."
    if not half["closed"]:
        return None
    name = period_name(half["period"])
    return f"The {name} has ended. Start the next period, or add this to the {name}."


def suspended(state: View) -> str | None:
    """Play that stands still."""
    if state.get("abandoned"):
        return "The match was abandoned. Resume it first, or record an award."
    return "Play is suspended. Resume first." if state.get("status") == "interrupted" else None


def still_open(state: View) -> str | None:
    """A period in progress."""
    half = open_half(state)
    return None if half is None else f"The {period_name(half['period'])} is still open. End it first."


def wrong_period(state: View, period: str, format: FootballFormat) -> str | None:
    """A period out of turn. Extra time that is not part of the match has a sentence of its own."""
    if period in EXTRA and not format.extra_minutes:
        return None
    if state.get("shootout"):
        return "The shoot-out has started: no period comes after it."
    if period not in periods_of(format):
        return f"The {period_name(period)} is not part of this match."
    if half_of(state, period) and not still_open(state):
        return f"The {period_name(period)} was played already."
    following = next_period(state, format)
    if still_open(state) or following is None or following == period:
        return still_open(state)
    return f"The {period_name(following)} comes next."


def not_level(state: View, period: str, format: FootballFormat) -> str | None:
    """Extra time of a match that is decided."""
    if period == EXTRA[0] and leader(state, format) is not None:
        return f"The score is not level: {score_text(state, format)}."
    return golden_goal(state, format) if period in EXTRA else None


def golden_goal(state: View, format: FootballFormat) -> str | None:
    """A goal in extra time that ended it."""
    if not golden_goal_fell(state, format):
        return None
    return f"The golden goal decided the match {score_text(state, format)}. End the match."


def periods_to_come(state: View, format: FootballFormat) -> str | None:
    """A shoot-out before its time."""
    following = next_period(state, format)
    if still_open(state) or following is None:
        return still_open(state)
    if following in EXTRA:
        return f"Extra time comes first: start the {period_name(following)}."
    return f"The {period_name(following)} comes first."


def no_shootout(state: View, format: FootballFormat) -> str | None:
    """A shoot-out that the match does not have, or has already."""
    if format.replay_if_level or not format.shootout_kicks:
        return "A shoot-out is not part of this match."
    return "The shoot-out has already started." if state.get("shootout") else None


def unplayed(state: View, format: FootballFormat) -> str | None:
    """Periods that the end of the match leaves out."""
    if golden_goal_fell(state, format):
        return None
    following = next_period(state, format)
    if still_open(state) or following is None:
        return still_open(state)
    if following == EXTRA[0] and not extra_is_begun(state):
        return None
    return f"The {period_name(following)} was not played. Start it, or abandon the match."


def shootout_open(state: View, format: FootballFormat) -> str | None:
    """A shoot-out that has not decided; one that a cancelled goal made needless decides nothing."""
    shootout = state.get("shootout")
    if shootout is None or shootout["decided"] or leader(state, format) is not None:
        return None
    return f"The shoot-out is not decided: {kicks_text(state)}."


def undecided(state: View, format: FootballFormat) -> str | None:
    """A knock-out match that ends level although the format has a way to decide it."""
    knock_out = format.extra_minutes or format.has_first_leg
    if not knock_out or format.replay_if_level or state.get("shootout") or leader(state, format) is not None:
        return None
    level = f"The score is level: {score_text(state, format)}."
    if format.extra_minutes and not extra_is_begun(state):
        return f"{level} Play extra time, or confirm that the match ends level."
    return (
        f"{level} Start the shoot-out, or confirm that the match ends level."
        if format.shootout_kicks
        else None
    )


def too_few_players(state: View, sides: tuple[str, ...], format: FootballFormat) -> str | None:
    """The side, of those named, that has too few players."""
    return next((s for s in sides if board.players_left(state, s, format) < format.min_players), None)
