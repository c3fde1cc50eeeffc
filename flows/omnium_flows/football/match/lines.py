"""The numbers that leave the match: of each side by period and in all, and of each person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnium_contract.flows.types import Line
from omnium_flows.football.constants import SEGMENTS, STAT_FACTS, GoalKind
from omnium_flows.football.match.board import on_field, opponent
from omnium_flows.football.match.periods import View, latest_half, span
from omnium_flows.football.match.result import official_score
from omnium_flows.football.match.settings import FairPlay, FootballFormat

#: Facts of a person, and under which name the state keeps each.
_KEPT: Mapping[str, str] = {
    "goals": "goals",
    "own_goals": "ownGoals",
    "assists": "assists",
    "penalties_scored": "penaltiesScored",
    "penalties_missed": "penaltiesMissed",
    "shootout_scored": "shootoutScored",
    "shootout_missed": "shootoutMissed",
    "starts": "starts",
    "sub_on": "subOn",
    "sub_off": "subOff",
    **{fact: fact for facts in STAT_FACTS.values() for fact in facts},
}
_CARDS: Mapping[str, str] = {
    "yellow_cards": "yellowCards",
    "second_yellows": "secondYellows",
    "straight_reds": "straightReds",
}
_COUNTED = tuple(dict.fromkeys(fact for facts in STAT_FACTS.values() for fact in facts))


def all_lines(state: View, format: FootballFormat) -> Iterator[Line]:
    """Every line of the match as it stands. A match that was abandoned or not begun has no numbers."""
    if state.get("abandoned") or not (state.get("started") or state.get("done")):
        return
    if official_score(state) == state.get("goals"):
        yield from _period_lines(state)
    people = [_of_person(state, own, format) for own in (state.get("byPlayer") or {}).values()]
    for entry in state["sides"]:
        own = [line.values for line in people if line.entry == entry]
        yield Line(entry=entry, values=_of_side(state, entry, own))
    yield from (line for line in people if line.values)


def card_points(own: Mapping[str, Any], format: FairPlay) -> int:
    """Fair-play points of one person: one line a match, the gravest that fits."""
    if own.get("role") == "official" and not format.officials:
        return 0
    yellow = own.get("yellowCards", 0)
    if own.get("straightReds"):
        return format.yellow_red if yellow else format.red
    return format.second_yellow if own.get("secondYellows") else yellow * format.yellow


def _period_lines(state: View) -> Iterator[Line]:
    for half in state.get("halves") or ():
        for entry in state["sides"]:
            goals = half["goals"].get(entry, 0)
            yield Line(entry=entry, segment=SEGMENTS[half["period"]], values={"goals": goals})


def _of_side(state: View, entry: str, people: list[Mapping[str, int]]) -> dict[str, int]:
    scored, other = official_score(state), opponent(state, entry)
    counts = (state.get("counts") or {}).get(entry) or {}
    standing = [goal for goal in state.get("scorers") or () if "cancelled" not in goal]
    own_goals = [g["entry"] for g in standing if g["kind"] == GoalKind.OWN_GOAL]
    conceded = scored.get(other or "", 0)
    return {
        "goals": scored.get(entry, 0),
        "goals_for": scored.get(entry, 0),
        "goals_against": conceded,
        "goals_scored": (state.get("goals") or {}).get(entry, 0) - own_goals.count(entry),
        "own_goals": own_goals.count(other),
        "penalties_scored": sum(g["entry"] == entry and g["kind"] == GoalKind.PENALTY for g in standing),
        "penalties_missed": counts.get("penaltiesMissed", 0),
        "clean_sheets": int(_is_played_out(state) and not conceded),
        **_of_shootout(state, entry),
        **{fact: counts.get(fact, 0) for fact in _COUNTED},
        **_sums(people, ("assists", *_CARDS, "red_cards", "fair_play"), hidden=not _cards_count(state)),
    }


def _of_shootout(state: View, entry: str) -> dict[str, int]:
    shootout = state.get("shootout") or {"score": {}, "taken": {}}
    scored = shootout["score"].get(entry, 0)
    return {"shootout_scored": scored, "shootout_missed": shootout["taken"].get(entry, 0) - scored}


def _sums(people: list[Mapping[str, int]], facts: tuple[str, ...], *, hidden: bool) -> dict[str, int]:
    shown = facts[:1] if hidden else facts
    return {fact: sum(own.get(fact, 0) for own in people) for fact in shown}


def _of_person(state: View, own: Mapping[str, Any], format: FootballFormat) -> Line:
    entry, person = own["entry"], own["person"]
    values = {fact: own.get(kept, 0) for fact, kept in _KEPT.items()}
    if _cards_count(state):
        values |= {fact: own.get(kept, 0) for fact, kept in _CARDS.items()}
        values["red_cards"] = values["second_yellows"] + values["straight_reds"]
        values["fair_play"] = card_points(own, format.fair_play)
    values["minutes"] = _minutes(state, own, format)
    values["clean_sheets"] = int(_kept_clean(state, entry, person))
    return Line(entry=entry, person=person, values={fact: value for fact, value in values.items() if value})


def _is_played_out(state: View) -> bool:
    """Whether the match ended on the field: an awarded one keeps nobody's sheet clean."""
    return bool(state.get("done")) and (state.get("result") or {}).get("how") != "award"


def _cards_count(state: View) -> bool:
    return bool((state.get("result") or {}).get("keepCards", True))


def _minutes(state: View, own: Mapping[str, Any], format: FootballFormat) -> int:
    half = latest_half(state)
    if own.get("minutesUnknown") or half is None:
        return 0
    until = half["end"] if half["closed"] else span(half["period"], format)[0]
    return int(own.get("minutes", 0)) + (max(0, until - own["since"]) if "since" in own else 0)


def _kept_clean(state: View, entry: str, person: str) -> bool:
    """Whether the person kept goal from kick-off to the end of a match without a goal against."""
    keeper = ((state.get("lineups") or {}).get(entry) or {}).get("keeper")
    own = (state.get("byPlayer") or {}).get(person) or {}
    stayed = own.get("starts") and not own.get("subOff") and person in on_field(state, entry)
    against = official_score(state).get(opponent(state, entry) or "", 0)
    return bool(_is_played_out(state) and keeper == person and stayed and not against)
