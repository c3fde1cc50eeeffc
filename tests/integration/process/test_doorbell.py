"""Bells and leases on a real connection, and without one."""

from __future__ import annotations

import asyncio

import asyncpg
import pytest

from harness.postgres import Database
from omnium_store.errors import DatabaseAway
from omnium_worker.doorbell import Doorbell
from omnium_worker.lifetime import beside
from omnium_worker.sideline import Sideline


@pytest.fixture
async def rung(database: Database, connection: asyncpg.Connection[asyncpg.Record]) -> list[float]:
    heard: list[float] = []
    loop = asyncio.get_running_loop()
    await connection.add_listener("omnium_change", lambda *_: heard.append(loop.time()))
    return heard


async def heard(rung: list[float], count: int) -> None:
    async with asyncio.timeout(30):
        while len(rung) < count:  # noqa: ASYNC110 - a listener's callback sets no event
            await asyncio.sleep(0.001)


async def settled(connection: asyncpg.Connection[asyncpg.Record]) -> None:
    await asyncio.sleep(0.15)
    await connection.execute("SELECT 1")


async def test_the_first_ring_goes_out_at_once_and_one_more_says_that_others_came(
    database: Database, connection: asyncpg.Connection[asyncpg.Record], rung: list[float]
) -> None:
    sideline = Sideline(database.dsn, role="omnium_worker", application="test")
    bell = Doorbell(sideline)
    async with beside(bell.run()):
        bell.ring()
        await heard(rung, 1)  # opens the connection
        bell.ring()
        await heard(rung, 2)
        for _ in range(50):
            bell.ring()
        await heard(rung, 3)
        await settled(connection)
        assert len(rung) == 3
        assert bell.rung == 3
    await sideline.close()


async def test_a_ring_that_is_owed_goes_out_before_the_end(
    database: Database, connection: asyncpg.Connection[asyncpg.Record], rung: list[float]
) -> None:
    sideline = Sideline(database.dsn, role="omnium_worker", application="test")
    bell = Doorbell(sideline)
    async with beside(bell.run()):
        await asyncio.sleep(0)
        bell.ring()
    await settled(connection)
    assert len(rung) == 1
    await sideline.close()


async def test_a_ring_waits_for_a_database_that_was_away(
    database: Database, connection: asyncpg.Connection[asyncpg.Record], rung: list[float]
) -> None:
    sideline = Sideline(database.dsn, role="omnium_worker", application="omnium test sideline")
    bell = Doorbell(sideline)
    async with beside(bell.run()):
        bell.ring()
        await settled(connection)
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
            "omnium test sideline",
        )
        bell.ring()
        await asyncio.sleep(0.8)
        await settled(connection)
        assert len(rung) == 2
    await sideline.close()


async def test_a_bell_is_no_wait_for_the_disk(database: Database) -> None:
    sideline = Sideline(database.dsn, role="omnium_worker", application="test")
    row = await sideline.fetchrow("SELECT current_setting('synchronous_commit') AS wanted, $1::int AS n", 1)
    assert row is not None
    assert row["wanted"] == "off"
    await sideline.close()


async def test_a_database_that_is_not_there_is_away(unused_tcp_port: int) -> None:
    sideline = Sideline(
        f"postgresql://postgres@127.0.0.1:{unused_tcp_port}/none", role="omnium_worker", application="test"
    )
    with pytest.raises(DatabaseAway):
        await sideline.fetchrow("SELECT 1")
    await sideline.close()
