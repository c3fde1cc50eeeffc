"""A worker put together. Imported only once the release's folder was entered: its contract is used here."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import asyncpg
import structlog

from omnium_contract.flows.program import FORMAT_NUMBER
from omnium_proto import command_pb2_grpc, move_pb2_grpc, replay_pb2_grpc
from omnium_store.database import Limits, create_pool
from omnium_store.errors import NotFound
from omnium_store.migrations import schema_number
from omnium_store.statements import Statements
from omnium_worker.admission import Admission
from omnium_worker.calls import Calls
from omnium_worker.doorbell import Doorbell
from omnium_worker.epochs import EpochWatch
from omnium_worker.host import Host
from omnium_worker.leases import Lease, Standing
from omnium_worker.lifetime import beside
from omnium_worker.loading import check_programs, warm_up
from omnium_worker.move_service import MoveServicer
from omnium_worker.moves import Moves
from omnium_worker.process import ROLE, Unpacked
from omnium_worker.replay import ReplayServicer
from omnium_worker.road import Road, RoadSettings
from omnium_worker.server import COMMANDS, MOVES, REPLAY, CommandServicer, KeyCheck, Server
from omnium_worker.settings import ReplaySettings, WorkerSettings
from omnium_worker.shell import Shell
from omnium_worker.shift import Shift
from omnium_worker.sideline import Sideline

CLOSING_S: Final = 2.0

log = structlog.get_logger("omnium.worker")


async def serve_commands(release: Unpacked, settings: WorkerSettings, *, began: float) -> int:
    """Take commands of this release until told to stop; the exit status."""
    key = KeyCheck(_fleet_key(settings.fleet_key))
    shell = Shell(release, settings)
    async with AsyncExitStack() as opened:
        sideline = Sideline(settings.database_url, role=ROLE, application="omnium worker lease")
        opened.push_async_callback(sideline.close)
        pool, _ = await asyncio.gather(_pool(settings, EpochWatch()), sideline.open())
        opened.push_async_callback(_close, pool)
        check_programs(shell.host, await _stored_programs(pool, release))
        warm_up(shell.host)
        shift = await _shift(shell, settings, pool=pool, sideline=sideline, key=key)
        metrics = _serve_metrics(shell, settings, shift)
        shell.lifetime.heed_signals()
        shell.memory.limit()
        address = shift.lease.standing.address
        await shift.work(
            lambda: shell.tell_serving(address, began=began, lane=settings.worker_lane, metrics=metrics)
        )
    log.info("worker.stopped", status=shell.lifetime.status)
    return shell.lifetime.status


async def serve_replays(release: Unpacked, settings: ReplaySettings, *, began: float) -> int:
    """Take replays of this release until told to stop; the exit status."""
    shell = Shell(release, settings)
    warm_up(shell.host)
    server = Server()
    key = settings.fleet_key.read_text().strip() if settings.fleet_key.exists() else None
    replay_pb2_grpc.add_ReplayServiceServicer_to_server(
        ReplayServicer(shell.host, shell.guard, KeyCheck(key)), server.grpc
    )
    server.offer(REPLAY)
    address = await server.start(settings.worker_listen)
    shell.lifetime.heed_signals()
    shell.memory.limit()
    async with beside(shell.watchdog.run(), shell.lifetime.watch_memory()):
        await server.serving(on=True)
        shell.tell_serving(address, began=began)
        await shell.lifetime.stop.wait()
        await server.serving(on=False)
        await server.stop(settings.worker_grace_s)
    return shell.lifetime.status


async def _shift(
    shell: Shell, settings: WorkerSettings, *, pool: asyncpg.Pool[Any], sideline: Sideline, key: KeyCheck
) -> Shift:
    bell = Doorbell(sideline)
    admission = Admission(settings.worker_capacity)
    road = Road(
        shell.host,
        pool,
        shell.host.identity,
        bell.ring,
        settings=RoadSettings(lane=settings.worker_lane),
    )
    calls = Calls(
        road,
        admission=admission,
        metrics=shell.metrics,
        memory=shell.memory,
        longest_s=settings.worker_timeout_ms / 1000,
    )
    moves = Moves(shell.host, pool, bell.ring, lane=settings.worker_lane)
    server, servicer = Server(), CommandServicer(calls, key)
    command_pb2_grpc.add_CommandServiceServicer_to_server(servicer, server.grpc)
    move_pb2_grpc.add_MoveServiceServicer_to_server(
        MoveServicer(moves, key, admission=admission, memory=shell.memory), server.grpc
    )
    server.offer(COMMANDS)
    server.offer(MOVES)
    address = await server.start(settings.worker_listen, advertise=settings.worker_advertise)
    return Shift(
        server=server,
        servicer=servicer,
        admission=admission,
        lease=Lease(sideline, _standing(shell.host, settings, address), lambda: admission.in_flight),
        bell=bell,
        watchdog=shell.watchdog,
        lifetime=shell.lifetime,
        settle=lambda: _settle(road, moves),
        grace_s=settings.worker_grace_s,
    )


async def _settle(road: Road, moves: Moves) -> None:
    """Wait for transactions whose callers went away."""
    await asyncio.gather(road.settle(), moves.settle())


def _standing(host: Host, settings: WorkerSettings, address: str) -> Standing:
    identity = host.identity
    return Standing(
        address=address,
        release_id=identity.release_id,
        code_sha=identity.code_sha,
        contract_sha=identity.contract_sha,
        runtime_sha=identity.runtime_sha,
        lane=settings.worker_lane,
        capacity=settings.worker_capacity,
        build=metadata.version("omnium-platform"),
        schema_number=schema_number(),
    )


def _fleet_key(file: Path) -> str:
    """The key that routers show. A worker without one would take commands from anybody."""
    try:
        key = file.read_text().strip()
    except OSError as error:
        raise NotFound(
            f"There is no fleet key at {file} ({error.strerror}). `omnium up` makes one; "
            "elsewhere put the fleet's key there, readable by this user alone.",
            reason="no_fleet_key",
        ) from error
    if not key:
        raise NotFound(f"The fleet key at {file} is empty.", reason="no_fleet_key")
    return key


async def _pool(settings: WorkerSettings, epochs: EpochWatch) -> asyncpg.Pool[asyncpg.Record]:
    """Connections whose limits end a statement before its command's time is over."""
    most = settings.worker_timeout_ms
    return await create_pool(
        settings.database_url,
        role=ROLE,
        size=settings.worker_pool_size,
        application="omnium worker",
        limits=Limits(
            statement_ms=most - most // 20,
            transaction_ms=most,
            # a worker that froze with a subject's lock in its hand lets go before its lease is over
            idle_in_transaction_ms=min(most, 5_000),
            lock_ms=most // 2,
        ),
        on_connect=epochs.check,
    )


