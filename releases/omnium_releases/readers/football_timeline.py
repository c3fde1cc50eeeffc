"""Timelines of a live feed (the shape that Sportradar's has): one match, every incident with its clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from omnium_releases.readers.football_log import CAUTION_MISSING, MORE_SUBSTITUTIONS, FootballLog, Happening
from omnium_releases.readers.football_stated import Tally, winner_of
from omnium_releases.readers.recorded import RecordedMatch, RecordedSide, Recording, SideRef, UnreadableFile

FORMAT = "timeline"
SIDES = ("home", "away")
_METHODS = {"penalty": "penalty", "header": "header", "own_goal": "own_goal", "free_kick": "free_kick"}
_CARDS = {"yellow_card": "yellow", "yellow_red_card": "second_yellow", "red_card": "red"}
#: Incidents that football has a stat for: kind, and whether the feed names who did it.
_STATS = {
    "shot_off_target": "shot",
    "shot_on_target": "on_target",
    "corner_kick": "corner",
    "offside": "offside",
}
_FRAME = {"match_started", "period_start", "break_start", "match_ended"}
#: Incidents that say nothing which a command could say.
_SILENT = _FRAME | {
    "free_kick",
    "goal_kick",
    "injury",
    "injury_return",
    "penalty_awarded",
    "shot_saved",
    "throw_in",
    "video_assistant_referee",
    "video_assistant_referee_over",
}
#: The printed minute does not pass the end of its period; what is above it is stoppage.
_LAST_MINUTE = {1: 45, 2: 90, 3: 105, 4: 120}


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is one of this format."""
    events = document.get("events") if isinstance(document, dict) else None
    return bool(events) and isinstance(events, list) and events[0].get("type") == "match_started"


def read(document: Mapping[str, Any]) -> Recording:
    """The one match of the file. Raises `UnreadableFile` where a field is missing."""
    try:
        return Recording(format_name=FORMAT, matches=(_match(document["events"]),))
    except (KeyError, ValueError, TypeError, StopIteration) as error:
        raise UnreadableFile(f"not a timeline of this format: {error!r}") from error


def _match(events: list[Mapping[str, Any]]) -> RecordedMatch:
    ended = next(e for e in events if e["type"] == "match_ended")
    log = FootballLog(*SIDES)
    log.play(_happenings(events), periods=max(e.get("period", 1) for e in events))
    log.finish()
    said = (ended["home_score"], ended["away_score"])
    counted = tuple(sum(e["type"] == "score_change" and e["team"] == side for e in events) for side in SIDES)
    contradictions: tuple[str, ...] = ()
    if said != counted:
        contradictions = (
            f"it ends with {said[0]}-{said[1]}, but its score changes add up to {counted[0]}-{counted[1]}",
        )
    return RecordedMatch(
        name=f"timeline of {_date(events[0])}",
        sport="football",
        sides=(RecordedSide(code="home", name="Home"), RecordedSide(code="away", name="Away")),
        format={"extraTime": "none"},
        commands=tuple(log.commands),
        stated=_stated(events, score=None if contradictions else said),
        contradictions=contradictions,
        left_out=_left_out(events),
    )


def _happenings(events: list[Mapping[str, Any]]) -> Iterator[Happening]:
    for event in sorted((e for e in events if e["type"] not in _SILENT), key=_order):
        made = _command(event)
        if made is not None:
            code, given, confirm = made
            minute, stoppage = _printed(event)
            if code in ("goal", "card"):
                given = {**given, "minute": minute, **({"stoppage": stoppage} if stoppage else {})}
            yield Happening(
                period=event["period"],
                minute=minute,
                stoppage=stoppage,
                code=code,
                input=given,
                confirm=confirm,
            )


def _command(event: Mapping[str, Any]) -> tuple[str, dict[str, Any], tuple[str, ...]] | None:
    kind = event["type"]
    if kind == "injury_time_shown":
        return "injury_time", {"announced": event["injury_time_announced"]}, ()
    side = {"entry": SideRef(event["team"])}
    if kind == "score_change":
        return "goal", {**side, **_goal(event)}, ()
    if kind in _CARDS:
        person = event["player"]["name"]
        confirm = CAUTION_MISSING if kind == "yellow_red_card" else ()
        return "card", {**side, "person": person, "role": "player", "colour": _CARDS[kind]}, confirm
    if kind == "substitution":
        off, on = event["player_out"]["name"], event["player_in"]["name"]
        return "substitution", {**side, "off": off, "on": on, "kind": "normal"}, MORE_SUBSTITUTIONS
    if kind in _STATS:
        player = {"player": event["player"]["name"]} if "player" in event else {}
        return "stat", {**side, **player, "kind": _STATS[kind]}, ()
    return None


def _goal(event: Mapping[str, Any]) -> dict[str, Any]:
    scorer = event.get("goal_scorer", {})
    kind = _METHODS.get(scorer.get("method", ""), "open_play")
    goal = {"kind": kind}
    if "name" in scorer:
        goal["scorer"] = scorer["name"]
    if "assist" in event and kind not in ("own_goal", "penalty"):
        goal["assist"] = event["assist"]["name"]
    return goal


def _order(event: Mapping[str, Any]) -> tuple[int, int, int]:
    clock = event.get("match_clock") or f"{event['match_time'] - 1}:59"
    minutes, _, seconds = clock.partition(":")
    added = int(str(event.get("stoppage_time") or 0).partition(":")[0])
    return event["period"], int(minutes) * 60 + int(seconds or 0), added


def _printed(event: Mapping[str, Any]) -> tuple[int, int]:
    last = _LAST_MINUTE[event["period"]]
    minute = int(event["match_time"])
    stoppage = int(str(event.get("stoppage_time") or 0).partition(":")[0])
    return min(minute, last), stoppage or max(0, minute - last)


def _stated(events: list[Mapping[str, Any]], *, score: tuple[int, int] | None) -> dict[str, Any]:
    tally = Tally()
    for event in events:
        if event["type"] == "score_change" and "name" in event.get("goal_scorer", {}):
            tally.goal(event["goal_scorer"]["name"], own=event["goal_scorer"].get("method") == "own_goal")
        elif event["type"] in _CARDS:
            tally.card(event["player"]["name"], _CARDS[event["type"]])
    if score is None:
        return tally.stated()
    home, away = score
    won = None if home == away else SIDES[home < away]
    return {"score": dict(zip(SIDES, score, strict=True)), "winner": winner_of(won), **tally.stated()}


def _left_out(events: list[Mapping[str, Any]]) -> tuple[str, ...]:
    kinds = {e["type"] for e in events}
    unknown = sorted(
        kinds
        - _SILENT
        - _STATS.keys()
        - _CARDS.keys()
        - {"score_change", "substitution", "injury_time_shown"}
    )
    silent = sorted(kinds & (_SILENT - _FRAME))
    return tuple(f"{name}: no command says it" for name in [*silent, *unknown])


def _date(event: Mapping[str, Any]) -> str:
    return datetime.fromisoformat(event["time"]).date().isoformat()
