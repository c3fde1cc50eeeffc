"""Who has a home: taking it, finding the fleet that runs in it, ending that."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from enum import Enum, auto

from omnium_deploy import strays
from omnium_deploy.endpoints import Endpoints, forget
from omnium_deploy.errors import HomeBusy, NotRunning
from omnium_deploy.home import Home, HomeLock, holder
from omnium_deploy.identities import birth
from omnium_deploy.probes import ask
from omnium_store.embedded import EmbeddedServer

_EVERY_S = 0.1


class Ended(Enum):
    """What `end` found."""

    STOPPED = auto()
    KILLED = auto()  # it did not stop in time
    NOTHING_RAN = auto()


async def claim(home: Home, *, wait_s: float) -> HomeLock | Endpoints:
    """The lock of a home, or the endpoints of the fleet that runs in it.

    One that starts or stops just now is waited for. Raises `HomeBusy` when that takes too long.
    """
    deadline = time.monotonic() + wait_s
    while True:
        if lock := HomeLock.take(home):
            return lock
        if endpoints := await running(home):
            return endpoints
        if time.monotonic() > deadline:
            raise HomeBusy(
                f"Process {holder(home)} holds {home.root} and does not answer. "
                f"End it: omnium down --home {home.root}"
            )
        await asyncio.sleep(_EVERY_S)


async def running(home: Home) -> Endpoints | None:
    """The endpoints of the fleet that runs and answers in a home, or None."""
    if holder(home) is None:
        return None
    try:
        endpoints = Endpoints.read(home)
    except NotRunning:
        return None
    probe = await ask(endpoints.router, "/readyz")
    return endpoints if probe.well else None


def end(home: Home, *, wait_s: float) -> Ended:
    """Stop what runs in a home, and whatever a killed supervisor left there. The data stays."""
    if not home.exists():
        return Ended.NOTHING_RAN
    found = Ended.NOTHING_RAN
    deadline = time.monotonic() + wait_s
    told = 0
    while (lock := HomeLock.take(home)) is None:
        pid = holder(home) or 0
        if pid and pid != told:
            told, found = pid, Ended.STOPPED
            _signal(pid, signal.SIGTERM)
        if pid and time.monotonic() > deadline:
            found = Ended.KILLED
            _signal(pid, signal.SIGKILL)
        time.sleep(_EVERY_S)
    try:
        _see_off(told, deadline)
        return _sweep(home) or found
    finally:
        lock.release()


def _see_off(pid: int, deadline: float) -> None:
    """Wait until a process that has let go of the home is really gone."""
    while pid and birth(pid) and time.monotonic() < deadline:
        time.sleep(_EVERY_S / 5)


def _sweep(home: Home) -> Ended | None:
    """What is left of a fleet whose supervisor is gone; None when that is nothing."""
    forget(home)
    left = bool(strays.sweep(home))
    server = EmbeddedServer(home.postgres)
    if server.is_running():
        server.stop()
        left = True
    return Ended.STOPPED if left else None


def _signal(pid: int, number: signal.Signals) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return
