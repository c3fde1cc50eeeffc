"""After a commit the worker rings, so that screens need not wait for the next safety read."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from omnium_store.errors import DatabaseAway
from omnium_store.statements import Statements
from omnium_worker.sideline import Sideline

#: At most one ring in this time: the first goes out at once, one more says that others came meanwhile.
SPACING_S: Final = 0.005
#: After a ring that failed. A lost ring costs one safety read, never a change.
BACK_OFF_S: Final = 0.5

log = structlog.get_logger("omnium.worker")


class Doorbell:
    """`ring` is for after the commit, never inside a transaction: there it would make all commits queue."""

    def __init__(self, sideline: Sideline) -> None:
        self._sideline = sideline
        self._statement = Statements.of("omnium_worker")["bell"]
        self._wanted = asyncio.Event()
        self._failing = False
        #: Rings that went out.
        self.rung = 0

    def ring(self) -> None:
        """Something was committed."""
        self._wanted.set()

    async def run(self) -> None:
        """Ring when it is wanted, until cancelled; a ring still owed then goes out first."""
        loop = asyncio.get_running_loop()
        try:
            while True:
                await self._wanted.wait()
                at = loop.time()
                rang = await self._ring_once()
                spacing = SPACING_S if rang else BACK_OFF_S
                await asyncio.sleep(at + spacing - loop.time())
        finally:
            if self._wanted.is_set():
                await self._ring_once()

    async def _ring_once(self) -> bool:
        self._wanted.clear()
        try:
            await self._sideline.fetchrow(self._statement)
        except DatabaseAway as error:
            self._wanted.set()
            if not self._failing:
                log.warning("worker.bell_failed", reason=error.message)
            self._failing = True
            return False
        self._failing = False
        self.rung += 1
        return True
