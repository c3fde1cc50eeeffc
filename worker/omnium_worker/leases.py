"""The worker's row in the fleet: who it is, where it is, that it lives."""

from __future__ import annotations

import asyncio
import os
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from omnium_store.errors import DatabaseAway
from omnium_store.statements import Statements
from omnium_worker.sideline import Sideline

HEARTBEAT_S: Final = 2.0
#: A slower answer says little about the database's clock.
PROMPT_S: Final = 0.2

log = structlog.get_logger("omnium.worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a lease says besides how busy its worker is."""

    address: str
    release_id: uuid.UUID
    code_sha: str
    contract_sha: str
    runtime_sha: str
    lane: str
    capacity: int
    build: str
    schema_number: int


class Lease:
    """One row of `worker_instance`; routers hear of every change at once and of silence after six seconds."""

    def __init__(self, sideline: Sideline, standing: Standing, in_flight: Callable[[], int]) -> None:
        self.id = uuid.uuid4()
        self._sideline = sideline
        self.standing = standing
        self._in_flight = in_flight
        self._statements = Statements.of("omnium_worker")
        self._draining = False
        self._failing = False
        #: Seconds to add to this machine's clock to get the database's, as the last prompt heartbeat told.
        self.clock_offset_s = 0.0
        #: When the database last took a heartbeat, by this process's monotonic clock.
        self.beaten_at = 0.0

    async def take(self) -> None:
        """Write the row. Raises `DatabaseAway`."""
        await self._write(news=True)

    async def run(self) -> None:
        """Beat every two seconds, until cancelled. A row that somebody cleared away comes back."""
        while True:
            await asyncio.sleep(HEARTBEAT_S)
            await self._try_write(news=False)

    async def drain(self) -> None:
        """Say that nothing new should come here."""
        self._draining = True
        await self._try_write(news=True)

    async def remove(self) -> None:
        """Say that the worker is gone."""
        try:
            await self._sideline.fetchrow(self._statements["lease_remove"], self.id)
        except DatabaseAway as error:
            log.warning("worker.lease_left_behind", reason=error.message)

    async def _try_write(self, *, news: bool) -> None:
        try:
            await self._write(news=news)
        except DatabaseAway as error:
            if not self._failing:
                log.warning("worker.lease_failed", reason=error.message)
            self._failing = True

    async def _write(self, *, news: bool) -> None:
        it = self.standing
        before = time.time()
        row = await self._sideline.fetchrow(
            self._statements["lease_write"],
            self.id,
            it.address,
            it.release_id,
            it.code_sha,
            it.contract_sha,
            it.runtime_sha,
            it.lane,
            it.capacity,
            self._in_flight(),
            it.build,
            it.schema_number,
            os.getpid(),
            self._draining,
            news,
        )
        after = time.time()
        self.beaten_at = time.monotonic()
        self._failing = False
        if row is not None and after - before <= PROMPT_S:
            self.clock_offset_s = row["database_now"] - (before + after) / 2
