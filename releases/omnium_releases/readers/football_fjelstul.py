"""The World Cup database, joined per match: goals, cards, substitutions, kicks, a header of the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnium_releases.readers.football_log import CAUTION_MISSING, MORE_SUBSTITUTIONS, FootballLog, Happening
from omnium_releases.readers.football_stated import Tally, winner_of
from omnium_releases.readers.recorded import RecordedMatch, RecordedSide, Recording, SideRef, UnreadableFile
from omnium_releases.readers.shootouts import Kick, interleaved

FORMAT = "fjelstul"
_GOALS = {"goal": "open_play", "penalty_goal": "penalty", "own_goal": "own_goal"}
_CARDS = {"yellow_card": "yellow", "second_yellow": "second_yellow", "red_card": "red"}
#: Women's World Cup of 1991: two halves of 40 minutes.
_SHORT_HALVES = {"WC-1991": 40}
#: Cups whose extra time ended with its first goal, by the rules of their time.
_GOLDEN_GOAL = {"WC-1998", "WC-1999", "WC-2002", "WC-2003"}


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is one of this format."""
    return isinstance(document, dict) and "match" in document and "home_team_code" in document["match"]


def read(document: Mapping[str, Any]) -> Recording:
    """The one match of the file. Raises `UnreadableFile` where a field is missing."""
    try:
        return Recording(format_name=FORMAT, matches=(_match(document),))
    except (KeyError, ValueError, TypeError) as error:
        raise UnreadableFile(f"not a joined match of this format: {error!r}") from error


def _match(document: Mapping[str, Any]) -> RecordedMatch:
    head = document["match"]
    home, away = head["home_team_code"], head["away_team_code"]
    golden = head["extra_time"] == "1" and head["tournament_id"] in _GOLDEN_GOAL
    log = FootballLog(home, away)
    happenings = list(_happenings(document["events"]))
    sudden = golden and any(h.code == "goal" and h.period > 2 for h in happenings)
    log.play(happenings, periods=_periods(head, happenings, sudden=sudden), sudden_end=sudden)
    contradictions = _kicks(document, log) if head["penalty_shootout"] == "1" else ()
    log.finish()
    return RecordedMatch(
        name=f"{head['tournament_name']}: {head['match_name']} ({head['match_id']})",
        sport="football",
        sides=(
            RecordedSide(code=home, name=head["home_team_name"]),
            RecordedSide(code=away, name=head["away_team_name"]),
        ),
        format=_format(head, golden=golden),
        commands=tuple(log.commands),
        stated=_stated(head, document["events"]),
        contradictions=contradictions,
        left_out=_left_out(document["events"]),
    )


def _format(head: Mapping[str, str], *, golden: bool) -> dict[str, Any]:
    extra = head["extra_time"] == "1"
    return {
        "halfMinutes": _SHORT_HALVES.get(head["tournament_id"], 45),
        "extraTime": "2x15" if extra else "none",
        "goldenGoal": golden,
        "replayIfLevel": extra and head["replayed"] == "1",
    }


def _periods(head: Mapping[str, str], happenings: list[Happening], *, sudden: bool) -> int:
    if sudden:
        return max(h.period for h in happenings)
    return 4 if head["extra_time"] == "1" else 2


def _happenings(events: list[Mapping[str, Any]]) -> Iterator[Happening]:
    waiting: dict[tuple[Any, ...], list[str]] = {}
    for event in sorted(events, key=lambda e: (e["period"], e["minute"], e["stoppage"])):
        kind, place = event["type"], (event.get("team"), event["period"], event["minute"], event["stoppage"])
        if kind in _GOALS:
            yield _happening(event, "goal", _goal(event))
        elif kind in _CARDS:
            card = {"entry": SideRef(event["team"]), "person": event["player"], "colour": _CARDS[kind]}
            confirm = CAUTION_MISSING if kind == "second_yellow" else ()
            yield _happening(event, "card", {**card, "role": "player"}, confirm=confirm)
        elif kind == "sub_off":
            waiting.setdefault(place, []).append(event["player"])
        elif kind == "sub_on":
            off = waiting.get(place)
            yield from _substitution(event, off.pop(0) if off else None)


def _substitution(event: Mapping[str, Any], off: str | None) -> Iterator[Happening]:
    if off is not None:
        change = {"entry": SideRef(event["team"]), "off": off, "on": event["player"], "kind": "normal"}
        yield _happening(event, "substitution", change, confirm=MORE_SUBSTITUTIONS)


def _goal(event: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "entry": SideRef(event["credited_team"]),
        "kind": _GOALS[event["type"]],
        "scorer": event["player"],
    }


def _happening(
    event: Mapping[str, Any], code: str, given: Mapping[str, Any], *, confirm: tuple[str, ...] = ()
) -> Happening:
    minute = {"minute": event["minute"]}
    if event["stoppage"]:
        minute["stoppage"] = event["stoppage"]
    if code == "substitution":
        minute = {}
    return Happening(
        period=event["period"],
        minute=event["minute"],
        stoppage=event["stoppage"],
        code=code,
        input={**given, **minute},
        confirm=confirm,
    )


def _kicks(document: Mapping[str, Any], log: FootballLog) -> tuple[str, ...]:
    kicks = [Kick(k["team"], k["player"], bool(k["converted"])) for k in document["shootout"]]
    order = interleaved(kicks, (log.home, log.away))
    if order is None:
        return ("its shoot-out fits no order of kicks in which the last one decides it",)
    taken = [(k.team, k.player, "scored" if k.scored else "missed") for k in order]
    log.shootout(taken, first=order[0].team)
    return ()


def _stated(head: Mapping[str, str], events: list[Mapping[str, Any]]) -> dict[str, Any]:
    home, away = head["home_team_code"], head["away_team_code"]
    tally = Tally()
    for event in events:
        if event["type"] in _GOALS:
            tally.goal(event["player"], own=event["type"] == "own_goal")
        elif event["type"] in _CARDS:
            tally.card(event["player"], _CARDS[event["type"]])
    score = {home: int(head["home_team_score"]), away: int(head["away_team_score"])}
    kicks = {home: int(head["home_team_score_penalties"]), away: int(head["away_team_score_penalties"])}
    stated: dict[str, Any] = {"score": score, **tally.stated()}
    if head["penalty_shootout"] == "1":
        stated["shootout"] = kicks
    winners: dict[str, str | None] = {"home team win": home, "away team win": away, "draw": None}
    stated["winner"] = winner_of(winners[head["result"]])
    return stated


def _left_out(events: list[Mapping[str, Any]]) -> tuple[str, ...]:
    off = sum(e["type"] == "sub_off" for e in events)
    on = sum(e["type"] == "sub_on" for e in events)
    return (f"{abs(off - on)} halves of substitutions without the other half",) if off != on else ()
