"""Migrations from nothing, twice, changed, and beside old code."""

from __future__ import annotations

from harness.postgres import Database
from omnium_store.migrations import migrate, status


async def test_migrating_twice_is_a_no_op(empty_database: Database) -> None:
    first = await migrate(empty_database.dsn)
    assert "pre/0001_initial" in first
    assert await migrate(empty_database.dsn) == []
    assert (await status(empty_database.dsn)).is_current
