"""Keeps the embedded PostgreSQL running: it is nobody's child, so that it is watched by its pid."""

from __future__ import annotations

import asyncio

import structlog

from omnium_deploy.backoff import Backoff
from omnium_store.embedded import EmbeddedServer
from omnium_store.errors import OmniumError

log = structlog.get_logger("omnium.deploy")


class DatabaseKeeper:
    """Starts the server again when it has died."""

    def __init__(self, server: EmbeddedServer, *, every_s: float = 0.25) -> None:
        self.restarts = 0
        self._server = server
        self._every_s = every_s
        self._backoff = Backoff(first_s=0.2, most_s=5.0)

    @property
    def pid(self) -> int | None:
        """Process id of the postmaster, if it lives."""
        return self._server.pid()

    async def start(self) -> str:
        """Start it and give its DSN."""
        return await asyncio.to_thread(self._server.start)

    async def run(self) -> None:
        """Watch it without end."""
        failures = 0
        while True:
            await asyncio.sleep(self._every_s if not failures else self._backoff.wait_s(deaths=failures))
            if self._server.is_running():
                failures = 0
                continue
            self.restarts += not failures
            log.warning("database.died", again=failures + 1)
            try:
                await self.start()
            except (OmniumError, OSError) as error:
                failures += 1
                log.error("database.not_started", error=str(error))

    async def stop(self) -> None:
        """Stop it; what was committed is safe."""
        await asyncio.to_thread(self._server.stop)
