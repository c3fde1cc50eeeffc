"""Brings a whole fleet up on this machine, keeps it up, and takes it down again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from omnium_deploy import fleet_key, logs, strays
from omnium_deploy.database_keeper import DatabaseKeeper
from omnium_deploy.endpoints import Endpoints, forget
from omnium_deploy.errors import StartFailed
from omnium_deploy.fleet import Fleet
from omnium_deploy.home import Home
from omnium_deploy.launches import Launches
from omnium_deploy.ports import Ports
from omnium_deploy.registration import Registration
from omnium_deploy.settings import FleetSettings
from omnium_deploy.tokens import home_tokens
from omnium_deploy.warmth import warm
from omnium_store.embedded import EmbeddedServer
from omnium_store.migrations import migrate

log = structlog.get_logger("omnium.deploy")

Tell = Callable[[str], None]
LOOK_EVERY_S = 1.0
STARTING_LOOK_EVERY_S = 0.1
ROTATE_EVERY_S = 60.0


class Supervisor:
    """One fleet in one home. Only for who holds the home's lock."""

    def __init__(
        self, home: Home, settings: FleetSettings, *, port: int, flows: Sequence[Path], tell: Tell
    ) -> None:
        self._home = home
        self._settings = settings
        self._port = port
        self._flows = flows
        self._tell = tell
        self._phase = "starting"
        self._started_at = datetime.now(UTC).isoformat(timespec="seconds")
        self._database: DatabaseKeeper | None = None
        self._fleet: Fleet | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._end = asyncio.Event()
        self._broken: BaseException | None = None

    async def start(self) -> Endpoints:
        """Bring everything up and say where it answers. Raises the reason when something does not come up."""
        home = self._home
        await asyncio.to_thread(strays.sweep, home)
        forget(home)
        ports = Ports.choose(self._port)
        fleet_key.ensure(home)
        warmed = self._keep(warm(home))
        dsn = await self._start_database()
        registration = Registration(home, self._settings, dsn)
        offered = await registration.offered(self._flows)
        fleet = self._fleet = Fleet(Launches(home, dsn, ports), self._settings, changed=self._write_state)
        fleet.start_router()
        await warmed
        for release in await registration.register(offered):
            self._tell(release)
        await fleet.start_pools()
        self._keep(fleet.keep_pools())
        await self._until_ready(fleet)
        self._keep(self._look(fleet))
        endpoints = Endpoints(
            router=fleet.url,
            grpc=fleet.grpc,
            database=dsn,
            tokens=await home_tokens(home, dsn),
            pid=os.getpid(),
            home=str(home.root),
        )
        endpoints.write(home)
        self._say_phase("up")
        return endpoints

    def ask_to_stop(self) -> None:
        """Let `wait` return. Asked again, whoever is still ending is killed."""
        if self._end.is_set() and self._fleet:
            self._fleet.hurry()
        self._end.set()

    def ask_to_roll(self) -> None:
        """Replace all workers, one at a time."""
        if self._fleet:
            self._keep(self._fleet.roll())

    async def wait(self) -> None:
        """Until somebody asks to stop. Raises what broke the supervisor itself."""
        await self._end.wait()
        if self._broken:
            raise self._broken

    async def stop(self) -> None:
        """Take everything down; the data stays."""
        self._say_phase("stopping")
        forget(self._home)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._fleet:
            await self._fleet.stop()
        if self._database:
            await self._database.stop()
        self._home.state.unlink(missing_ok=True)
        log.info("fleet.stopped")

    async def _start_database(self) -> str:
        dsn = self._settings.database_url
        if dsn is None:
            self._database = DatabaseKeeper(EmbeddedServer(self._home.postgres))
            dsn = await self._database.start()
            self._keep(self._database.run())
        applied = await migrate(dsn)
        self._tell(f"database is up ({len(applied)} migrations applied)" if applied else "database is up")
        return dsn

    async def _until_ready(self, fleet: Fleet) -> None:
        deadline = time.monotonic() + self._settings.start_s
        while not self._end.is_set():
            probe = await fleet.look()
            waits_for = fleet.waits_for()
            if probe.well and not waits_for:
                return
            if trouble := fleet.trouble():
                raise trouble
            if time.monotonic() > deadline:
                why = "; ".join([*waits_for, *([f"the router says: {probe.why}"] if probe.why else [])])
                raise StartFailed(f"Not up after {self._settings.start_s:.0f} s: {why}.")
            await asyncio.sleep(STARTING_LOOK_EVERY_S)
        raise StartFailed("Stopped before it was up.")

    async def _look(self, fleet: Fleet) -> None:
        rotated = time.monotonic()
        while True:
            try:
                await fleet.look()
                self._write_state()
                if time.monotonic() - rotated > ROTATE_EVERY_S:
                    rotated = time.monotonic()
                    logs.set_aside(self._home.log, most_bytes=self._settings.log_most_bytes)
            except Exception:
                log.error("fleet.look_broke", exc_info=True)
            await asyncio.sleep(LOOK_EVERY_S)

    def _say_phase(self, phase: str) -> None:
        self._phase = phase
        self._write_state()
        log.info("fleet.phase", phase=phase)

    def _write_state(self) -> None:
        if self._fleet:
            state = self._fleet.state(phase=self._phase, started_at=self._started_at, database=self._database)
            try:
                state.write(self._home)
            except OSError as error:  # a full disk: what runs goes on
                log.warning("fleet.state_not_written", error=str(error))

    def _keep(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run something beside; if it breaks, the supervisor ends and says so."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        with contextlib.suppress(asyncio.CancelledError):
            if broken := task.exception():
                log.error("fleet.broken", exc_info=broken)
                self._broken = broken
                self._end.set()
