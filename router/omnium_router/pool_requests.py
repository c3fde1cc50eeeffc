"""Asking for workers of a release that has none ready: a row for whoever looks after pools, one a second."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

import structlog

from omnium_router.databases import Database
from omnium_router.identities import ReleaseRef
from omnium_store.errors import DatabaseAway
from omnium_store.statements import Statements

AT_MOST_EVERY_S: Final = 1.0

log = structlog.get_logger("omnium.router")


class PoolRequests:
    """Writes start requests beside the commands that wait, never in their way."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._database = database
        self._clock = clock
        self._asked: dict[tuple[str, str], float] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, release: ReleaseRef, lane: str, reason: str) -> None:
        """Somebody needs workers of this release."""
        now = self._clock()
        if now - self._asked.get((release.version, lane), -AT_MOST_EVERY_S) < AT_MOST_EVERY_S:
            return
        self._asked[release.version, lane] = now
        log.warning("router.release_unavailable", release=release.version, lane=lane, reason=reason)
        task = asyncio.create_task(self._write(release, lane, reason), name="pool request")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def written(self) -> None:
        """Wait until what was asked so far is written, or could not be."""
        await asyncio.gather(*self._tasks)

    async def close(self) -> None:
        """Give up what is still being asked."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _write(self, release: ReleaseRef, lane: str, reason: str) -> None:
        sql = Statements.of("omnium_router")
        try:
            async with self._database.connection() as connection:
                await connection.execute(sql["ask_for_pool"], release.id, lane, reason)
                await connection.execute(sql["ring_fleet"])
        except DatabaseAway:
            self._asked.pop((release.version, lane), None)  # the next command asks again
