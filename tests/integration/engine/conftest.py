"""An arena of each test's own; after every test, what is stored must equal a fold from nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from harness.arena import Arena, open_arena
from harness.postgres import Database


@pytest.fixture
async def arena(database: Database) -> AsyncIterator[Arena]:
    """A court match that has not begun. Verified when the test is over."""
    async with open_arena(database) as opened:
        yield opened
        await opened.road.settle()
        assert await opened.problems() == ()


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What was logged: kept, not printed."""
    with capture_logs() as lines:
        yield lines
