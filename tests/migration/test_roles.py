"""Each service may touch what it needs and nothing else; without the right to make roles all still works."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest
from structlog.testing import capture_logs

from harness.postgres import Database
from harness.world import World
from omnium_store.database import connect, create_pool
from omnium_store.embedded import EmbeddedServer
from omnium_store.migrations import ROLES, migrate, status

WRITES = [
    ("omnium_router", "actor_token", True),
    ("omnium_router", "competition", True),
    ("omnium_router", "release_artifact", True),
    ("omnium_router", "domain_event", True),
    ("omnium_router", "fixture", False),
    ("omnium_router", "timeline_item", False),
    ("omnium_router", "scoreboard", False),
    ("omnium_worker", "timeline_item", True),
    ("omnium_worker", "scoreboard", True),
    ("omnium_worker", "refused_command", True),
    ("omnium_worker", "worker_instance", True),
    ("omnium_worker", "plugin_release", False),
    ("omnium_worker", "release_artifact", False),
    ("omnium_worker", "release_default", False),
    ("omnium_worker", "actor_token", False),
    ("omnium_worker", "schema_migration", False),
    ("omnium_push", "push_instance", True),
    ("omnium_push", "fixture", False),
    ("omnium_push", "domain_event", False),
]


@asynccontextmanager
async def as_role(database: Database, role: str) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await connect(database.dsn, role=role)
    try:
        yield connection
    finally:
        await connection.close()


@pytest.mark.parametrize("role", ROLES)
async def test_every_service_reads_all_tables_and_makes_none(database: Database, role: str) -> None:
    async with as_role(database, role) as connection:
        assert await connection.fetchval("SELECT current_user") == role
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        assert len(tables) > 30
        for table in tables:
            await connection.fetchval(
                f'SELECT count(*) FROM "{table["tablename"]}"'
            )  # names from the catalog
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("CREATE TABLE mine (id int)")


@pytest.mark.parametrize(("role", "table", "may"), WRITES)
async def test_a_service_writes_its_own_tables_only(
    database: Database, role: str, table: str, may: bool
) -> None:
    async with as_role(database, role) as connection:
        assert await connection.fetchval("SELECT has_table_privilege($1, 'INSERT')", table) is may


@pytest.mark.parametrize("right", ["UPDATE", "DELETE", "TRUNCATE"])
@pytest.mark.parametrize("table", ["timeline_item", "timeline_actor", "refused_command", "domain_event"])
async def test_no_service_changes_or_removes_what_was_logged(
    database: Database, table: str, right: str
) -> None:
    for role in ROLES:
        async with as_role(database, role) as connection:
            assert await connection.fetchval("SELECT has_table_privilege($1, $2)", table, right) is False


async def test_a_worker_may_hold_a_release_against_being_retired(database: Database, world: World) -> None:
    release = await world.release()
    async with as_role(database, "omnium_worker") as connection:
        held = await connection.fetchval("SELECT status FROM plugin_release WHERE id = $1 FOR SHARE", release)
        assert held == "prod"
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("UPDATE plugin_release SET status = 'retired' WHERE id = $1", release)


async def test_a_pool_keeps_its_role_after_a_connection_was_given_back(database: Database) -> None:
    pool = await create_pool(database.dsn, role="omnium_worker", size=1)
    for _ in range(2):
        async with pool.acquire() as connection:
            assert await connection.fetchval("SELECT current_user") == "omnium_worker"
            await connection.execute("SET application_name = 'changed'")
    await pool.close()


async def test_an_owner_who_may_not_make_roles_works_without_them(private_server: EmbeddedServer) -> None:
    admin = await asyncpg.connect(private_server.dsn())
    await admin.execute("CREATE ROLE plain LOGIN PASSWORD 'plain'")
    await admin.execute("CREATE DATABASE theirs OWNER plain")
    dsn = private_server.dsn("theirs").replace("omnium:", "plain:", 1)
    dsn = dsn.replace(dsn.partition("plain:")[2].partition("@")[0], "plain", 1)
    with capture_logs() as logs:
        await migrate(dsn)
        connection = await connect(dsn, role="omnium_worker")
    assert await connection.fetchval("SELECT current_user") == "plain"
    assert {"schema.roles_unavailable", "database.role_missing"} <= {line["event"] for line in logs}

    for role in ROLES:
        await admin.execute(f"CREATE ROLE {role} NOLOGIN")
        await admin.execute(f"GRANT {role} TO plain")
    assert "role/grants" in (await status(dsn)).pending
    assert await migrate(dsn) == ["role/roles", "role/grants"]
    other = await connect(dsn, role="omnium_worker")
    assert await other.fetchval("SELECT current_user") == "omnium_worker"
    for opened in (connection, other, admin):
        await opened.close()
