"""One child process: its own group, its own log file, and an end no later than its supervisor's."""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from omnium_deploy.identities import birth

_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Launch:
    """How one process is started. `name` is unique in its home and names its log."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    log: Path


class Process:
    """A child that runs, or has ended."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self._child = child
        self.pid = child.pid
        self.born = birth(child.pid) or ""
        self.started = time.monotonic()

    @classmethod
    async def start(cls, launch: Launch) -> Process:
        """Start it. What it prints is appended to its log."""
        log = os.open(launch.log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            child = await asyncio.create_subprocess_exec(
                *launch.command,
                env=dict(launch.environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is the supervisor's, which stops its children in order
                preexec_fn=_leash(os.getpid()),
            )
        finally:
            os.close(log)
        return cls(child)

    async def wait(self) -> int:
        """Its return code, once it has ended; a negative one is the signal that ended it."""
        return await self._child.wait()

    async def stop(self, *, grace_s: float) -> int:
        """Ask it to end, and end it after the grace together with all that it started."""
        self.signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self.wait(), grace_s)
        except TimeoutError:
            return await self.kill()

    async def kill(self) -> int:
        """End it and all that it started, now."""
        self.end_now()
        return await self.wait()

    def end_now(self) -> None:
        """Kill it and all that it started, without waiting."""
        self.signal(signal.SIGKILL)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to its group, unless it has ended."""
        if self._child.returncode is None:
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:
                return


def _leash(supervisor: int) -> Callable[[], None] | None:
    """What a child does before it becomes its program: on Linux it asks to be ended with its parent.

    Elsewhere the next start finds what a killed supervisor left (see `strays`).
    """
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None, use_errno=True).prctl

    def ask() -> None:
        prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != supervisor:  # it died in between
            os._exit(1)

    return ask
