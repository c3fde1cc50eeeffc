"""The workers of one release and lane: who is ready, who is chosen, who has to wait.

Each pool has its own queue and limits, so that a release in trouble leaves the others alone.
"""

from __future__ import annotations

import asyncio
import math
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from omnium_router.identities import ReleaseRef
from omnium_router.workers import Worker
from omnium_store.errors import Overloaded, ReleaseUnavailable

SHARE: Final = 1.25  # how far above the mean the worker that a fixture prefers may be
LEAST_SHARE: Final = 2
MASK: Final = 0xFFFF_FFFF_FFFF_FFFF
MIXER: Final = 0x9E37_79B9_7F4A_7C15


def score(fixture: int, seed: int) -> int:
    """Rendezvous hashing: the same fixture ranks the same workers the same way, in every router."""
    mixed = ((fixture & MASK) ^ seed) * MIXER & MASK
    mixed = (mixed ^ mixed >> 29) * MIXER & MASK
    return mixed ^ mixed >> 32


class Pool:
    """The workers of one release in one lane."""

    def __init__(self, release: ReleaseRef, lane: str, *, queue: int, clock: Callable[[], float]) -> None:
        self.release = release
        self.lane = lane
        self.workers: dict[uuid.UUID, Worker] = {}
        self._queue = queue
        self._clock = clock
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._alone = asyncio.Lock()

    @property
    def ready(self) -> list[Worker]:
        """Those that answer now."""
        return [worker for worker in self.workers.values() if worker.is_ready]

    @property
    def waiting(self) -> int:
        """How many commands wait for a worker with room."""
        return len(self._waiting)

    @asynccontextmanager
    async def worker_for(
        self, fixture: int | None, *, deadline: float, grace_s: float
    ) -> AsyncIterator[Worker]:
        """A worker with room: the one that the fixture prefers, or the least busy one without a fixture.

        Raises `ReleaseUnavailable` when none is ready within `grace_s`, `Overloaded` when too many wait.
        """
        worker = None if self._waiting else self._choose(fixture)  # who came first goes first
        if worker is None:
            worker = await self._wait_for(lambda: self._choose(fixture), deadline=deadline, grace_s=grace_s)
        worker.in_flight += 1
        try:
            yield worker
        finally:
            worker.in_flight -= 1
            self._wake(1)

    @asynccontextmanager
    async def worker_alone(self, *, deadline: float, grace_s: float) -> AsyncIterator[Worker]:
        """A worker that does nothing else meanwhile, for a command that is suspected of stopping workers."""
        async with self._turn(deadline):
            worker = self._reserve() or await self._wait_for(
                self._reserve, deadline=deadline, grace_s=grace_s
            )
            try:
                while worker.in_flight:
                    if self._clock() >= deadline:
                        raise self._gave_up()
                    await self._woken(deadline)
                worker.in_flight += 1
                try:
                    yield worker
                finally:
                    worker.in_flight -= 1
            finally:
                worker.reserved = False
                self.wake_all()

    def wake_all(self) -> None:
        """Something changed: whoever waits looks again."""
        self._wake(len(self._waiting))

    def _choose(self, fixture: int | None) -> Worker | None:
        ready = self.ready
        free = [
            worker for worker in ready if not worker.reserved and worker.in_flight < worker.lease.capacity
        ]
        if not free:
            return None
        if fixture is None or len(free) == 1:
            return min(free, key=_busyness)
        share = max(LEAST_SHARE, math.ceil(SHARE * (1 + sum(w.in_flight for w in ready)) / len(ready)))
        within = [worker for worker in free if worker.in_flight < share] or free
        return max(within, key=lambda worker: score(fixture, worker.seed))

    def _reserve(self) -> Worker | None:
        free = [worker for worker in self.ready if not worker.reserved]
        if not free:
            return None
        worker = min(free, key=_busyness)
        worker.reserved = True
        return worker

    async def _wait_for(
        self, look: Callable[[], Worker | None], *, deadline: float, grace_s: float
    ) -> Worker:
        """Wait for `look` to find one, in a bounded queue, and without a ready worker only for the grace."""
        if len(self._waiting) >= self._queue:
            raise Overloaded(
                f"Too many commands wait for release {self.release.version}. Nothing has run; try again.",
                metadata={"release": self.release.version},
            )
        unready_until = self._clock() + grace_s
        while True:
            until = deadline if self.ready else min(deadline, unready_until)
            if self._clock() >= until:
                raise self._gave_up()
            await self._woken(until)
            found = look()
            if found is not None:
                return found

    async def _woken(self, until: float) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            async with asyncio.timeout(max(0.0, until - self._clock())):
                await turn
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._wake(1)  # the room that was ours goes to the next
            raise
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)

    def _gave_up(self) -> Exception:
        if not self.ready:
            return ReleaseUnavailable(self.release.version)
        return Overloaded(
            f"All workers of release {self.release.version} were busy until the deadline. Nothing has run.",
            metadata={"release": self.release.version},
        )

    @asynccontextmanager
    async def _turn(self, deadline: float) -> AsyncIterator[None]:
        """One suspect at a time."""
        try:
            async with asyncio.timeout(max(0.0, deadline - self._clock())):
                await self._alone.acquire()
        except TimeoutError:
            raise self._gave_up() from None
        try:
            yield
        finally:
            self._alone.release()

    def _wake(self, count: int) -> None:
        for _ in range(min(count, len(self._waiting))):
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)


def _busyness(worker: Worker) -> tuple[float, int]:
    return worker.in_flight / max(1, worker.lease.capacity), worker.seed