async def _close(pool: asyncpg.Pool[asyncpg.Record]) -> None:
    """Wait a little for connections that are still in use, then drop them."""
    try:
        async with asyncio.timeout(CLOSING_S):
            await pool.close()
    except TimeoutError:
        pool.terminate()


async def _stored_programs(pool: asyncpg.Pool[asyncpg.Record], release: Unpacked) -> dict[str, str]:
    rows = await pool.fetch(Statements.of("omnium_worker")["stored_programs"], release.id, FORMAT_NUMBER)
    return {row["workflow"]: row["checksum"] for row in rows}


def _watch(shell: Shell, shift: Shift) -> None:
    """Gauges that are read when somebody asks."""
    watch, started = shell.metrics.watch, time.monotonic()
    watch("in_flight", "Commands in flight.", lambda: shift.admission.in_flight)
    watch("capacity", "Commands that may be in flight.", lambda: shift.admission.capacity)
    shell.metrics.count("bells", "Rings of the doorbell.", lambda: shift.bell.rung)
    shell.metrics.count("components_seconds", "Time in component code.", lambda: shell.guard.seconds)
    shell.metrics.count("component_calls", "Calls of components.", lambda: shell.guard.calls)
    watch(
        "clock_offset_seconds", "The database's clock minus this one's.", lambda: shift.lease.clock_offset_s
    )
    watch(
        "lease_age_seconds",
        "Since the database last took a heartbeat.",
        lambda: time.monotonic() - (shift.lease.beaten_at or started),
    )


def _serve_metrics(shell: Shell, settings: WorkerSettings, shift: Shift) -> int | None:
    """The port of /metrics, None where it is not wanted."""
    if settings.metrics_listen is None:
        return None
    identity = shell.host.identity
    shell.metrics.tell(
        release=identity.version,
        code_sha=identity.code_sha,
        runtime_sha=identity.runtime_sha,
        lane=settings.worker_lane,
        build=metadata.version("omnium-platform"),
    )
    _watch(shell, shift)
    return shell.metrics.serve(settings.metrics_listen)
