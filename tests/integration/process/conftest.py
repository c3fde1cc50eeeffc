"""A registered release of the sample `tally`, a fixture pinned to it, and a worker of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import pytest

from harness.postgres import Database
from harness.wheels import MadeRelease, make_release
from harness.workers import RunningWorker, add_fixture, register_release, worker_process


@dataclass(frozen=True, slots=True)
class Tallied:
    """A database with one release and one fixture of it."""

    dsn: str
    home: Path
    release: MadeRelease
    fixture: str
    sides: list[str]


@pytest.fixture
async def tallied(database: Database, tmp_path: Path) -> Tallied:
    release = make_release(tmp_path / "wheels")
    release_id = await register_release(database.dsn, release, tmp_path)
    fixture, sides = await add_fixture(database.dsn, release_id, workflow="tally")
    return Tallied(database.dsn, tmp_path, release, fixture, sides)


@pytest.fixture
async def worker(tallied: Tallied) -> AsyncIterator[RunningWorker]:
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as running:
        yield running


@pytest.fixture
async def owner(tallied: Tallied) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(tallied.dsn)
    yield connection
    await connection.close()
