"""Each person's stay on the field: when it began, when it ended, and what a sending-off takes away."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.constants import Role
from omnium_flows.football.match import tallies
from omnium_flows.football.match.board import (
    gave_lineup,
    has_left,
    is_sent_off,
    on_bench,
    on_field,
    players_left,
)
from omnium_flows.football.match.tap import State, Tap, elapsed


def begin_all(state: State) -> None:
    """Kick-off: whoever is on the field has started."""
    for entry, players in state["onField"].items():
        for person in players:
            tallies.of_person(state, entry, person).update(starts=1, since=0)


def begin(state: State, tap: Tap, entry: str, person: str) -> None:
    """The person comes on; before kick-off that is only a change of the line-up."""
    state["onField"][entry].append(person)
    if not state["started"]:
        return
    now, numbers = elapsed(state, tap), tallies.of_person(state, entry, person)
    numbers.update({"minutesUnknown": True} if now is None else {"since": now})


def end(state: State, tap: Tap, entry: str, person: str) -> dict[str, int]:
    """The person leaves the field; what the stay was, so that it can be given back."""
    _take(state["onField"].get(entry), person)
    numbers = tallies.of_person(state, entry, person)
    since, now = numbers.pop("since", None), elapsed(state, tap)
    if since is None:
        return {}
    before = numbers.get("minutes", 0)
    if now is None:
        numbers["minutesUnknown"] = True
    else:
        numbers["minutes"] = before + max(0, now - since)
    return {"minutes": before, "since": since}


def send_off(state: State, tap: Tap, card: dict[str, Any]) -> None:
    """The person of a card leaves the field or the bench for good."""
    entry, person = card["entry"], card["person"]
    if is_sent_off(state, entry, person):
        return
    row: dict[str, Any] = {"person": person, "seq": card["seq"], "from": _whence(state, card)}
    if row["from"] == "field":
        row.update(end(state, tap, entry, person))
        state["playersLeft"][entry] = players_left(state, entry, tap.format) - 1
    _take(state["bench"].get(entry), person)
    state["sentOff"].setdefault(entry, []).append(row)


def put_back(state: State, entry: str, person: str) -> None:
    """A sending-off does not stand: the person is where he was, as if he had not left."""
    rows = state["sentOff"].get(entry) or []
    row = next((row for row in rows if row["person"] == person), None)
    if row is None:
        return
    rows.remove(row)
    if row["from"] == "bench":
        state["bench"].setdefault(entry, []).append(person)
    if row["from"] != "field":
        return
    state["playersLeft"][entry] = state["playersLeft"].get(entry, 0) + 1
    if gave_lineup(state, entry):
        state["onField"][entry].append(person)
    if "since" in row:
        tallies.of_person(state, entry, person).update(minutes=row["minutes"], since=row["since"])


def _whence(state: State, card: dict[str, Any]) -> str:
    entry, person = card["entry"], card["person"]
    if gave_lineup(state, entry):
        named = {"field": on_field(state, entry), "bench": on_bench(state, entry)}
        return next((place for place, people in named.items() if person in people), "away")
    return "field" if card["role"] == Role.PLAYER and not has_left(state, entry, person) else "away"


def _take(people: list[str] | None, person: str) -> None:
    if people and person in people:
        people.remove(person)
