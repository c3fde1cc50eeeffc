"""The small demo event of a home: one football match, played to its end through the facade."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from omnium.client import Client
from omnium_deploy.endpoints import Endpoints
from omnium_store.errors import NotFound, OmniumError

EVENT: Final = "demo"
COMPETITION: Final = {"code": "demo-cup", "name": "Demo Cup", "sport": "football"}
MATCH: Final = {
    "competition": "demo-cup",
    "code": "demo-1",
    "name": "Final",
    "sport": "football",
    "fixtureType": "match",
    "archetype": "duel",
    "scoringMode": "events",
    "scheduledStart": "2026-01-10T15:00:00+00:00",
    "sides": [{"code": "HAR", "name": "Harbour Town"}, {"code": "MIL", "name": "Mill United"}],
}


class NotMade(Exception):
    """A command of the demo was refused."""


def furnish(endpoints: Endpoints) -> str:
    """Make the demo, or what is missing of it. A line about it; a release without football has none.

    Every command has a key of its own that stays the same, so that making it twice changes nothing.
    """
    try:
        with Client(endpoints.router, endpoints.tokens["operator"]) as client:
            fixture = _make(client)
    except (OmniumError, NotMade) as why:
        return f"there is no demo event: {why}"
    return f"the event {EVENT} has one football match, {fixture}"


def leave_alone(endpoints: Endpoints) -> str:
    """Make nothing: matches are real here."""
    del endpoints
    return "there is no demo event: this environment is not local"


def _make(client: Client) -> str:
    try:
        client.get(f"/events/{EVENT}")
    except NotFound:
        client.post("/events", {"code": EVENT, "name": "Demo Games", "timezone": "UTC"})
    _send(client, ("games", "event", EVENT), "add_competition", COMPETITION)
    value = _send(client, ("games", "event", EVENT), "add_unit", MATCH)["value"]
    fixture: str = value["fixtureId"]
    board = client.get("/reads/fixture.board", {"fixture": fixture})["value"]
    if board.get("status") == "SCHEDULED":
        _play(client, fixture, [side["entry"] for side in value["sides"]])
    return fixture


def _play(client: Client, fixture: str, sides: list[str]) -> None:
    for number, (code, given) in enumerate(_story(*sides), 1):
        _send(client, ("football", "fixture", fixture), code, given, key=f"demo {number} {code}")


def _story(home: str, away: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The match, as its scorer would tap it."""
    yield "match_start", {"home": home, "away": away}
    yield "goal", {"entry": home, "kind": "header", "scorer": "A. Quay", "assist": "B. Pier", "minute": 17}
    yield "card", {"entry": away, "person": "C. Weir", "role": "player", "colour": "yellow", "minute": 31}
    yield "half_end", {}
    yield "half_start", {"period": "2H"}
    yield "goal", {"entry": away, "kind": "open_play", "scorer": "D. Race", "minute": 58}
    yield "penalty", {"entry": home, "taker": "A. Quay", "outcome": "scored", "minute": 83}
    yield "half_end", {}
    yield "match_end", {}


def _send(
    client: Client, to: tuple[str, str, str], code: str, given: Mapping[str, Any], *, key: str = ""
) -> dict[str, Any]:
    workflow, kind, ref = to
    answer: dict[str, Any] = client.command(
        workflow, (kind, ref), f"{workflow}.{code}", given, key=key or f"demo {code}"
    )
    if not answer["accepted"]:
        raise NotMade(f"{workflow}.{code}: {answer['message']}")
    return answer
