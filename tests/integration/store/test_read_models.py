"""What screens show, read from real tables."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from harness.plans import assert_uses_index
from harness.postgres import Database
from harness.world import World
from omnium_contract import canonical
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, NotFound
from omnium_store.read_models import READ_MODELS, read
from omnium_store.statements import statement


async def a_match(world: World) -> tuple[Any, list[Any]]:
    event = await world.event(timezone="Asia/Tokyo")
    sport = await world.sport()
    competition = await world.competition("cup", parent=event, sport=sport)
    release = await world.release()
    fixture = await world.fixture("M1", competition=competition, sport=sport, release=release)
    return fixture, await world.sides(fixture, "Japan", "Qatar")


async def test_a_board_has_facts_sides_and_the_stored_state_byte_for_byte(
    connection: Connection, world: World
) -> None:
    fixture, (home, away) = await a_match(world)
    state = canonical.dumps(
        {"status": "live", "goals": {str(home): 2}, "note": "é \u0000 \U0001f3c6", "x": 1.5}
    )
    await world.board(fixture, state)
    reading = await read(connection, "fixture.board", {"fixture": str(fixture)})
    value = json.loads(reading.value)
    assert b'"state":' + state in reading.value
    assert canonical.dumps(value) == reading.value
    assert [("Japan", str(home), 1), ("Qatar", str(away), 2)] == [
        (side["name"], side["entry"], side["position"]) for side in value["sides"]
    ]
    assert tuple(
        value[name] for name in ("event", "competition", "sport", "release", "version", "scheduledStart")
    ) == ("games", "cup", "football", "0.1.0+g000000000001", 1, "2026-12-01T10:00:00Z")
    assert reading.version == 1


async def test_a_board_before_the_first_command_has_no_state(connection: Connection, world: World) -> None:
    fixture, _ = await a_match(world)
    value = json.loads((await read(connection, "fixture.board", {"fixture": str(fixture)})).value)
    assert "state" not in value
    assert value["status"] == "SCHEDULED"


async def test_at_grows_with_each_visible_commit_and_h_follows_the_bytes(
    database: Database, world: World
) -> None:
    fixture, _ = await a_match(world)
    other = await database.connect()
    before = await read(world.connection, "fixture.board", {"fixture": str(fixture)})
    transaction = other.transaction()
    await transaction.start()
    await other.execute("UPDATE fixture SET venue = 'Doha' WHERE id = $1", fixture)
    during = await read(world.connection, "fixture.board", {"fixture": str(fixture)})
    await transaction.commit()
    after = await read(world.connection, "fixture.board", {"fixture": str(fixture)})
    await other.close()
    assert (before.value, before.h) == (during.value, during.h)
    assert during.at < after.at
    assert during.h != after.h


async def test_a_log_is_paged_by_seq_and_says_where_the_next_page_begins(
    connection: Connection, world: World
) -> None:
    fixture, _ = await a_match(world)
    for seq in range(1, 6):
        await world.log_row(fixture, seq, "football.goal", {"minute": seq})
    pages = []
    after = 0
    while after is not None:
        value = json.loads(
            (await read(connection, "fixture.log", {"fixture": fixture, "after": after, "limit": 2})).value
        )
        pages.append([(item["seq"], item["input"]["minute"]) for item in value["items"]])
        after = value.get("next")
    assert pages == [[(1, 1), (2, 2)], [(3, 3), (4, 4)], [(5, 5)]]


async def test_a_log_row_names_code_actor_release_and_what_was_confirmed(
    connection: Connection, world: World
) -> None:
    fixture, _ = await a_match(world)
    release = await world.release("0.2.0+g000000000002")
    text = '{"note":"nul \\u0000 stays","minute":1}'
    await world.log_row(fixture, 1, "football.goal", text, confirmed=["late"], release=release)
    reading = await read(connection, "fixture.log", {"fixture": str(fixture)})
    item = json.loads(reading.value)["items"][0]
    recorded = item.pop("recordedAt")
    assert recorded.endswith("Z")
    assert {
        "actor": "Ada",
        "code": "football.goal",
        "confirmed": ["late"],
        "input": json.loads(text),
        "occurredAt": "2026-12-01T10:00:00Z",
        "release": "0.2.0+g000000000002",
        "seq": 1,
        "status": "CONFIRMED",
        "unit": "event",
    } == item


async def test_an_empty_log_is_a_page_without_rows(connection: Connection, world: World) -> None:
    fixture, _ = await a_match(world)
    reading = await read(connection, "fixture.log", {"fixture": str(fixture)})
    assert {"fixtureId": str(fixture), "items": []} == json.loads(reading.value)


async def test_a_day_is_the_days_of_the_events_own_time_zone(connection: Connection, world: World) -> None:
    event = await world.event(timezone="Asia/Tokyo")
    sport = await world.sport()
    for code, start in {
        "before": datetime(2026, 11, 30, 14, 59, tzinfo=UTC),
        "first": datetime(2026, 11, 30, 15, 0, tzinfo=UTC),
        "last": datetime(2026, 12, 1, 14, 59, tzinfo=UTC),
        "after": datetime(2026, 12, 1, 15, 0, tzinfo=UTC),
    }.items():
        await world.fixture(code, competition=event, sport=sport, start=start)
    await world.fixture("undated", competition=event, sport=sport, start=None)
    reading = await read(connection, "games.schedule_day", {"event": "games", "day": "2026-12-01"})
    value = json.loads(reading.value)
    assert [unit["code"] for unit in value["units"]] == ["first", "last"]
    assert (value["day"], value["timezone"]) == ("2026-12-01", "Asia/Tokyo")


async def test_a_unit_shows_the_score_of_its_state_and_of_a_typed_result(
    connection: Connection, world: World
) -> None:
    fixture, (home, away) = await a_match(world)
    await world.board(fixture, canonical.dumps({"goals": {str(home): 2, str(away): 0}}))
    await connection.execute(
        "UPDATE fixture_competitor SET result = $2 WHERE id = $1", away, json.dumps({"score": "1 (w)"})
    )
    reading = await read(connection, "games.schedule_day", {"event": "games", "day": "2026-12-01"})
    unit = json.loads(reading.value)["units"][0]
    assert [(side["name"], side["score"]) for side in unit["sides"]] == [("Japan", 2), ("Qatar", "1 (w)")]
    assert (unit["release"], unit["version"]) == ("0.1.0+g000000000001", 1)


async def shown_sides(connection: Connection) -> list[tuple[Any, ...]]:
    reading = await read(connection, "games.schedule_day", {"event": "games", "day": "2026-12-01"})
    sides = json.loads(reading.value)["units"][0]["sides"]
    return [(side["name"], side.get("rank"), side.get("score")) for side in sides]


async def test_a_typed_rank_stands_before_the_place_and_a_mark_leaves_none(
    connection: Connection, world: World
) -> None:
    _, (home, away) = await a_match(world)
    await world.place(home, 1)
    await world.place(away, 2)
    assert await shown_sides(connection) == [("Japan", 1, None), ("Qatar", 2, None)]
    await world.result(home, rank=2)
    await world.result(away, rank=1)
    assert await shown_sides(connection) == [("Japan", 2, None), ("Qatar", 1, None)]
    await connection.execute("UPDATE fixture_competitor SET rank = NULL, status = 'DSQ' WHERE id = $1", home)
    assert await shown_sides(connection) == [("Japan", None, None), ("Qatar", 1, None)]
    await connection.execute("UPDATE fixture_competitor SET status = 'WO' WHERE id = $1", home)
    assert await shown_sides(connection) == [("Japan", 1, None), ("Qatar", 1, None)]


@pytest.mark.parametrize("status", ["POSTPONED", "CANCELLED", "VOID"])
async def test_a_unit_that_was_not_held_has_no_score_and_no_places(
    connection: Connection, world: World, status: str
) -> None:
    """Case 33: no result, not 0-0. Held after all, it has them again."""
    fixture, (home, away) = await a_match(world)
    await world.board(fixture, canonical.dumps({"goals": {str(home): 0, str(away): 0}}))
    await world.place(home, 1, shared=True)
    await world.place(away, 1, shared=True)
    await connection.execute("UPDATE fixture SET status = $2 WHERE id = $1", fixture, status)
    assert await shown_sides(connection) == [("Japan", None, None), ("Qatar", None, None)]
    assert "places" not in await shown_board(connection, fixture)
    await connection.execute("UPDATE fixture SET status = 'COMPLETED' WHERE id = $1", fixture)
    assert await shown_sides(connection) == [("Japan", 1, 0), ("Qatar", 1, 0)]
    assert len((await shown_board(connection, fixture))["places"]) == 2


async def shown_board(connection: Connection, fixture: Any) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(
        (await read(connection, "fixture.board", {"fixture": str(fixture)})).value
    )
    return value


async def test_a_state_that_postgresql_cannot_look_into_does_not_break_the_day(
    connection: Connection, world: World
) -> None:
    fixture, (home, _) = await a_match(world)
    await world.board(fixture, canonical.dumps({"goals": {str(home): 2}, "note": "\u0000"}))
    reading = await read(connection, "games.schedule_day", {"event": "games", "day": "2026-12-01"})
    assert "score" not in json.loads(reading.value)["units"][0]["sides"][0]


async def test_a_list_gives_the_rows_of_the_asked_records_alone(connection: Connection, world: World) -> None:
    event = await world.event()
    sport = await world.sport()
    wanted = await world.fixture("A", competition=event, sport=sport)
    await world.fixture("B", competition=event, sport=sport)
    params = {"event": "games", "day": "2026-12-01"}
    reading = await read(connection, "games.schedule_day", params, records=[str(wanted)])
    assert [str(wanted)] == [row.record for row in reading.rows]


@pytest.mark.parametrize(
    ("name", "params", "reason"),
    [
        ("fixture.board", {"fixture": "00000000-0000-0000-0000-000000000000"}, "no_such_fixture"),
        ("fixture.log", {"fixture": "00000000-0000-0000-0000-000000000000"}, "no_such_fixture"),
        ("games.medals", {"event": "nowhere"}, "no_such_event"),
        ("games.schedule_day", {"event": "nowhere", "day": "2026-12-01"}, "no_such_event"),
        ("games.nothing", {}, "no_such_read"),
    ],
)
async def test_what_is_not_there_is_not_found(
    connection: Connection, name: str, params: dict[str, str], reason: str
) -> None:
    with pytest.raises(NotFound) as caught:
        await read(connection, name, params)
    assert reason == caught.value.reason


async def test_wrong_parameters_are_all_named_at_once(connection: Connection) -> None:
    with pytest.raises(BadRequest) as caught:
        await read(connection, "games.schedule_day", {"day": "tomorrow", "extra": "1"})
    assert all(name in caught.value.message for name in ("event", "day", "extra"))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("fixture.board", ["FIXTURE"]),
        ("fixture.log", ["FIXTURE", 0, 200, None]),
        ("games.schedule_day", ["games", datetime(2026, 12, 1, tzinfo=UTC).date(), None]),
        ("games.medals", ["games", None]),
    ],
)
async def test_no_read_goes_through_a_whole_table(
    connection: Connection, world: World, name: str, args: list[Any]
) -> None:
    fixture, _ = await a_match(world)
    given = [fixture if argument == "FIXTURE" else argument for argument in args]
    assert await assert_uses_index(connection, statement(name), given)


def test_the_table_of_read_models_is_the_statements() -> None:
    assert {model.name for model in READ_MODELS.values()} == set(READ_MODELS)
    assert all(statement(name) for name in READ_MODELS)
