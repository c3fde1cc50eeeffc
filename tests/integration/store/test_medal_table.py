"""The medal table: typed, imported and counted numbers, ranks with ties."""

from __future__ import annotations

import json
from typing import Any

from harness.world import World
from omnium_store.database import Connection
from omnium_store.read_models import read


async def medal_rows(connection: Connection) -> list[tuple[Any, ...]]:
    value = json.loads((await read(connection, "games.medals", {"event": "games"})).value)
    return [
        (row["noc"], row.get("rank"), row.get("rankEqual"), row.get("rankTotal")) for row in value["medals"]
    ]


async def test_equal_countries_share_a_rank_and_the_next_rank_skips(
    connection: Connection, world: World
) -> None:
    event = await world.event()
    for noc, medals in {"KOR": (3, 2, 1), "JPN": (3, 2, 1), "IND": (3, 2, 0), "CHN": (5, 0, 0)}.items():
        await world.medals(event, noc, *medals)
    assert [row[:3] for row in await medal_rows(connection)] == [
        ("CHN", 1, False),
        ("JPN", 2, True),
        ("KOR", 2, True),
        ("IND", 4, False),
    ]


async def test_three_equal_countries_share_rank_five_and_eight_follows(
    connection: Connection, world: World
) -> None:
    event = await world.event()
    ahead = {"CHN": (5, 0, 0), "JPN": (3, 2, 1), "KOR": (3, 2, 1), "IND": (3, 2, 0)}
    behind = {"UZB": (0, 1, 4), "THA": (0, 1, 4), "IRI": (0, 1, 4), "QAT": (0, 0, 9)}
    for noc, medals in {**ahead, **behind}.items():
        await world.medals(event, noc, *medals)
    rows = await medal_rows(connection)
    assert [row[:2] for row in rows[4:]] == [("IRI", 5), ("THA", 5), ("UZB", 5), ("QAT", 8)]


async def test_four_golds_stand_before_three_and_only_the_total_rank_differs(
    connection: Connection, world: World
) -> None:
    event = await world.event()
    await world.medals(event, "QAT", 4, 0, 0)
    await world.medals(event, "KAZ", 3, 9, 9)
    assert await medal_rows(connection) == [("QAT", 1, False, 2), ("KAZ", 2, False, 1)]


async def test_a_country_without_medals_has_no_rank(connection: Connection, world: World) -> None:
    event = await world.event()
    await world.medals(event, "BHU", 0, 0, 0)
    await world.medals(event, "QAT", 1, 0, 0)
    assert await medal_rows(connection) == [("QAT", 1, False, 1), ("BHU", None, None, None)]


async def test_a_neutral_athletes_medals_stand_outside_the_ranked_table(
    connection: Connection, world: World
) -> None:
    event = await world.event(settings={"neutralCodes": ["AIN"]})
    await world.medals(event, "AIN", 9, 0, 0)
    await world.medals(event, "QAT", 1, 0, 0)
    assert await medal_rows(connection) == [("QAT", 1, False, 1), ("AIN", None, None, None)]


async def a_final(world: World, event: Any, *medals: tuple[str, str], official: bool = True) -> Any:
    """A unit whose sides, countries by code, have won these medals."""
    sport = await world.sport()
    code = f"F{await world.connection.fetchval('SELECT count(*) FROM fixture')}"
    fixture = await world.fixture(code, competition=event, sport=sport)
    for (_, medal), side in zip(medals, await world.sides(fixture, *(noc for noc, _ in medals)), strict=True):
        result: dict[str, Any] = {"medal": medal} if medal else {"score": "1"}
        await world.result(side, **result)
    if official:
        await world.official(fixture)
    return fixture


async def counted(connection: Connection) -> dict[str, tuple[int, int, int]]:
    value = json.loads((await read(connection, "games.medals", {"event": "games"})).value)
    return {row["noc"]: (row["gold"], row["silver"], row["bronze"]) for row in value["medals"]}


async def test_medals_are_counted_from_official_results_alone(connection: Connection, world: World) -> None:
    event = await world.event()
    await a_final(world, event, ("JPN", "Gold"), ("QAT", "Silver"), ("KOR", "Bronze"), ("IND", ""))
    await a_final(world, event, ("QAT", "Gold"), ("JPN", "Silver"))
    assert await counted(connection) == {"JPN": (1, 1, 0), "QAT": (1, 1, 0), "KOR": (0, 0, 1)}
    protested = await a_final(world, event, ("KOR", "Gold"), ("IND", "Silver"), official=False)
    elsewhere = await world.event("asian-games")
    await a_final(world, elsewhere, ("KOR", "Gold"))
    assert (await counted(connection))["KOR"] == (0, 0, 1)
    await world.official(protested)
    assert await counted(connection) == {
        "JPN": (1, 1, 0), "QAT": (1, 1, 0), "KOR": (1, 0, 1), "IND": (0, 1, 0),
    }  # fmt: skip


async def test_both_losing_semi_finalists_of_one_country_have_a_bronze_each(
    connection: Connection, world: World
) -> None:
    """G5: two bronzes; and a medal that a mark hides is nobody's."""
    event = await world.event()
    await a_final(world, event, ("UZB", ""), ("KAZ", "Bronze"))
    await a_final(world, event, ("UZB", ""), ("KAZ", "Bronze"))
    final = await a_final(world, event, ("UZB", "Gold"), ("MGL", "Silver"))
    assert await counted(connection) == {"UZB": (1, 0, 0), "MGL": (0, 1, 0), "KAZ": (0, 0, 2)}
    await connection.execute(
        """UPDATE fixture_competitor SET result = '{}', held = result, status = 'DSQ'
           WHERE fixture_id = $1 AND noc = 'UZB'""",
        final,
    )
    assert await counted(connection) == {"MGL": (0, 1, 0), "KAZ": (0, 0, 2)}


async def test_a_team_wins_one_medal_and_has_its_participants_country(
    connection: Connection, world: World
) -> None:
    """G4: a relay's gold is one, however many ran."""
    event = await world.event()
    final = await a_final(world, event, ("XXX", "Gold"))
    team = await connection.fetchval(
        """INSERT INTO participant (event_id, kind, name, noc)
           VALUES ($1, 'team', 'Relay', 'CHN') RETURNING id""",
        event,
    )
    for runner in range(6):
        await connection.execute(
            "INSERT INTO participant (event_id, name, noc) VALUES ($1, $2, 'CHN')", event, f"Runner {runner}"
        )
    await connection.execute(
        "UPDATE fixture_competitor SET noc = NULL, participant_id = $2 WHERE fixture_id = $1", final, team
    )
    assert await counted(connection) == {"CHN": (1, 0, 0)}


async def test_each_number_is_typed_else_imported_else_derived(connection: Connection, world: World) -> None:
    event = await world.event()
    await a_final(world, event, ("QAT", "Gold"), ("QAT", "Silver"), ("QAT", "Bronze"))
    await world.medals(event, "QAT", 2, 2, None, origin="imported")
    await world.medals(event, "QAT", 3, None, None, origin="typed", place=7)
    reading = await read(connection, "games.medals", {"event": "games"})
    row = json.loads(reading.value)["medals"][0]
    assert (row["gold"], row["silver"], row["bronze"], row["total"], row["rank"]) == (3, 2, 1, 6, 7)
