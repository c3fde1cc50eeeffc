"""How a match ended: the score that counts, who won, and by what."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.match.board import opponent
from omnium_flows.football.match.periods import aggregate, extra_is_begun, leader
from omnium_flows.football.match.shootout import score_text
from omnium_flows.football.match.tap import State, Tap


def settle(state: State, tap: Tap) -> None:
    """The result of a match played to its end. Score and winner are two things: kicks are no goals."""
    sides = state["sides"]
    made: dict[str, Any] = {"score": {side: state["goals"].get(side, 0) for side in sides}}
    if tap.format.has_first_leg:
        made["aggregate"] = dict(zip(sides, aggregate(state, tap.format), strict=True))
    ahead, kicked = leader(state, tap.format), (state.get("shootout") or {}).get("winner")
    if ahead is not None:
        made.update(winner=sides[ahead], how=_how(state, tap))
    elif kicked is not None:
        made.update(winner=kicked, how="penalties", note=_note(state, kicked))
    else:
        made["how"] = _how(state, tap)
    _write(state, made)


def award(state: State, tap: Tap) -> None:
    """The result that an authority gives; a better score on the field stands."""
    home, away = state["sides"][:2]
    given, winner = _given(state, tap)
    field = {side: state["goals"].get(side, 0) for side in (home, away)}
    loser = opponent(state, winner) if winner is not None else None
    if (
        winner is not None
        and loser is not None
        and field[winner] - field[loser] >= given[winner] - given[loser]
    ):
        given = field
    made = {"score": given, "how": "award", "keepCards": tap.input.get("keepCards", True)}
    _write(state, made if winner is None else {**made, "winner": winner})


def official_score(state: Any) -> dict[str, int]:
    """The goals that count: those of the result where there is one."""
    made = state.get("result")
    scored: dict[str, int] = made["score"] if made else state.get("goals") or {}
    return scored


def _given(state: State, tap: Tap) -> tuple[dict[str, int], str | None]:
    home, away = state["sides"][:2]
    winner, told = tap.input.get("winner"), (tap.input.get("home"), tap.input.get("away"))
    if None in told:
        best, least = tap.format.award_score
        return {side: best if side == winner else least for side in (home, away)}, winner
    given = {home: told[0] or 0, away: told[1] or 0}
    if winner is None and given[home] != given[away]:
        winner = max(given, key=lambda side: given[side])
    return given, winner


def _write(state: State, made: dict[str, Any]) -> None:
    state["result"] = made
    state["drawn"] = "winner" not in made
    state.pop("winner", None)
    if "winner" in made:
        state["winner"] = made["winner"]


def _how(state: State, tap: Tap) -> str:
    if extra_is_begun(state):
        return "extra"
    if not tap.format.has_first_leg:
        return "regular"
    home, away = aggregate(state, tap.format)
    if home != away:
        return "aggregate"
    return "regular" if leader(state, tap.format) is None else "away_goals"


def _note(state: State, winner: str) -> str:
    first, second = score_text(state).split("-")
    return (
        f"{first}-{second} on penalties" if state["sides"][0] == winner else f"{second}-{first} on penalties"
    )
