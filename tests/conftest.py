"""Fixtures that all tests share; what they are made of is in `tests/harness`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import asyncpg
import pytest

from harness.postgres import Database, SharedServer, run_name, server_folder, shared_server
from harness.world import World
from omnium_store.embedded import TEST_SETTINGS, EmbeddedServer


@pytest.fixture(scope="session")
def postgres() -> Iterator[SharedServer]:
    """The run's PostgreSQL, shared by all its processes. Never stop or kill it: that is `private_server`."""
    with shared_server(run_name()) as server:
        yield server


@pytest.fixture
def database(postgres: SharedServer) -> Iterator[Database]:
    """A fresh migrated database of this test's own."""
    made = postgres.make()
    yield made
    postgres.drop(made)


@pytest.fixture
def empty_database(postgres: SharedServer) -> Iterator[Database]:
    """A fresh database that was never migrated."""
    made = postgres.make(migrated=False)
    yield made
    postgres.drop(made)


@pytest.fixture
async def connection(database: Database) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    """A connection of the owner to this test's database."""
    opened = await database.connect()
    yield opened
    await opened.close()


@pytest.fixture
def world(connection: asyncpg.Connection[asyncpg.Record]) -> World:
    """Makes rows in this test's database."""
    return World(connection)


@pytest.fixture
def private_server() -> Iterator[EmbeddedServer]:
    """A server of this test's own, started and empty, which it may kill."""
    with server_folder() as folder:
        server = EmbeddedServer(folder / "pg", settings=TEST_SETTINGS)
        server.start()
        yield server
        server.stop()


@pytest.fixture
def server_home() -> Iterator[Path]:
    """A folder for a home with an embedded server (`tmp_path` is closed to the server's own user)."""
    with server_folder() as folder:
        yield folder
