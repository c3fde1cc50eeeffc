"""An arena of each test's own; after every test that scored in it, what is stored must equal a fold from nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from harness.arena import Arena, open_arena
from harness.postgres import Database


@pytest.fixture
async def arena(database: Database) -> AsyncIterator[Arena]:
    """A court match that has not begun. Verified when the test is over."""
    async with open_arena(database) as opened:
        yield opened
        await opened.road.settle()
        assert await opened.problems() == ()
