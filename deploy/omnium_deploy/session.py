"""One run of a fleet in the foreground of its process: from taking the home to letting it go."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO, cast

from omnium_deploy.endpoints import Endpoints
from omnium_deploy.errors import StartFailed
from omnium_deploy.holding import claim
from omnium_deploy.home import Home
from omnium_deploy.logs import LogFile
from omnium_deploy.reports import Reporter, Told, Up
from omnium_deploy.settings import FleetSettings
from omnium_deploy.supervisor import Supervisor
from omnium_store.journal import open_journal

#: Works on the fleet once it answers, before anybody is told; what it says is told too.
Furnish = Callable[[Endpoints], str]


@dataclass(frozen=True, slots=True)
class Start:
    """What was asked for."""

    home: Home
    settings: FleetSettings
    port: int
    flows: Sequence[Path]
    furnish: Furnish


async def run(start: Start, reporter: Reporter) -> None:
    """Bring the fleet up and keep it until a signal asks to stop. In a home where one runs, only say so.

    Raises the reason when it does not come up; then nothing of it runs.
    """
    start.home.prepare()
    claimed = await claim(start.home, wait_s=start.settings.start_s)
    if isinstance(claimed, Endpoints):
        reporter.report(Up(already=True))
        return
    try:
        with contextlib.closing(LogFile(start.home.supervisor_log)) as stream:
            open_journal("supervisor", stream=cast(TextIO, stream))
            await _supervise(start, reporter)
    finally:
        claimed.release()


async def _supervise(start: Start, reporter: Reporter) -> None:
    supervisor = Supervisor(
        start.home,
        start.settings,
        port=start.port,
        flows=start.flows,
        tell=lambda text: reporter.report(Told(text)),
    )
    _listen_to_signals(supervisor)
    try:
        endpoints = await _unless_stopped(supervisor)
        reporter.report(Told(await asyncio.to_thread(start.furnish, endpoints)))
        reporter.report(Up(already=False))
        await supervisor.wait()
    finally:
        await supervisor.stop()


async def _unless_stopped(supervisor: Supervisor) -> Endpoints:
    """Start it; a signal that asks to stop ends the start, whatever it waits for."""
    starting = asyncio.create_task(supervisor.start())
    stopped = asyncio.create_task(supervisor.wait())
    await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if starting.done():
        stopped.cancel()
        return starting.result()
    starting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await starting
    stopped.result()
    raise StartFailed("Stopped before it was up.")


def _listen_to_signals(supervisor: Supervisor) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, supervisor.ask_to_stop)
    loop.add_signal_handler(signal.SIGUSR1, supervisor.ask_to_roll)
