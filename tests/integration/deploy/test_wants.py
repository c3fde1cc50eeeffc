"""What the database says of pools."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import asyncpg
import pytest

from harness.postgres import Database
from omnium_deploy.pools import PoolKey, Want
from omnium_deploy.wants import AWAY, Horizon, WantsReader

NOW = datetime.now(UTC)


class World:
    """Rows, made by hand."""

    def __init__(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        self.connection = connection

    async def add(self, sql: str, *values: object) -> object:
        return await self.connection.fetchval(f"{sql} RETURNING id", *values)

    async def release(self, version: str, status: str = "prod") -> object:
        return await self.add(
            "INSERT INTO plugin_release (version, code_sha, contract_sha, contract_version, status,"
            " registered_by) VALUES ($1, $1, $1, '0.1.0', $2, 'test')",
            version,
            status,
        )

    async def sport(self, code: str) -> object:
        return await self.add("INSERT INTO sport (code, name) VALUES ($1, $1)", code)

    async def default(self, sport: object, release: object, from_at: datetime) -> None:
        await self.add(
            "INSERT INTO release_default (sport_id, release_id, from_at, set_by) VALUES ($1, $2, $3, 'test')",
            sport,
            release,
            from_at,
        )

    async def event(self) -> object:
        return await self.add(
            "INSERT INTO competition (id, event_id, code, name, timezone)"
            " SELECT id, id, 'games', 'Games', 'UTC' FROM (SELECT gen_random_uuid() AS id) AS made"
        )

    async def fixture(self, event: object, sport: object, release: object, status: str) -> None:
        await self.add(
            "INSERT INTO fixture (event_id, competition_id, sport_id, code, archetype, fixture_type,"
            " workflow, scoring_mode, status, release_id)"
            " VALUES ($1, $1, $2, gen_random_uuid()::text, 'duel', 'match', 'football', 'events', $4, $3)",
            event,
            sport,
            release,
            status,
        )


@pytest.fixture
def world(connection: asyncpg.Connection[asyncpg.Record]) -> World:
    return World(connection)


@pytest.fixture
async def reader(database: Database) -> AsyncIterator[WantsReader]:
    made = WantsReader(database.dsn, Horizon(soon_s=3600, request_s=600, lease_s=6))
    yield made
    await made.close()


def versions(wants: list[Want]) -> list[str]:
    return [want.key.version for want in wants]


async def test_a_default_is_wanted_from_an_hour_before_until_the_next_one_counts(
    world: World, reader: WantsReader
) -> None:
    football = await world.sport("football")
    for version, from_at in (
        ("1-gone", NOW - timedelta(days=2)),
        ("2-now", NOW - timedelta(days=1)),
        ("3-soon", NOW + timedelta(minutes=50)),
        ("4-later", NOW + timedelta(hours=3)),
    ):
        await world.default(football, await world.release(version), from_at)
    assert await reader.wants() == [
        Want(PoolKey("2-now"), "default of football", is_default=True),
        Want(PoolKey("3-soon"), "default of football", is_default=True),
    ]


async def test_one_release_tells_all_that_it_is_the_default_of(world: World, reader: WantsReader) -> None:
    release = await world.release("1.0")
    for code in ("games", "football"):
        await world.default(await world.sport(code), release, datetime.min.replace(tzinfo=UTC))
    assert [want.why for want in await reader.wants()] == ["default of football, games"]


async def test_a_release_is_wanted_by_unfinished_fixtures_alone(world: World, reader: WantsReader) -> None:
    event, sport = await world.event(), await world.sport("football")
    old, over = await world.release("old"), await world.release("over")
    for status in ("SCHEDULED", "LIVE", "INTERRUPTED", "POSTPONED", "COMPLETED"):
        await world.fixture(event, sport, old, status)
    for status in ("COMPLETED", "CANCELLED", "VOID"):
        await world.fixture(event, sport, over, status)
    assert await reader.wants() == [Want(PoolKey("old"), "4 unfinished fixtures")]


async def test_a_pool_that_was_asked_for_is_wanted_for_a_while_even_of_a_retired_release(
    world: World, reader: WantsReader
) -> None:
    for version, asked, lane in (
        ("new", "1 minute", "live"),
        ("new", "1 minute", "bulk"),
        ("old", "1 hour", "live"),
    ):
        await world.connection.execute(
            "INSERT INTO pool_request (release_id, lane, asked_at, reason)"
            " VALUES ($1, $2, now() - $3::text::interval, 'a correction')",
            await world.connection.fetchval("SELECT id FROM plugin_release WHERE version = $1", version)
            or await world.release(version, "retired"),
            lane,
            asked,
        )
    assert await reader.wants() == [
        Want(PoolKey("new", "bulk"), "asked for: a correction"),
        Want(PoolKey("new"), "asked for: a correction"),
    ]


async def test_a_worker_serves_while_its_lease_is_fresh_and_it_does_not_drain(
    world: World, reader: WantsReader
) -> None:
    release = await world.release("1.0")
    for pid, age, draining in ((1, "1 second", False), (2, "7 seconds", False), (3, "1 second", True)):
        await world.connection.execute(
            "INSERT INTO worker_instance (id, address, release_id, code_sha, contract_sha, runtime_sha,"
            " capacity, build, schema_number, pid, draining, heartbeat_at)"
            " VALUES (gen_random_uuid(), 'x:1', $1, '', '', '', 1, '', 1, $2, $3,"
            " now() - $4::text::interval)",
            release,
            pid,
            draining,
            age,
        )
    assert await reader.serving() == [(PoolKey("1.0"), 1)]


async def test_a_reader_whose_connection_was_cut_reads_again(world: World, reader: WantsReader) -> None:
    await world.default(await world.sport("football"), await world.release("1.0"), NOW - timedelta(days=1))
    assert versions(await reader.wants()) == ["1.0"]
    await world.connection.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE datname = current_database() AND application_name = 'omnium deploy'"
    )
    with contextlib.suppress(*AWAY):  # it may have heard of it already
        await reader.wants()
    assert versions(await reader.wants()) == ["1.0"]
