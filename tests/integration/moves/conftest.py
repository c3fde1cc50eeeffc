"""An arena of each test's own, with a match that is on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from harness.arena import Arena, open_arena
from harness.postgres import Database


@pytest.fixture
async def arena(database: Database) -> AsyncIterator[Arena]:
    """A live court match, 3 to 1: what a three is worth is about to change."""
    async with open_arena(database, format={"target": 10}) as opened:
        await opened.started()
        await opened.point(worth=3)
        await opened.point(opened.away, worth=1)
        yield opened
        await opened.road.settle()


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What was logged: kept, not printed."""
    with capture_logs() as lines:
        yield lines
