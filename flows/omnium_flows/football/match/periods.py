"""The periods of a match: which there are, which is open, and whether the score is level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnium_flows.football.constants import EXTRA, PERIOD_NAMES, REGULAR
from omnium_flows.football.match.settings import FootballFormat

View = Mapping[str, Any]


def periods_of(format: FootballFormat) -> tuple[str, ...]:
    """The codes of all periods that the format may have, in the order of play."""
    regular = tuple(p.value for p in REGULAR[: format.halves])
    return regular + (tuple(p.value for p in EXTRA) if format.extra_minutes else ())


def span(period: str, format: FootballFormat) -> tuple[int, int]:
    """Minutes played when the period begins and when its regular time ends: 45 and 90 for a second half."""
    regular = format.halves * format.half_minutes
    if period in EXTRA:
        start = regular + [p.value for p in EXTRA].index(period) * format.extra_minutes
        return start, start + format.extra_minutes
    start = [p.value for p in REGULAR].index(period) * format.half_minutes
    return start, start + format.half_minutes


def period_name(period: str) -> str:
    """The period inside a sentence: `second half`."""
    return PERIOD_NAMES.get(period, period)


def latest_half(state: View) -> dict[str, Any] | None:
    """The period that was started last, open or not."""
    halves: list[dict[str, Any]] = state.get("halves") or []
    return halves[-1] if halves else None


def open_half(state: View) -> dict[str, Any] | None:
    """The period in progress, or None."""
    half = latest_half(state)
    return None if half is None or half["closed"] else half


def half_of(state: View, period: str) -> dict[str, Any] | None:
    """The started period with this code, or None."""
    return next((half for half in state.get("halves") or () if half["period"] == period), None)


def next_period(state: View, format: FootballFormat) -> str | None:
    """The period that comes after those that were started, or None."""
    started = {half["period"] for half in state.get("halves") or ()}
    return next((period for period in periods_of(format) if period not in started), None)


def regular_is_played(state: View, format: FootballFormat) -> bool:
    """Whether all of regular time was started and no period is open."""
    return len(state.get("halves") or ()) >= format.halves and open_half(state) is None


def extra_is_begun(state: View) -> bool:
    """Whether extra time was started."""
    half = latest_half(state)
    return half is not None and half["period"] in EXTRA


def score(state: View) -> tuple[int, int]:
    """Goals on the field of the first and the second side."""
    goals, sides = state.get("goals") or {}, state.get("sides") or ()
    first, second = (goals.get(side, 0) for side in (*sides, "", "")[:2])
    return first, second


def aggregate(state: View, format: FootballFormat) -> tuple[int, int]:
    """Goals of both legs; of this match where there is one leg."""
    home, away = score(state)
    return home + (format.first_leg_home or 0), away + (format.first_leg_away or 0)


def leader(state: View, format: FootballFormat) -> int | None:
    """0 or 1 for the side that is ahead in the tie, away goals included where they count; None if level."""
    home, away = aggregate(state, format)
    if home == away and format.has_first_leg and format.away_goals:
        home, away = format.first_leg_home or 0, score(state)[1]
    return None if home == away else int(away > home)


def golden_goal_fell(state: View, format: FootballFormat) -> bool:
    """Whether a goal in extra time has decided the match."""
    return format.golden_goal and extra_is_begun(state) and leader(state, format) is not None


def score_text(state: View, format: FootballFormat) -> str:
    """`1-0`, or `2-1 on aggregate` in a second leg."""
    first, second = aggregate(state, format)
    return f"{first}-{second}" + (" on aggregate" if format.has_first_leg else "")
