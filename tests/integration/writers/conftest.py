"""An event with football in it, and the writers on it."""

import pytest

from harness.world import Connection
from harness.writers import Writers


@pytest.fixture
async def writers(connection: Connection) -> Writers:
    """A fresh event of this test's own."""
    return await Writers.in_fresh_event(connection)
