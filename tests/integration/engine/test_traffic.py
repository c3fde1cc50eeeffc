"""How the road talks to the database: four round trips, safe retries, and what its failures become."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from harness import courts
from harness.arena import LIMITS, Arena
from harness.postgres import Database
from harness.wiretap import Wiretap, tapped
from omnium_store.database import create_pool
from omnium_store.errors import DatabaseAway, InternalError, OutOfTime, Overloaded
from omnium_worker.command import Command
from omnium_worker.road import Road, RoadSettings, Told
from omnium_worker.transactions import Connection


@dataclass(slots=True)
class Line:
    """A road whose only connection is tapped."""

    arena: Arena
    road: Road
    tap: Wiretap

    async def trips(self, code: str, **told: Any) -> int:
        """How many round trips one command takes."""
        self.tap.reset()
        await self.road.execute(self.arena.request(code, **told), timeout=20)
        return self.tap.round_trips


@pytest.fixture
async def line(arena: Arena, database: Database) -> AsyncIterator[Line]:
    """The arena's match, scored over a tapped line."""
    async with tapped(database.dsn) as (dsn, tap):
        pool = await create_pool(dsn, role="omnium_worker", size=1, limits=LIMITS)
        made = courts.host(release=arena.release)
        yield Line(arena, Road(made, pool, made.identity, lambda: None), tap)
        await pool.close()


async def test_a_command_takes_four_round_trips_in_both_modes(line: Line) -> None:
    arena = line.arena
    point = {"input": {"entry": arena.home, "worth": 1}}
    edit = {"input": {"side": arena.home, "rank": 1}}
    await line.trips("court.start")
    for code, told in (("court.point", point), ("desk.edit_side", edit), ("court.start", {})):
        await line.trips(code, **told)  # prepares the statements of this connection
    assert await line.trips("court.point", **point) == 4
    assert await line.trips("desk.edit_side", **edit) == 4
    assert await line.trips("court.start") == 4  # refused
    assert await line.trips("court.point", **point, dry_run=True) == 4


async def test_a_duplicate_takes_three_round_trips(line: Line) -> None:
    await line.trips("court.start", key="s")
    assert await line.trips("court.start", key="s") == 3


async def test_a_refold_takes_no_round_trip_more(line: Line) -> None:
    point = {"input": {"entry": line.arena.home, "worth": 1}}
    await line.trips("court.start")
    await line.trips("court.point", **point)
    await line.arena.connection.execute("DELETE FROM scoreboard")
    assert await line.trips("court.point", **point) == 4


async def test_a_lost_line_is_the_database_away_and_the_key_makes_the_retry_safe(line: Line) -> None:
    await line.trips("court.start")
    point: dict[str, Any] = {"input": {"entry": line.arena.home, "worth": 1}, "key": "p"}
    async with line.arena.connection.transaction():
        await line.arena.connection.execute(
            "SELECT pg_advisory_xact_lock(lock_key_v1($1))", line.arena.fixture
        )
        call = asyncio.create_task(line.road.execute(line.arena.request("court.point", **point), timeout=20))
        await asyncio.sleep(0.1)
        line.tap.cut()
        with pytest.raises(DatabaseAway):
            await call
    response = await line.road.execute(line.arena.request("court.point", **point), timeout=20)
    assert response.accepted


async def test_a_connection_that_was_ended_by_the_server_is_the_database_away(arena: Arena) -> None:
    await arena.started()
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        call = asyncio.create_task(arena.point(key="p"))
        await asyncio.sleep(0.1)
        await arena.connection.execute(
            """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
               WHERE datname = current_database() AND wait_event_type = 'Lock'"""
        )
        with pytest.raises(DatabaseAway):
            await call
    assert (await arena.point(key="p"))["accepted"]


async def test_a_statement_out_of_time_is_taken_back(arena: Arena, database: Database) -> None:
    pool = await create_pool(
        database.dsn, role="omnium_worker", size=1, limits=type(LIMITS)(statement_ms=1000, lock_ms=0)
    )
    road = Road(arena.host, pool, arena.host.identity, lambda: None)
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        with pytest.raises(OutOfTime):
            await road.execute(arena.request("court.start"), timeout=20)
    assert (await road.execute(arena.request("court.start"), timeout=20)).accepted
    await pool.close()


async def test_a_wait_for_the_lock_is_bounded(arena: Arena, database: Database) -> None:
    pool = await create_pool(
        database.dsn, role="omnium_worker", size=1, limits=type(LIMITS)(statement_ms=9000, lock_ms=300)
    )
    road = Road(arena.host, pool, arena.host.identity, lambda: None)
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        with pytest.raises(Overloaded, match="Nothing has run") as busy:
            await road.execute(arena.request("court.start"), timeout=20)
    assert busy.value.reason == "busy"
    await pool.close()


async def test_when_all_connections_are_busy_nothing_has_run(arena: Arena, database: Database) -> None:
    pool = await create_pool(database.dsn, role="omnium_worker", size=1, limits=LIMITS)
    road = Road(arena.host, pool, arena.host.identity, lambda: None, settings=RoadSettings(patience_s=0.05))
    async with pool.acquire():
        with pytest.raises(Overloaded, match="connections are busy"):
            await road.execute(arena.request("court.start"), timeout=20)
    await pool.close()


