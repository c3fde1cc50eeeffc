"""Brings the pools that there are to those that there should be, again and again."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Protocol

import structlog

from omnium_deploy.backends import Backend
from omnium_deploy.pools import PoolKey, PoolPlan, PoolRules, Want, plan
from omnium_deploy.wants import AWAY

log = structlog.get_logger("omnium.deploy")


class Wants(Protocol):
    """Who says which pools are wanted."""

    async def wants(self) -> list[Want]:
        """Every reason for a pool."""
        ...


class Reconciler:
    """Plans and carries out. `plans` is what it is about to do and why."""

    def __init__(
        self,
        wants: Wants,
        backend: Backend,
        rules: PoolRules,
        *,
        clock: Callable[[], float] = time.monotonic,
        every_s: float = 1.0,
    ) -> None:
        self.plans: list[PoolPlan] = []
        self._wants = wants
        self._backend = backend
        self._rules = rules
        self._clock = clock
        self._every_s = every_s
        self._idle_since: dict[PoolKey, float] = {}
        self._again = asyncio.Event()

    async def step(self) -> list[PoolPlan]:
        """One round. Raises one of `AWAY` when nobody can say what is wanted."""
        wants = await self._wants.wants()
        running = await self._backend.sizes()
        plans = plan(wants, running, self._idle_since, now=self._clock(), rules=self._rules)
        for one in plans:
            if one.size != running.get(one.key, 0):
                log.info("pool.resized", pool=str(one.key), size=one.size, why=list(one.why))
                await self._backend.resize(one.key, one.size)
        self._idle_since = {
            one.key: one.idle_since for one in plans if one.size and one.idle_since is not None
        }
        self.plans = [one for one in plans if one.size]
        return self.plans

    def ask(self) -> None:
        """Let the next round begin at once."""
        self._again.set()

    async def run(self) -> None:
        """Rounds without end. While the database is away the pools stay as they are."""
        away = False
        while True:
            try:
                await self.step()
                away = False
            except AWAY as error:
                if not away:
                    log.warning("pool.wants_unknown", error=f"{type(error).__name__}: {error}")
                away = True
            except Exception:
                log.error("pool.round_broke", exc_info=True)
            await self._pause()

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._again.wait(), self._every_s)
        self._again.clear()
