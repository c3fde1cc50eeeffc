"""SIGTERM under load: everything that was answered is in the log, everything that was refused is not."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import grpc
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness.workers import RunningWorker, command, worker_process
from harness.world import Connection as Owner
from omnium_proto import command_pb2, command_pb2_grpc
from omnium_store.errors import ShuttingDown
from omnium_store.wire import from_status

from .conftest import Tallied


@dataclass(slots=True)
class Tried:
    """What became of the keys that one client sent."""

    accepted: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


async def unary(worker: RunningWorker, tallied: Tallied, tried: Tried) -> None:
    """Commands one after another until the worker is gone."""
    for number in range(10_000):
        request = command(
            tallied.fixture, "tally.add", {"entry": tallied.sides[0]}, key=f"u{id(tried)}-{number}"
        )
        try:
            answer = await worker.execute(request)
        except grpc.aio.AioRpcError as error:
            shutting = "shutting down" in (error.details() or "")
            (tried.refused if shutting else tried.unknown).append(request.key)
            return
        assert answer.accepted
        tried.accepted.append(request.key)


async def streamed(worker: RunningWorker, tallied: Tallied, tried: Tried) -> None:
    """The same over one stream, eight at a time, as a router does: it hangs up when it is refused."""
    stub: Any = command_pb2_grpc.CommandServiceStub(worker.channel)
    stream = stub.Multiplex(metadata=worker.credentials)
    places = asyncio.Semaphore(8)
    open_calls: dict[int, str] = {}
    sending = asyncio.create_task(_send(stream, tallied, places, open_calls, tried))
    async for answer in stream:
        key = open_calls.pop(answer.id)
        if answer.WhichOneof("outcome") == "execute":
            tried.accepted.append(key)
        else:
            assert isinstance(from_status(status_pb2.Status.FromString(answer.status)), ShuttingDown)
            tried.refused.append(key)
        places.release()
    await sending
    tried.unknown += open_calls.values()


async def _send(
    stream: Any, tallied: Tallied, places: asyncio.Semaphore, open_calls: dict[int, str], tried: Tried
) -> None:
    for number in range(100_000):
        await places.acquire()
        if tried.refused:
            break
        open_calls[number] = f"s{id(open_calls)}-{number}"
        request = command(tallied.fixture, "tally.add", {"entry": tallied.sides[1]}, key=open_calls[number])
        await stream.write(command_pb2.MultiplexRequest(id=number, execute=request))
    await stream.done_writing()


async def test_a_worker_that_stops_under_load_loses_nothing(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    await worker.execute(command(tallied.fixture, "tally.begin"))
    clients = [Tried() for _ in range(12)]
    load = [asyncio.create_task(unary(worker, tallied, tried)) for tried in clients[:8]]
    load += [asyncio.create_task(streamed(worker, tallied, tried)) for tried in clients[8:]]
    async with asyncio.timeout(20):
        while sum(len(tried.accepted) for tried in clients) < 150:  # noqa: ASYNC110  # many hands
            await asyncio.sleep(0.01)
    worker.terminate()
    assert await worker.ended() == 0
    await asyncio.gather(*load)
    logged = {
        row["idempotency_key"] for row in await owner.fetch("SELECT idempotency_key FROM timeline_item")
    }
    accepted = {key for tried in clients for key in tried.accepted}
    refused = {key for tried in clients for key in tried.refused}
    unknown = {key for tried in clients for key in tried.unknown}
    assert len(accepted) >= 150
    assert accepted <= logged
    assert not refused & logged
    assert not unknown & logged  # what reached nobody left no trace
    assert worker.logged("worker.grace_over") == []
    numbers = [row["seq"] for row in await owner.fetch("SELECT seq FROM timeline_item ORDER BY seq")]
    assert numbers == list(range(1, len(logged) + 1))


async def test_it_says_so_before_it_refuses(tallied: Tallied, worker: RunningWorker, owner: Owner) -> None:
    told = asyncio.Event()
    await owner.add_listener("omnium_fleet", lambda *_: told.set())
    watch = health_pb2_grpc.HealthStub(worker.channel).Watch(health_pb2.HealthCheckRequest())
    assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    worker.terminate()
    async with asyncio.timeout(2):
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
        await told.wait()
    # in the notice that routers get, commands are still taken
    assert (await worker.execute(command(tallied.fixture, "tally.begin"))).accepted
    assert await worker.ended() == 0


async def test_a_command_in_flight_is_finished(tallied: Tallied, worker: RunningWorker, owner: Owner) -> None:
    blocker = await asyncpg.connect(tallied.dsn)
    await blocker.execute("BEGIN")
    await blocker.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1::uuid))", tallied.fixture)
    waiting = asyncio.create_task(worker.execute(command(tallied.fixture, "tally.begin")))
    await asyncio.sleep(0.2)
    worker.terminate()
    await asyncio.sleep(0.8)
    assert not waiting.done()
    await blocker.execute("COMMIT")
    await blocker.close()
    assert json.loads((await waiting).answer)["seq"] == 1
    assert await worker.ended() == 0
    assert await owner.fetchval("SELECT count(*) FROM timeline_item") == 1


async def test_it_ends_when_its_grace_is_over(tallied: Tallied, owner: Owner) -> None:
    async with worker_process(
        tallied.dsn, tallied.home, tallied.release.version, OMNIUM_WORKER_GRACE_S="0.2"
    ) as worker:
        await owner.execute("BEGIN")
        await owner.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1::uuid))", tallied.fixture)
        waiting = asyncio.create_task(worker.execute(command(tallied.fixture, "tally.begin")))
        await asyncio.sleep(0.2)
        worker.terminate()
        assert await worker.ended(timeout=8) == 0
        assert len(worker.logged("worker.grace_over")) == 1
        await owner.execute("ROLLBACK")
        await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.exception() is not None


async def test_a_connection_limit_is_no_loss(tallied: Tallied, worker: RunningWorker) -> None:
    """More commands than connections: they wait for one, none is refused."""
    await worker.execute(command(tallied.fixture, "tally.begin"))
    add = {"entry": tallied.sides[0]}
    answers = await asyncio.gather(
        *(worker.execute(command(tallied.fixture, "tally.add", add)) for _ in range(60))
    )
    assert all(answer.accepted for answer in answers)
