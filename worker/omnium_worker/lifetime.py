"""When a process ends: on a signal, or because its release leaks; and what runs beside it until then."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Final

import structlog

from omnium_worker.memory import EXIT_STATUS, Memory

MEMORY_CHECK_S: Final = 1.0

log = structlog.get_logger("omnium.worker")


class Lifetime:
    """`stop` is set once, when the process should end; `status` is what it then ends with."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self.stop = asyncio.Event()
        self.status = 0

    def heed_signals(self) -> None:
        """End well on SIGTERM and SIGINT."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.stop.set)

    async def watch_memory(self) -> None:
        """End well while there is memory left to do it with, until cancelled."""
        while not self._memory.is_leaking():  # noqa: ASYNC110  # the system tells nobody; one has to look
            await asyncio.sleep(MEMORY_CHECK_S)
        log.error("worker.leaking", resident_mb=self._memory.resident() >> 20)
        self.status = EXIT_STATUS
        self.stop.set()


@asynccontextmanager
async def beside(*running: Coroutine[None, None, None]) -> AsyncIterator[None]:
    """Run these while the body runs. One that fails ends the body with it."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one) for one in running]
        yield
        for task in tasks:
            task.cancel()