async def test_without_a_database_nothing_has_run(line: Line, arena: Arena) -> None:
    line.tap.close()
    await asyncio.sleep(0.05)  # so that the pool has seen its connection end, and needs a new one
    with pytest.raises(DatabaseAway, match="Nothing has run"):
        await line.road.execute(arena.request("court.start"), timeout=20)


async def test_imports_may_have_a_pool_of_their_own(arena: Arena, database: Database) -> None:
    pool = await create_pool(database.dsn, role="omnium_worker", size=1, limits=LIMITS, application="imports")
    road = Road(arena.host, arena.pool, arena.host.identity, lambda: None, imports_pool=pool)
    async with pool.acquire():
        assert (await road.execute(arena.request("court.start"), timeout=20)).accepted
        feed = arena.request("court.feed", input={"rows": []}, source="scores-inc")
        with pytest.raises(Overloaded):
            await road.execute(feed, timeout=0.2)
    assert (await road.execute(feed, timeout=20)).accepted
    await pool.close()


async def fail_first(arena: Arena, error: str, *, times: int = 1) -> None:
    """Make the next outbox rows fail with this SQLSTATE: the sequence remembers, whatever is rolled back."""
    await arena.connection.execute(
        f"""
        CREATE SEQUENCE tries;
        GRANT USAGE ON tries TO omnium_worker;
        CREATE FUNCTION fail_first() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF nextval('tries') <= {times} THEN RAISE EXCEPTION 'as asked' USING ERRCODE = '{error}'; END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER fail_first BEFORE INSERT ON domain_event FOR EACH ROW EXECUTE FUNCTION fail_first();
        """
    )


@pytest.mark.parametrize("error", ["40P01", "40001"])
async def test_a_conflict_is_tried_once_more_with_the_same_key(arena: Arena, error: str) -> None:
    await fail_first(arena, error)
    assert (await arena.send("court.start"))["accepted"]
    assert (await arena.send("desk.edit_side", input={"side": arena.home, "rank": 1}))["accepted"]


async def test_a_second_conflict_is_told_as_one_that_may_be_tried_again(arena: Arena) -> None:
    await fail_first(arena, "40001", times=2)
    with pytest.raises(Overloaded, match="twice"):
        await arena.send("court.start")
    assert (await arena.counts())["timeline_item"] == 0


async def test_what_nobody_foresaw_is_ours_with_an_id_and_nothing_is_written(
    arena: Arena, logged: list[Any]
) -> None:
    await fail_first(arena, "XX001")
    with pytest.raises(InternalError) as ours:
        await arena.send("court.start", key="s")
    assert ours.value.id in ours.value.message
    assert [(line["event"], line["id"]) for line in logged] == [("command.broke", ours.value.id)]
    assert (await arena.counts())["timeline_item"] == 0
    assert (await arena.send("court.start", key="s"))["accepted"]


async def test_a_fixture_changed_beside_its_lock_is_read_again(arena: Arena) -> None:
    await arena.connection.execute(
        """
        CREATE SEQUENCE tries;
        GRANT USAGE ON tries TO omnium_worker;
        CREATE FUNCTION meddle() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF nextval('tries') = 1 THEN
                UPDATE fixture SET version = version + 1 WHERE id = NEW.fixture_id;
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER meddle BEFORE INSERT ON domain_event FOR EACH ROW EXECUTE FUNCTION meddle();
        """
    )
    assert (await arena.send("court.start"))["version"] == 1


async def test_a_schema_that_changed_under_a_prepared_statement_costs_one_more_try(
    arena: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    await arena.started()
    assert (await arena.send("court.start"))["refusal"] == "rejected"
    arguments = await arena.connection.fetchval("SELECT pg_get_function_arguments('refuse_v1'::regproc)")
    await arena.connection.execute(
        f"""DROP FUNCTION refuse_v1;
            CREATE FUNCTION refuse_v1({arguments}) RETURNS int
                LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$"""
    )
    attempts: list[object] = []
    transact = arena.road._transact

    async def counted(connection: Connection, command: Command) -> Told:
        attempts.append(command)
        return await transact(connection, command)

    monkeypatch.setattr(arena.road, "_transact", counted)
    assert (await arena.send("court.start"))["refusal"] == "rejected"
    assert len(attempts) == 2


async def test_commands_of_one_subject_hold_one_connection_at_most(arena: Arena) -> None:
    await arena.started()
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        calls = [asyncio.create_task(arena.point()) for _ in range(12)]
        await asyncio.sleep(0.1)
        waiting = await arena.advisory_locks(waiting=True)
        other = await arena.send(
            "office.add_unit", kind="event", ref="open-2026", input={"competition": "singles", "code": "m1"}
        )
    assert waiting == 1
    assert other["accepted"]
    assert all(answer["accepted"] for answer in await asyncio.gather(*calls))
