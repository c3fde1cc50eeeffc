"""What the tests of releases share: wheels, a cache, a connection with the router's rights."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from harness.postgres import Database
from harness.wheels import MadeRelease, make_release, sample
from harness.world import World
from omnium_releases.registering import Registered, register
from omnium_store.database import Connection, connect

Register: TypeAlias = Callable[..., Awaitable[Registered]]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    """Two sound wheels; never changed."""
    return make_release(tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests of a process, so that the platform is compiled once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
async def conn(database: Database) -> AsyncIterator[Connection]:
    """A connection with the rights that the router has."""
    opened = await connect(database.dsn, role="omnium_router")
    yield opened
    await opened.close()


@pytest.fixture
def world(connection: Connection) -> World:
    """Rows straight in the tables."""
    return World(connection)


@pytest.fixture
def registering(conn: Connection, cache: Path) -> Register:
    """Register a made release as the router does; any argument may be another one."""

    async def go(made: MadeRelease, **given: Any) -> Registered:
        told: dict[str, Any] = {
            "flows": made.flows.read_bytes(),
            "flows_name": made.flows.name,
            "contract": made.contract.read_bytes(),
            "contract_name": made.contract.name,
            "env": "prod",
            "notes": "",
            "who": "ada",
            "cache": cache,
            "environment": "local",
        }
        return await register(conn, **{**told, **given})

    return go


def tally(**replaced: str) -> dict[str, str]:
    """The sample's source with words replaced."""
    source = sample("tally")
    for old, new in replaced.items():
        assert old in source
        source = source.replace(old, new)
    return {"tally/__init__.py": source}
