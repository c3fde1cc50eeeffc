"""Connections: limits, the lock's key, and servers that are refused."""

from __future__ import annotations

import uuid
from pathlib import Path
from types import SimpleNamespace

import asyncpg
import pytest

from harness.postgres import Database
from omnium_store.database import Connection, Limits, connect, create_pool, lock_key, refuse_old
from omnium_store.embedded import EmbeddedServer, free_port
from omnium_store.errors import DatabaseAway, Refused

IDS = [
    uuid.UUID("00000000-0000-0000-0000-000000000000"),
    uuid.UUID("ffffffff-ffff-ffff-ffff-ffffffffffff"),
    uuid.UUID("0192f0c8-7a3b-7def-8000-000000000001"),
    uuid.UUID("0192f0c8-7a3b-7def-7fff-ffffffffffff"),
    *(uuid.uuid4() for _ in range(50)),
]


async def test_a_subjects_lock_has_one_key_in_python_and_in_sql(connection: Connection) -> None:
    for subject in IDS:
        assert await connection.fetchval("SELECT lock_key_v1($1)", subject) == lock_key(subject)


def test_ids_made_in_one_moment_have_keys_of_their_own() -> None:
    moment = bytes.fromhex("0192f0c87a3b7def")
    assert (
        len({lock_key(uuid.UUID(bytes=moment + number.to_bytes(8, "big"))) for number in range(1000)}) == 1000
    )


async def test_limits_bind_every_statement_of_a_connection(database: Database) -> None:
    connection = await connect(database.dsn, limits=Limits(statement_ms=50, idle_in_transaction_ms=9000))
    assert await connection.fetchval("SHOW idle_in_transaction_session_timeout") == "9s"
    with pytest.raises(asyncpg.QueryCanceledError):
        await connection.execute("SELECT pg_sleep(5)")
    await connection.close()


async def test_a_pool_gives_connections_with_its_limits_and_name(database: Database) -> None:
    limits = Limits(statement_ms=1000, transaction_ms=2000, lock_ms=500)
    pool = await create_pool(database.dsn, size=2, application="omnium test", limits=limits)
    async with pool.acquire() as connection:
        expected = {"statement_timeout": "1s", "lock_timeout": "500ms", "application_name": "omnium test"}
        if connection.get_server_version().major >= 17:
            expected["transaction_timeout"] = "2s"
        assert {name: await connection.fetchval(f"SHOW {name}") for name in expected} == expected
    await pool.close()


def test_a_server_without_a_transaction_timeout_is_not_asked_for_one() -> None:
    assert Limits(transaction_ms=5).settings(16) == {}
    assert Limits(transaction_ms=5).settings(17) == {"transaction_timeout": "5"}


async def test_json_comes_as_the_text_that_it_is(connection: Connection) -> None:
    assert await connection.fetchval("""SELECT '{"b": 1,  "a":2}'::json""") == '{"b": 1,  "a":2}'


async def test_a_server_that_is_not_there_is_away() -> None:
    dsn = f"postgresql://u:p@127.0.0.1:{free_port()}/db"
    for opening in (connect(dsn), create_pool(dsn, role="omnium_worker")):
        with pytest.raises(DatabaseAway, match="does not answer"):
            await opening


async def test_a_wrong_password_or_database_is_refused_with_the_way_out(
    private_server: EmbeddedServer,
) -> None:
    right = private_server.dsn()
    for dsn in (right.replace("omnium:", "omnium:x", 1), f"{right}_not"):
        with pytest.raises(Refused, match="OMNIUM_DATABASE_URL") as caught:
            await connect(dsn)
        assert caught.value.reason == "database_refuses"


async def test_a_server_without_a_free_connection_is_away(private_server: EmbeddedServer) -> None:
    owner = await asyncpg.connect(private_server.dsn())
    await owner.execute("CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 0")
    await owner.close()
    dsn = private_server.dsn().partition("@")[2]
    with pytest.raises(DatabaseAway, match="too many connections"):
        await connect(f"postgresql://few:few@{dsn}")


def test_a_server_before_15_is_refused_with_the_way_out() -> None:
    old = SimpleNamespace(get_server_version=lambda: SimpleNamespace(major=14))
    with pytest.raises(Refused, match=r"PostgreSQL 14.*15 or newer.*OMNIUM_DATABASE_URL"):
        refuse_old(old)  # type: ignore[arg-type]  # a stand-in: no such server is at hand


async def test_a_standby_is_refused(private_server: EmbeddedServer) -> None:
    private_server.stop()
    (Path(private_server.home) / "data" / "standby.signal").touch()
    dsn = private_server.start()
    for opening in (connect(dsn), create_pool(dsn)):
        with pytest.raises(DatabaseAway, match="is a standby") as caught:
            await opening
        assert caught.value.reason == "database_is_standby"
