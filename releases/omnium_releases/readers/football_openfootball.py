"""Tournaments of openfootball: scores of every match, and for many of them their goals with minutes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnium_releases.readers.football_log import FootballLog, Happening
from omnium_releases.readers.football_stated import Tally, winner_of
from omnium_releases.readers.recorded import RecordedMatch, RecordedSide, Recording, SideRef, UnreadableFile

FORMAT = "openfootball"


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is one of this format."""
    matches = document.get("matches") if isinstance(document, dict) else None
    return bool(matches) and isinstance(matches, list) and "team1" in matches[0]


def read(document: Mapping[str, Any]) -> Recording:
    """Every match of the tournament. Raises `UnreadableFile` where a field is missing."""
    try:
        return Recording(format_name=FORMAT, matches=tuple(_match(m) for m in document["matches"]))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise UnreadableFile(f"not a tournament of this format: {error!r}") from error


def _match(told: Mapping[str, Any]) -> RecordedMatch:
    sides = told["team1"], told["team2"]
    score = told["score"]
    final: list[int] = score.get("et") or score["ft"]
    goals = [*told.get("goals1", ()), *told.get("goals2", ())]
    name = f"{told['date']} {sides[0]} - {sides[1]}"
    made = tuple(RecordedSide(code=code, name=side) for code, side in zip("12", sides, strict=True))
    stated = _stated(told, final)
    if len(goals) < sum(final) or ("goals1" not in told and sum(final) == 0):
        left = (f"{sum(final) - len(goals)} goals of {sum(final)} without a minute",) if goals else ()
        return RecordedMatch(
            name=name, sport="football", sides=made, stated=stated, left_out=left, scores_only=True
        )
    contradictions = tuple(_contradictions(told, final))
    if contradictions:
        stated = {name: value for name, value in stated.items() if name not in ("score", "winner")}
    return RecordedMatch(
        name=name,
        sport="football",
        sides=made,
        format={"extraTime": "2x15" if "et" in score else "none", "replayIfLevel": True},
        commands=_commands(told),
        stated=stated,
        contradictions=contradictions,
        left_out=("the kicks of the shoot-out, of which it states the score alone",) if "p" in score else (),
    )


def _commands(told: Mapping[str, Any]) -> tuple[Any, ...]:
    log = FootballLog("1", "2")
    log.play(_goals(told), periods=4 if "et" in told["score"] else 2)
    if "p" not in told["score"]:
        log.finish()
    return tuple(log.commands)


def _goals(told: Mapping[str, Any]) -> list[Happening]:
    goals = [_goal(goal, code) for code in "12" for goal in told.get(f"goals{code}", ())]
    return sorted(goals, key=lambda g: (g.period, g.minute or 0, g.stoppage))


def _goal(goal: Mapping[str, Any], code: str) -> Happening:
    minute, stoppage = int(goal["minute"]), int(goal.get("offset", 0))
    kind = "own_goal" if goal.get("owngoal") else "penalty" if goal.get("penalty") else "open_play"
    printed = {"minute": minute, **({"stoppage": stoppage} if stoppage else {})}
    return Happening(
        period=_period(minute),
        minute=minute,
        stoppage=stoppage,
        code="goal",
        input={"entry": SideRef(code), "kind": kind, "scorer": goal["name"], **printed},
    )


def _period(minute: int) -> int:
    return next((n for n, last in enumerate((45, 90, 105), 1) if minute <= last), 4)


def _stated(told: Mapping[str, Any], final: list[int]) -> dict[str, Any]:
    tally = Tally()
    for goal in (*told.get("goals1", ()), *told.get("goals2", ())):
        tally.goal(goal["name"], own=bool(goal.get("owngoal")))
    kicks = told["score"].get("p")
    stated: dict[str, Any] = {"score": dict(zip("12", final, strict=True))}
    if kicks is None:
        stated["winner"] = winner_of(None if final[0] == final[1] else "12"[final[0] < final[1]])
    if "goals1" in told:
        players = tally.stated()
        stated |= {"scorers": players["scorers"], "own goals": players["own goals"]}
    return stated


def _contradictions(told: Mapping[str, Any], final: list[int]) -> Iterator[str]:
    counted = [len(told.get(f"goals{code}", ())) for code in "12"]
    if counted != final:
        yield f"it states {final[0]}-{final[1]}, but lists goals for {counted[0]}-{counted[1]}"
