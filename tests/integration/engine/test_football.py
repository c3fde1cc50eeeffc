"""Football's goldens through the road: the database ends as the test kit does, and verifies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from harness.arena import Arena, open_arena
from harness.postgres import Database
from omnium_contract.flows.types import Side
from omnium_contract.testing import Match, fixture
from omnium_flows.football import Football
from omnium_worker.road import RoadSettings

GOLDENS = Path(__file__).parents[3] / "flows" / "tests" / "goldens" / "football"
#: Goldens are of a day that may lie ahead of the day of the test.
ANY_DAY = RoadSettings(ahead=timedelta(days=36_500))


@pytest.mark.parametrize("name", sorted(path.stem for path in GOLDENS.glob("*.json")))
async def test_a_golden_ends_in_the_database_as_in_the_test_kit(database: Database, name: str) -> None:
    golden = json.loads((GOLDENS / f"{name}.json").read_text())
    async with open_arena(database, Football, format=golden["format"]) as arena:
        await arena.connection.execute(
            "UPDATE fixture SET workflow = 'football', fixture_type = $1, archetype = $2",
            golden["fixtureType"],
            golden["archetype"],
        )
        match = await played(arena, golden)
        board = await arena.connection.fetchrow("SELECT state, digest FROM scoreboard")
        assert board is not None
        assert (board["state"], board["digest"].hex()) == (match.state_bytes, match.digests[-1])
        rows = await arena.rows("stat_value", "entry", "person", "segment", "key", "value")
        assert {tuple(row.values()) for row in rows} == numbers(match)
        assert await arena.problems() == ()


async def played(arena: Arena, golden: Mapping[str, Any]) -> Match:
    """The golden's log, sent to the road (every command twice, as retries are) and to the test kit."""
    road = arena.another(Football, settings=ANY_DAY)
    kind = {"fixture_type": golden["fixtureType"], "archetype": golden["archetype"]}
    sides = [
        Side(entry=arena.home, position=1, code="HOM", name="Home"),
        Side(entry=arena.away, position=2, code="AWA", name="Away"),
    ]
    match = Match(Football, fixture(Football, sides=sides, format=golden["format"], **kind))
    for row in golden["log"]:
        told = {"input": named(arena, row["input"]), "confirm": row.get("confirmed") or ()}
        request = arena.request(row["code"], key=f"k{row['seq']}", occurred_at=row["occurredAt"], **told)
        answers = [await road.execute(request, timeout=20) for _ in range(2)]
        assert [(a.accepted, a.duplicate) for a in answers] == [(True, False), (True, True)], answers
        match.must(row["code"], at=row["occurredAt"], confirm=told["confirm"], **told["input"])
    return match


def named(arena: Arena, value: Any) -> Any:
    """The golden's sides by the ids that the database gave them."""
    match value:
        case "home" | "away":
            return arena.home if value == "home" else arena.away
        case list():
            return [named(arena, item) for item in value]
        case dict():
            return {key: named(arena, item) for key, item in value.items()}
        case _:
            return value


def numbers(match: Match) -> set[tuple[Any, ...]]:
    """Every number of the match: of whom, in which segment, its key and value."""
    return {
        (line.entry, line.person, line.segment, key, value)
        for line in match.lines()
        for key, value in line.values.items()
    }
