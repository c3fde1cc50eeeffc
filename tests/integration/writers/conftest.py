"""An event with football in it, and the writers on it; and an arena whose release has results and games."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from harness import courts
from harness.arena import Arena, open_arena
from harness.postgres import Database
from harness.world import Connection
from harness.writers import Writers
from omnium_flows.games import Games
from omnium_flows.results import Results


@pytest.fixture
async def writers(connection: Connection) -> Writers:
    """A fresh event of this test's own."""
    return await Writers.in_fresh_event(connection)


@pytest.fixture
async def arena(database: Database) -> AsyncIterator[Arena]:
    """A court match of Home and Away, and a release with its rules, results and games."""
    async with open_arena(database, courts.court(), Results, Games) as opened:
        yield opened
        await opened.road.settle()


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """What was logged: kept, not printed."""
    with capture_logs() as lines:
        yield lines
