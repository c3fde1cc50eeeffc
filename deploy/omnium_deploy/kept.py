"""Keeps one process running: starts it again with a growing wait when it dies, and when it is stuck."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from omnium_deploy.backoff import Backoff
from omnium_deploy.processes import Launch, Process

log = structlog.get_logger("omnium.deploy")


@dataclass(frozen=True, slots=True)
class KeptState:
    """What there is to say of a kept process. `pid` is None between two lives."""

    name: str
    pid: int | None
    born: str
    restarts: int
    well: bool
    last_exit: int | None


class Kept:
    """One process that shall run. `run` is its task; `stop` ends both."""

    def __init__(
        self, launch: Launch, *, backoff: Backoff | None = None, changed: Callable[[], None] = lambda: None
    ) -> None:
        self.launch = launch
        self._backoff = backoff or Backoff()
        self._changed = changed
        self._process: Process | None = None
        self._stopping = asyncio.Event()
        self._grace_s = 0.0
        self._deaths = 0
        self._restarts = 0
        self._last_exit: int | None = None
        self._well = False
        self._seen_well = time.monotonic()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to keep it."""
        self._task = asyncio.create_task(self._run(), name=f"kept {self.launch.name}")

    @property
    def state(self) -> KeptState:
        """How it is now."""
        process = self._process
        return KeptState(
            name=self.launch.name,
            pid=process.pid if process else None,
            born=process.born if process else "",
            restarts=self._restarts,
            well=self._well,
            last_exit=self._last_exit,
        )

    def note(self, *, well: bool | None, stuck_after_s: float) -> None:
        """Tell it whether its process answers; None: nobody can know. One stuck for so long is killed."""
        now = time.monotonic()
        if well is not False:
            self._seen_well = now
        if well is not None and well != self._well:
            self._well = well
            self._changed()
        if self._process and now - self._seen_well > stuck_after_s:
            log.warning("process.stuck", process=self.launch.name, pid=self._process.pid, for_s=stuck_after_s)
            self._seen_well = now
            self._process.end_now()

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it lives."""
        if self._process:
            self._process.signal(number)

    async def stop(self, *, grace_s: float) -> None:
        """End the process and do not start it again."""
        self._grace_s = grace_s
        self._stopping.set()
        if self._task:
            await self._task

    async def _run(self) -> None:
        while not self._stopping.is_set():
            lived_s = await self._live()
            if not self._stopping.is_set():
                await self._wait_after(lived_s)

    async def _live(self) -> float:
        """One life of the process; how many seconds it had."""
        try:
            process = await Process.start(self.launch)
        except OSError as error:  # no memory or no pid left: the same as dying at once
            log.error("process.not_started", process=self.launch.name, error=str(error))
            return 0.0
        self._process = process
        self._seen_well = process.started
        log.info("process.started", process=self.launch.name, pid=process.pid)
        self._changed()
        self._last_exit = await self._until_end(process)
        self._process = None
        self._well = False
        self._changed()
        return time.monotonic() - process.started

    async def _until_end(self, process: Process) -> int:
        """Its return code, when it has ended by itself or because it had to."""
        ended = asyncio.create_task(process.wait())
        told = asyncio.create_task(self._stopping.wait())
        await asyncio.wait({ended, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if not ended.done():
            await process.stop(grace_s=self._grace_s)
        return await ended

    async def _wait_after(self, lived_s: float) -> None:
        self._deaths = self._backoff.deaths(self._deaths, lived_s=lived_s)
        wait_s = self._backoff.wait_s(deaths=self._deaths)
        log.warning(
            "process.died",
            process=self.launch.name,
            exit=self._last_exit,
            lived_s=round(lived_s, 3),
            again_in_s=wait_s,
        )
        self._restarts += 1
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), wait_s)
