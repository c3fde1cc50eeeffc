"""A worker's time in the fleet: from SERVING to gone, without a command lost on the way out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from omnium_worker.admission import Admission
from omnium_worker.budgets import Watchdog
from omnium_worker.doorbell import Doorbell
from omnium_worker.leases import Lease
from omnium_worker.lifetime import Lifetime, beside
from omnium_worker.server import CommandServicer, Server

#: Longer than routers take to hear of a draining lease: stopping sooner ends calls that never ran.
NOTICE_S: Final = 0.3
#: In which streams only refuse, so that callers have read what was answered and hang up.
FAREWELL_S: Final = 0.5
#: What the last answers get to be sent; a router that watches health holds its stream all that time.
LAST_WORDS_S: Final = 1.0

log = structlog.get_logger("omnium.worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """Everything that has to be told when a worker comes and goes."""

    server: Server
    servicer: CommandServicer
    admission: Admission
    lease: Lease
    bell: Doorbell
    watchdog: Watchdog
    lifetime: Lifetime
    settle: Callable[[], Awaitable[None]]
    grace_s: float

    async def work(self, tell: Callable[[], None]) -> None:
        """Take commands until it is time to stop; `tell` is called once they are taken."""
        async with beside(
            self.watchdog.run(), self.bell.run(), self.lease.run(), self.lifetime.watch_memory()
        ):
            await self.server.serving(on=True)
            await self.lease.take()
            tell()
            await self.lifetime.stop.wait()
            await self._drain()
        await self.lease.remove()

    async def _drain(self) -> None:
        """Say so first, take what still comes, then refuse, then finish, then close."""
        log.info("worker.draining", in_flight=self.admission.in_flight)
        await asyncio.gather(self.lease.drain(), self.server.serving(on=False))
        await asyncio.sleep(NOTICE_S)
        self.admission.close()
        try:
            async with asyncio.timeout(self.grace_s):
                await self.admission.idle()
                await self.settle()  # transactions whose callers went away
                await self.servicer.close_streams(FAREWELL_S)
        except TimeoutError:
            log.warning("worker.grace_over", in_flight=self.admission.in_flight)
        await self.server.stop(LAST_WORDS_S)
