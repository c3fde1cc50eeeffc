"""All workers that hold a lease, sorted into pools; the one place where workers come and go."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Iterator, Sequence

import structlog

from omnium_router.identities import ReleaseRef
from omnium_router.leases import Lease
from omnium_router.links import FLEET_KEY_HEADER
from omnium_router.metrics import Metrics
from omnium_router.poisoned import Suspects
from omnium_router.pools import Pool
from omnium_router.settings import RouterSettings
from omnium_router.workers import Worker, WorkerTerms

log = structlog.get_logger("omnium.router")

PoolName = tuple[str, str]  # version, lane


class Fleet:
    """The pools by release and lane, kept as the leases say."""

    def __init__(
        self,
        settings: RouterSettings,
        *,
        fleet_key: str,
        suspects: Suspects,
        metrics: Metrics,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._metrics = metrics
        self._terms = WorkerTerms(
            metadata=((FLEET_KEY_HEADER, fleet_key),),
            link=settings.router_link,
            ejection_s=settings.router_ejection_ms / 1000,
            clock=clock,
            suspects=suspects,
            on_change=self._changed,
            on_ejected=self._ejected,
        )
        self._pools: dict[PoolName, Pool] = {}
        self._workers: dict[uuid.UUID, Worker] = {}
        self._leaving: set[asyncio.Task[None]] = set()

    def pool(self, release: ReleaseRef, lane: str) -> Pool:
        """The pool of a release in a lane; it may be empty."""
        found = self._pools.get((release.version, lane))
        if found is None:
            found = Pool(release, lane, queue=self._settings.router_queue_per_pool, clock=self._clock)
            self._pools[release.version, lane] = found
        return found

    def pools(self) -> Iterator[Pool]:
        """All pools that anybody has asked for or that have workers."""
        return iter(self._pools.values())

    def take(self, leases: Sequence[Lease]) -> None:
        """The list was read: new workers join, known ones are renewed, the others have gone."""
        listed = {lease.id: lease for lease in leases}
        for lease in leases:
            known = self._workers.get(lease.id)
            if known is None or known.lease.address != lease.address:
                self._join(lease)
            else:
                known.renew(lease)
        for gone in self._workers.keys() - listed.keys():
            self._leave(self._workers[gone], is_gone=True)

    async def close(self) -> None:
        """Let go of all workers; they go on without us."""
        for worker in list(self._workers.values()):
            self._leave(worker, is_gone=False)
        await asyncio.gather(*self._leaving, return_exceptions=True)

    def _join(self, lease: Lease) -> None:
        if (before := self._workers.get(lease.id)) is not None:
            self._leave(before, is_gone=True)
        worker = Worker(lease, self._terms)
        self._workers[lease.id] = worker
        self.pool(lease.release, lease.lane).workers[lease.id] = worker
        log.info("router.worker_found", worker=str(lease.id), address=lease.address,
                 release=lease.release.version, lane=lease.lane)  # fmt: skip

    def _leave(self, worker: Worker, *, is_gone: bool) -> None:
        lease = worker.lease
        self._workers.pop(lease.id, None)
        self.pool(lease.release, lease.lane).workers.pop(lease.id, None)
        task = asyncio.create_task(worker.close(is_gone=is_gone), name=f"leave {lease.address}")
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        if is_gone:
            log.info("router.worker_gone", worker=str(lease.id), address=lease.address,
                     release=lease.release.version, draining=lease.draining)  # fmt: skip

    def _changed(self, worker: Worker) -> None:
        self.pool(worker.lease.release, worker.lease.lane).wake_all()

    def _ejected(self, worker: Worker, why: str) -> None:
        self._metrics.ejected(worker.lease.release.version, why)
