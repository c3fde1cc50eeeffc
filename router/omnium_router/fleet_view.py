"""The fleet as this router sees it: for people, and as gauges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prometheus_client.core import GaugeMetricFamily

from omnium_router.fleet import Fleet
from omnium_router.pools import Pool
from omnium_router.workers import Worker


def fleet_document(fleet: Fleet, *, database_away: bool) -> dict[str, Any]:
    """Pools and workers; `databaseAway` says that the list may be old."""
    pools = sorted(fleet.pools(), key=lambda pool: (pool.release.version, pool.lane))
    return {"databaseAway": database_away, "pools": [_pool(pool) for pool in pools]}


def fleet_gauges(fleet: Fleet, *, pins: int, suspects: int) -> Iterator[GaugeMetricFamily]:
    """What can be read off at any moment."""
    labels = ["release", "lane"]
    ready = GaugeMetricFamily("omnium_router_workers_ready", "Workers that answer.", labels=labels)
    known = GaugeMetricFamily("omnium_router_workers", "Workers that hold a lease.", labels=labels)
    busy = GaugeMetricFamily("omnium_router_pool_in_flight", "Commands at workers.", labels=labels)
    waiting = GaugeMetricFamily(
        "omnium_router_pool_waiting", "Commands that wait for a worker.", labels=labels
    )
    for pool in fleet.pools():
        names = [pool.release.version, pool.lane]
        ready.add_metric(names, len(pool.ready))
        known.add_metric(names, len(pool.workers))
        busy.add_metric(names, sum(worker.in_flight for worker in pool.workers.values()))
        waiting.add_metric(names, pool.waiting)
    yield from (ready, known, busy, waiting)
    yield GaugeMetricFamily("omnium_router_pins", "Fixtures whose pin is remembered.", value=pins)
    yield GaugeMetricFamily("omnium_router_suspects", "Commands that a worker died with.", value=suspects)


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "release": pool.release.version,
        "codeSha": pool.release.code_sha,
        "lane": pool.lane,
        "ready": len(pool.ready),
        "waiting": pool.waiting,
        "workers": [_worker(worker) for worker in sorted(pool.workers.values(), key=_address)],
    }


def _worker(worker: Worker) -> dict[str, Any]:
    lease = worker.lease
    return {
        "id": str(lease.id),
        "address": lease.address,
        "pid": lease.pid,
        "build": lease.build,
        "contractSha": lease.release.contract_sha,
        "runtimeSha": lease.runtime_sha,
        "capacity": lease.capacity,
        "inFlight": worker.in_flight,
        "ready": worker.is_ready,
        "serving": worker.serving,
        "ejected": worker.is_ejected,
        "draining": lease.draining,
        "heartbeatAgeMs": lease.heartbeat_age_ms,
    }


def _address(worker: Worker) -> str:
    return worker.lease.address
