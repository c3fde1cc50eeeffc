"""Retiring against everybody who points at a release: never both."""

from __future__ import annotations

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
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

ROUNDS = 250  # of each: a thousand and more in all
PINNED_TO_RETIRED = """
SELECT count(*) FROM fixture f JOIN plugin_release r ON r.id = f.release_id
WHERE r.status = 'retired' AND f.status = 'SCHEDULED'
"""
POINTING_AT_RETIRED = """
SELECT count(*) FROM plugin_release r
WHERE r.status = 'retired' AND (
    EXISTS (SELECT 1 FROM fixture f WHERE f.release_id = r.id AND f.status = 'SCHEDULED')
    OR EXISTS (
        SELECT 1 FROM release_default d
        WHERE d.release_id = r.id
          AND NOT EXISTS (
              SELECT 1 FROM release_default later
              WHERE later.sport_id = d.sport_id AND later.competition_id IS NOT DISTINCT FROM d.competition_id
                AND later.from_at > d.from_at AND later.from_at <= now()
          )
    )
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


@dataclass(frozen=True, slots=True)
class Stage:
    """Who points at releases: a worker's pool, a router's, and the writers on a connection of their own."""

    workers: Pool
    routers: Pool
    writers: Writers


Pointer: TypeAlias = Callable[[Stage, str, uuid.UUID], Awaitable[bool]]


async def created(stage: Stage, version: str, release_id: uuid.UUID) -> bool:
    """Pin a new fixture as whoever creates one does: share the row, read its status again, insert."""
    writers = stage.writers
    async with stage.workers.acquire() as conn, conn.transaction():
        status = await conn.fetchval("SELECT status FROM plugin_release WHERE id = $1 FOR SHARE", release_id)
        if status != "prod":
            return False
        await World(conn).fixture(
            f"created-{version}", competition=writers.event, sport=writers.sport, release=release_id
        )
        return True


async def set_for_a_fixture(stage: Stage, version: str, release_id: uuid.UUID) -> bool:
    """`results.set_release` on a fixture that has not started."""
    match = await stage.writers.match(mode="events", code=f"set-{version}")
    try:
        return bool((await match.write("release.set", version=version))["counts"])
    except RecordRefused as refused:
        if refused.args[0] != "release_not_prod":
            raise
        return False


async def made_default(stage: Stage, version: str, release_id: uuid.UUID) -> bool:
    """`omnium releases default` for one competition."""
    async with stage.routers.acquire() as conn:
        try:
            return bool(
                await set_default(conn, version, sport="football", competition="FBL", from_at=None, who="bob")
            )
        except Refused as refused:
            if refused.reason != "not_prod":
                raise
            return False


#: All ways to point at a release, each raced against `retire`. Moving a live match has a race of its own in
#: tests/integration/moves, since it needs matches that are on.
POINTERS: tuple[Pointer, ...] = (created, set_for_a_fixture, made_default)


async def after(seconds: float, done: Awaitable[T]) -> T:
    await asyncio.sleep(seconds)
    return await done


@pytest.mark.parametrize("pointer", POINTERS)
async def test_retiring_and_pointing_at_a_release_never_both_win(
    pointer: Pointer, pool: Pool, workers: Pool, database: Database, connection: Connection
) -> None:
    draw, own = random.Random(1), await database.connect()
    stage = Stage(workers, pool, await Writers.in_fresh_event(own))
    outcomes = set()
    for nth in range(ROUNDS):
        version = f"r{nth}"
        release_id = await release(World(connection), version, "football")
        outcome = await asyncio.gather(
            after(draw.random() * 0.006, retired(pool, version)),
            after(draw.random() * 0.006, pointer(stage, version, release_id)),
        )
        assert sum(outcome) == 1, version
        outcomes.add(tuple(outcome))
        assert await connection.fetchval(POINTING_AT_RETIRED) == 0, version
    await own.close()
    assert {(True, False), (False, True)} == outcomes


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


async def test_two_first_defaults_at_once_leave_one_first_row(
    pool: Pool, workers: Pool, database: Database, connection: Connection
) -> None:
    own = await database.connect()
    stage = Stage(workers, pool, await Writers.in_fresh_event(own))
    releases = {version: await release(World(connection), version, "football") for version in ("a", "b")}
    for _ in range(30):
        await connection.execute("DELETE FROM release_default")
        assert all(await asyncio.gather(*(made_default(stage, *one) for one in releases.items())))
        assert [
            await connection.fetchval("SELECT count(*) FROM release_default WHERE from_at = '-infinity'"),
            await connection.fetchval("SELECT count(*) FROM release_default"),
        ] == [1, 2]
    await own.close()
