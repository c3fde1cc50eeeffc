"""Retiring against everybody who points at a release: never both."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable
from typing import TypeAlias, TypeVar

import asyncpg
import pytest

from harness.postgres import Database
from harness.world import World
from harness.writers import VERSION, RecordRefused, Writers
from omnium_releases.defaults import set_default
from omnium_releases.retiring import retire
from omnium_store.database import Connection, create_pool
from omnium_store.errors import Refused

from .test_defaults import release

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
T = TypeVar("T")

ROUNDS = 150
PINNED_TO_RETIRED = """
SELECT count(*) FROM fixture f JOIN plugin_release r ON r.id = f.release_id
WHERE r.status = 'retired' AND f.status = 'SCHEDULED'
"""
POINTING_AT_RETIRED = """
SELECT count(*) FROM plugin_release r
WHERE r.status = 'retired' AND (
    EXISTS (SELECT 1 FROM fixture f WHERE f.release_id = r.id AND f.status = 'SCHEDULED')
    OR EXISTS (SELECT 1 FROM release_default d WHERE d.release_id = r.id)
)
"""


@pytest.fixture
async def pool(database: Database) -> AsyncIterator[Pool]:
    made = await create_pool(database.dsn, role="omnium_router", size=4)
    yield made
    await made.close()


@pytest.fixture
async def workers(database: Database) -> AsyncIterator[Pool]:
    made = await create_pool(database.dsn, role="omnium_worker", size=4)
    yield made
    await made.close()


async def retired(pool: Pool, version: str) -> bool:
    async with pool.acquire() as conn:
        try:
            return (await retire(conn, version, who="ada", reason="")).changed
        except Refused:
            return False


async def created(workers: Pool, release_id: uuid.UUID, fixture: tuple[str, uuid.UUID, uuid.UUID]) -> bool:
    """Pin a new fixture as whoever creates one does: share the row, read its status again, insert."""
    async with workers.acquire() as conn, conn.transaction():
        status = await conn.fetchval("SELECT status FROM plugin_release WHERE id = $1 FOR SHARE", release_id)
        if status != "prod":
            return False
        await World(conn).fixture(fixture[0], competition=fixture[1], sport=fixture[2], release=release_id)
        return True


async def made_default(pool: Pool, version: str) -> bool:
    async with pool.acquire() as conn:
        try:
            return bool(
                await set_default(conn, version, sport="football", competition="cup", from_at=None, who="bob")
            )
        except Refused:
            return False


async def after(seconds: float, done: Awaitable[T]) -> T:
    await asyncio.sleep(seconds)
    return await done


async def test_retiring_and_creating_never_both_win(
    pool: Pool, workers: Pool, connection: Connection
) -> None:
    world, draw = World(connection), random.Random(1)
    event, sport = await world.event(), await world.sport("football")
    await release(world, "stays", "football")
    outcomes = set()
    for nth in range(ROUNDS):
        version = f"r{nth}"
        release_id = await release(world, version, "football")
        outcome = await asyncio.gather(
            after(draw.random() * 0.004, retired(pool, version)),
            after(draw.random() * 0.004, created(workers, release_id, (f"m{nth}", event, sport))),
        )
        assert sum(map(bool, outcome)) == 1, version
        outcomes.add(tuple(outcome))
    assert {(True, False), (False, True)} == outcomes
    assert await connection.fetchval(POINTING_AT_RETIRED) == 0


async def test_a_unit_that_is_added_while_its_default_is_replaced_and_retired_keeps_a_living_release(
    pool: Pool, database: Database, connection: Connection
) -> None:
    """The writer that pins, as the engine calls it, against the way in which a release goes."""
    own = await database.connect()
    writers, draw = await Writers.in_fresh_event(own), random.Random(3)
    versions = [VERSION]

    async def replaced(version: str) -> bool:
        async with pool.acquire() as conn:
            await set_default(conn, version, sport="football", competition=None, from_at=None, who="ada")
        return await retired(pool, versions[-1])

    async def added(code: str) -> str:
        told = {"competition": "FBL", "code": code, "sport": "football", "scoringMode": "events"}
        try:
            await writers.write("fixture.add", {**told, "fixtureType": "match", "archetype": "duel"})
        except RecordRefused as refused:
            return str(refused.args[0])
        return "added"

    outcomes = set()
    for nth in range(ROUNDS):
        version = f"r{nth}"
        await writers.program(await writers.world.release(version))
        outcome = await asyncio.gather(
            after(draw.random() * 0.004, replaced(version)), after(draw.random() * 0.004, added(f"m{nth}"))
        )
        outcomes.add(tuple(outcome))
        assert await connection.fetchval(PINNED_TO_RETIRED) == 0, version
        versions.append(version)
    await own.close()
    assert {gone for gone, _ in outcomes} == {True, False}
    assert {"added"} <= {answer for _, answer in outcomes} <= {"added", "release_not_prod"}


async def test_retiring_and_making_it_a_default_never_both_win(pool: Pool, connection: Connection) -> None:
    world, draw = World(connection), random.Random(2)
    await world.competition("cup", parent=await world.event())
    await release(world, "stays", "football")
    outcomes = set()
    for nth in range(ROUNDS):
        version = f"r{nth}"
        await release(world, version, "football")
        outcome = await asyncio.gather(
            after(draw.random() * 0.004, retired(pool, version)),
            after(draw.random() * 0.004, made_default(pool, version)),
        )
        assert sum(map(bool, outcome)) == 1, version
        outcomes.add(tuple(outcome))
        await connection.execute("DELETE FROM release_default")
        assert await connection.fetchval(POINTING_AT_RETIRED) == 0
    assert {(True, False), (False, True)} == outcomes


async def test_two_releases_never_retire_each_counting_on_the_other(
    pool: Pool, connection: Connection
) -> None:
    world = World(connection)
    for nth in range(40):
        sport = f"sport{nth}"
        for version in (f"a{nth}", f"b{nth}"):
            await release(world, version, sport)
        outcome = await asyncio.gather(retired(pool, f"a{nth}"), retired(pool, f"b{nth}"))
        assert sum(outcome) == 1


async def test_two_first_defaults_at_once_leave_one_first_row(pool: Pool, connection: Connection) -> None:
    world = World(connection)
    await world.competition("cup", parent=await world.event())
    for version in ("a", "b"):
        await release(world, version, "football")
    for _ in range(30):
        assert all(await asyncio.gather(made_default(pool, "a"), made_default(pool, "b")))
        assert [
            await connection.fetchval("SELECT count(*) FROM release_default WHERE from_at = '-infinity'"),
            await connection.fetchval("SELECT count(*) FROM release_default"),
        ] == [1, 2]
        await connection.execute("DELETE FROM release_default")
