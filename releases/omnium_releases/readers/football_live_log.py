"""The live log of the World Cup 2022: 64 matches with goals, cards and substitutions a team."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from omnium_releases.readers.football_log import MORE_SUBSTITUTIONS, FootballLog, Happening
from omnium_releases.readers.football_stated import Tally
from omnium_releases.readers.recorded import RecordedMatch, RecordedSide, Recording, SideRef, UnreadableFile

FORMAT = "live-log"
_GOALS = {"Goal": "open_play", "Goal (P)": "penalty"}
_LISTS = ("Home", "Away")


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is one of this format."""
    return isinstance(document, list) and bool(document) and "HomeTeamEvents" in document[0]


def read(document: list[Mapping[str, Any]]) -> Recording:
    """Every match of the file. Raises `UnreadableFile` where a field is missing."""
    try:
        return Recording(format_name=FORMAT, matches=tuple(_match(m) for m in document))
    except (KeyError, ValueError, TypeError) as error:
        raise UnreadableFile(f"not a live log of this format: {error!r}") from error


def _match(told: Mapping[str, Any]) -> RecordedMatch:
    home, away = told["HomeTeamCode"], told["AwayTeamCode"]
    kicks = any(e["Type"] == "Goal (S)" for side in _LISTS for e in told[f"{side}TeamEvents"])
    happenings = sorted(_happenings(told), key=lambda h: (h.period, h.minute or 0, h.stoppage))
    extra = kicks or any(h.period > 2 for h in happenings)
    log = FootballLog(home, away)
    log.play(happenings, periods=4 if extra else 2)
    if not kicks:
        log.finish()
    score = {home: told["HomeTeamScore"], away: told["AwayTeamScore"]}
    contradictions = tuple(_contradictions(told, score))
    return RecordedMatch(
        name=f"match {told['ID']} {home} - {away}",
        sport="football",
        sides=(RecordedSide(code=home, name=home), RecordedSide(code=away, name=away)),
        format={"extraTime": "2x15" if extra else "none"},
        commands=tuple(log.commands),
        stated={**({} if contradictions else {"score": score}), **_tallies(told)},
        contradictions=contradictions,
        left_out=tuple(_left_out(told, kicks=kicks)),
    )


def _happenings(told: Mapping[str, Any]) -> Iterator[Happening]:
    for side in _LISTS:
        entry = SideRef(told[f"{side}TeamCode"])
        events = [e for e in told[f"{side}TeamEvents"] if not e["Canceled"]]
        for event in (e for e in events if e["Type"] in _GOALS):
            scorer = {} if _own_or_unknown(told, side, event) else {"scorer": event["Player"]}
            yield _happening(event, "goal", {"entry": entry, "kind": _GOALS[event["Type"]], **scorer})
        for event, colour in _cards(events):
            card = {"person": event["Player"], "role": "player", "colour": colour}
            yield _happening(event, "card", {"entry": entry, **card})
        yield from _substitutions(entry, events)


def _cards(events: list[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each card that counts, with its colour.

    A yellow and a red of one player in one minute are one second yellow. A second yellow without a red is
    left out: some of those players went on playing, so it may be one card told twice.
    """
    cautioned: set[str] = set()
    sent_off = {(e["Player"], e["Minute"]) for e in events if e["Type"] == "Red Card"}
    second = set()
    for event in events:
        player = event["Player"]
        if event["Type"] == "Yellow Card" and player not in cautioned:
            cautioned.add(player)
            yield event, "yellow"
        elif event["Type"] == "Yellow Card" and (player, event["Minute"]) in sent_off:
            second.add(player)
            yield event, "second_yellow"
        elif event["Type"] == "Red Card" and player not in second:
            yield event, "red"


def _substitutions(entry: SideRef, events: list[Mapping[str, Any]]) -> Iterator[Happening]:
    on: dict[str, list[Mapping[str, Any]]] = {}
    for event in events:
        if event["Type"] == "Substitution In":
            on.setdefault(event["Minute"], []).append(event)
    for event in events:
        waiting = on.get(event["Minute"])
        if event["Type"] == "Substitution Out" and waiting:
            change = {"off": event["Player"], "on": waiting.pop(0)["Player"], "kind": "normal"}
            made = _happening(event, "substitution", {"entry": entry, **change}, confirm=MORE_SUBSTITUTIONS)
            yield made


def _happening(
    event: Mapping[str, Any], code: str, given: Mapping[str, Any], *, confirm: tuple[str, ...] = ()
) -> Happening:
    minute, stoppage = _printed(event["Minute"])
    printed = {"minute": minute, **({"stoppage": stoppage} if stoppage else {})}
    return Happening(
        period=next((n for n, last in enumerate((45, 90, 105), 1) if minute <= last), 4),
        minute=minute,
        stoppage=stoppage,
        code=code,
        input={**given, **({} if code == "substitution" else printed)},
        confirm=confirm,
    )


def _printed(text: str) -> tuple[int, int]:
    minute, _, stoppage = text.replace("'", "").partition("+")
    return int(minute), int(stoppage or 0)


def _own_or_unknown(told: Mapping[str, Any], side: str, event: Mapping[str, Any]) -> bool:
    """Whether nothing shows that the named player plays for the side that the goal counts for."""
    squad = {p["Name"] for p in told[f"{side}TeamLineup"]}
    squad |= {e["Player"] for e in told[f"{side}TeamEvents"] if e["Type"] == "Substitution In"}
    return event["Player"] not in squad


def _tallies(told: Mapping[str, Any]) -> dict[str, Any]:
    tally = Tally()
    for side in _LISTS:
        events = [e for e in told[f"{side}TeamEvents"] if not e["Canceled"]]
        for event in (e for e in events if e["Type"] in _GOALS):
            if not _own_or_unknown(told, side, event):
                tally.goal(event["Player"])
        for event, colour in _cards(events):
            tally.card(event["Player"], colour)
    stated = tally.stated()
    return {"scorers": stated["scorers"], "cards": stated["cards"]}


def _contradictions(told: Mapping[str, Any], score: Mapping[str, int]) -> Iterator[str]:
    for side in _LISTS:
        team = told[f"{side}TeamCode"]
        counted = sum(e["Type"] in _GOALS and not e["Canceled"] for e in told[f"{side}TeamEvents"])
        if counted != score[team]:
            yield f"it states {score[team]} goals for {team}, but lists {counted} that are not cancelled"


def _left_out(told: Mapping[str, Any], *, kicks: bool) -> Iterator[str]:
    if kicks:
        yield "the shoot-out, of which it lists the scored kicks alone"
    for side in _LISTS:
        events = [e for e in told[f"{side}TeamEvents"] if not e["Canceled"]]
        off = sum(e["Type"] == "Substitution Out" for e in events)
        on = sum(e["Type"] == "Substitution In" for e in events)
        if off != on:
            yield f"{abs(off - on)} halves of substitutions of {told[f'{side}TeamCode']}"
        goals = [e for e in events if e["Type"] in _GOALS and _own_or_unknown(told, side, e)]
        counted = [id(event) for event, _ in _cards(events)]
        extra = [e for e in events if e["Type"] == "Yellow Card" and id(e) not in counted]
        yield from (f"a second yellow card of {e['Player']}, who is not sent off" for e in extra)
        yield from (f"the scorer {e['Player']}, who is in no line-up of that side" for e in goals)
