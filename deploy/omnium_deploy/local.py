"""The backend of one machine: pools are child processes of the supervisor."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import structlog

from omnium_deploy.kept import Kept, KeptState
from omnium_deploy.pools import PoolKey
from omnium_deploy.processes import Launch

log = structlog.get_logger("omnium.deploy")

LaunchWorker = Callable[[PoolKey, int], Launch]


@dataclass(slots=True)
class _Pool:
    target: int = 0
    rolling: bool = False
    workers: dict[int, Kept] = field(default_factory=dict)


class LocalBackend:
    """Keeps the workers of every pool running on this machine. Only for the event loop that made it."""

    def __init__(
        self,
        launch: LaunchWorker,
        *,
        drain_s: float = 30.0,
        roll_s: float = 60.0,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._launch = launch
        self._drain_s = drain_s
        self._roll_s = roll_s
        self._changed = changed
        self._pools: dict[PoolKey, _Pool] = {}
        self._leaving: set[asyncio.Task[None]] = set()
        self._rolling = asyncio.Lock()

    async def sizes(self) -> Mapping[PoolKey, int]:
        """How many workers each pool is to have (in a roll it has one more for a while)."""
        return {key: pool.target for key, pool in self._pools.items()}

    async def resize(self, key: PoolKey, size: int) -> None:
        """Start what is missing; ask the youngest to go where there are too many. They drain meanwhile."""
        pool = self._pools.setdefault(key, _Pool())
        pool.target = size
        if not pool.rolling:
            self._settle(key)

    async def roll(self, key: PoolKey) -> None:
        """Replace each worker: a new one serves first, then the old one is asked to go. One roll at a time.

        A new worker that does not come up in time is taken away again, and the roll stops there.
        """
        async with self._rolling:
            pool = self._pools.get(key)
            if pool is None:
                return
            pool.rolling = True
            try:
                done = await self._roll(key, pool)
            finally:
                pool.rolling = False
                self._settle(key)
        log.info("pool.rolled" if done else "pool.roll_stopped", pool=str(key))

    async def close(self) -> None:
        """End all workers at once and wait for them."""
        for key, pool in list(self._pools.items()):
            pool.target = 0
            self._settle(key)
        await asyncio.gather(*self._leaving)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to every worker."""
        for _, kept in self._all():
            kept.signal(number)

    def note(self, serving: Iterable[tuple[PoolKey, int]] | None, *, stuck_after_s: float) -> None:
        """Tell every worker whether it serves: pools and pids with a fresh lease; None: nobody can know."""
        known = None if serving is None else set(serving)
        for key, kept in self._all():
            well = None if known is None else (key, kept.state.pid) in known
            kept.note(well=well, stuck_after_s=stuck_after_s)

    def states(self) -> list[tuple[PoolKey, KeptState]]:
        """Every worker, by pool."""
        return [(key, kept.state) for key, kept in self._all()]

    def _all(self) -> Iterator[tuple[PoolKey, Kept]]:
        for key, pool in sorted(self._pools.items()):
            for slot in sorted(pool.workers):
                yield key, pool.workers[slot]

    def _settle(self, key: PoolKey) -> None:
        pool = self._pools[key]
        while len(pool.workers) < pool.target:
            self._add(key, pool)
        while len(pool.workers) > pool.target:
            self._remove(pool, max(pool.workers))
        if not pool.target:
            del self._pools[key]
        self._changed()

    async def _roll(self, key: PoolKey, pool: _Pool) -> bool:
        """Whether all old workers of the pool were replaced."""
        for slot in sorted(pool.workers):
            fresh = self._add(key, pool)
            if not await self._serves(pool.workers[fresh]):
                self._remove(pool, fresh)
                return False
            self._remove(pool, slot)
            if not pool.target:
                return False
        return True

    def _add(self, key: PoolKey, pool: _Pool) -> int:
        slot = next(number for number in range(1, len(pool.workers) + 2) if number not in pool.workers)
        kept = Kept(self._launch(key, slot), changed=self._changed)
        pool.workers[slot] = kept
        kept.start()
        return slot

    def _remove(self, pool: _Pool, slot: int) -> None:
        kept = pool.workers.pop(slot)
        task = asyncio.create_task(kept.stop(grace_s=self._drain_s))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _serves(self, kept: Kept) -> bool:
        deadline = time.monotonic() + self._roll_s
        while not kept.state.well:
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.05)
        return True
