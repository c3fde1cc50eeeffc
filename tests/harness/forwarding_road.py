"""A router's forwarding and a fleet behind it, without database or HTTP."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.stand_in import StandIn, release, until
from omnium_proto import command_pb2
from omnium_router.fleet import Fleet
from omnium_router.forwarding import Forwarding, Parcel
from omnium_router.identities import LIVE, CommandIdentity, ReleaseRef
from omnium_router.metrics import Metrics
from omnium_router.poisoned import Suspects
from omnium_router.settings import RouterSettings

OLD = release("1.0.0")
NEW = release("2.0.0")
FIXTURE = uuid.UUID("8d2e4f60-1a3b-4c5d-8e9f-0a1b2c3d4e5f")


class NoPins:
    """Knows two releases."""

    async def correct(self, fixture: uuid.UUID | None, version: str) -> ReleaseRef:
        return {"1.0.0": OLD, "2.0.0": NEW}[version]


@dataclass
class Asked:
    """Start requests that were made."""

    of: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, asked: ReleaseRef, lane: str, reason: str) -> None:
        self.of.append((asked.version, lane))


@dataclass
class Road:
    """A router's forwarding and the fleet behind it."""

    fleet: Fleet
    forwarding: Forwarding
    suspects: Suspects
    asked: Asked
    workers: list[StandIn]

    async def add(self, *workers: StandIn) -> None:
        for worker in workers:
            await worker.start()
        self.workers += workers
        self.renew()
        await until(lambda: all(self.is_ready(worker) for worker in workers))

    def renew(self, *, draining: StandIn | None = None) -> None:
        self.fleet.take([worker.lease(draining=worker is draining) for worker in self.workers])

    def is_ready(self, worker: StandIn) -> bool:
        pool = self.fleet.pool(worker.release, worker.lane)
        return worker.id in pool.workers and pool.workers[worker.id].is_ready

    def holder(self, key: str) -> StandIn | None:
        return next((w for w in self.workers if any(r.key == key for r in w.taken)), None)

    async def send(self, key: str, **changes: Any) -> dict[str, Any]:
        reply = await self.forwarding.forward(parcel(key, **changes))
        answer: dict[str, Any] = json.loads(reply.answer)
        return answer


def parcel(key: str, *, seconds: float = 5.0, **changes: Any) -> Parcel:
    made = Parcel(
        request=command_pb2.ExecuteRequest(code="football.goal", key=key, input=b"{}"),
        identity=CommandIdentity("person:ada", f"fixture/{FIXTURE}", key),
        fixture=FIXTURE,
        affinity=FIXTURE.int,
        release=OLD,
        lane=LIVE,
        deadline=time.monotonic() + seconds,
    )
    return replace(made, **changes)


@asynccontextmanager
async def made_road(tmp_path: Path, **settings: Any) -> AsyncIterator[Road]:
    chosen = RouterSettings(
        database_url="postgresql://nowhere/none", home=tmp_path, **{"router_ejection_ms": 200, **settings}
    )
    metrics = Metrics()
    suspects = Suspects(clock=time.monotonic, ttl_s=600)
    fleet = Fleet(chosen, fleet_key="key", suspects=suspects, metrics=metrics)
    asked = Asked()
    forwarding = Forwarding(
        fleet,
        NoPins(),  # type: ignore[arg-type]  # the one question that forwarding asks of pins
        suspects,
        pool_requests=asked,  # type: ignore[arg-type]  # writes to a list instead of a table
        metrics=metrics,
        wait_for_worker_s=chosen.router_wait_for_worker_ms / 1000,
    )
    road = Road(fleet, forwarding, suspects, asked, [])
    try:
        yield road
    finally:
        await fleet.close()
        for worker in road.workers:
            await worker.die()
