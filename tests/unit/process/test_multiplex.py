"""Commands over a stream and alone, with a road that does as it is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.rpc import status_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from omnium_proto import command_pb2, command_pb2_grpc
from omnium_store.errors import (
    BadRequest,
    InternalError,
    OmniumError,
    OutOfTime,
    Overloaded,
    ShuttingDown,
    Unauthenticated,
    WrongRelease,
)
from omnium_store.wire import from_status
from omnium_worker.admission import Admission
from omnium_worker.calls import Calls
from omnium_worker.memory import Memory
from omnium_worker.metrics import Metrics
from omnium_worker.server import COMMANDS, CommandServicer, KeyCheck, Server

KEY = "0123456789abcdef"
SHOWN = (("x-omnium-fleet-key", KEY),)

Does = Callable[[command_pb2.ExecuteRequest, float], Awaitable[command_pb2.ExecuteResponse]]


class ToldRoad:
    """A road whose commands do what their code says; it keeps what began, what ended, and their time."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []
        self.timeouts: list[float] = []
        self.released = asyncio.Event()

    async def execute(
        self, request: command_pb2.ExecuteRequest, *, timeout: float
    ) -> command_pb2.ExecuteResponse:
        self.began.append(request.key)
        self.timeouts.append(timeout)
        match request.code:
            case "wait":
                await self.released.wait()
            case "raise":
                raise RuntimeError("unforeseen")
            case "elsewhere":
                raise WrongRelease("0.2.0")
        self.ended.append(request.key)
        return command_pb2.ExecuteResponse(answer=request.key.encode(), accepted=True)


class Bench:
    """A server on a free port around a `ToldRoad`, and a channel to it."""

    def __init__(self, *, capacity: int = 100) -> None:
        self.road = ToldRoad()
        self.metrics = Metrics(["tally"])
        self.admission = Admission(capacity)
        calls = Calls(
            self.road, admission=self.admission, metrics=self.metrics, memory=Memory(0), longest_s=10
        )
        self.servicer = CommandServicer(calls, KeyCheck(KEY))
        self.server = Server()
        command_pb2_grpc.add_CommandServiceServicer_to_server(self.servicer, self.server.grpc)
        self.server.offer(COMMANDS)

    async def start(self) -> None:
        self.address = await self.server.start("127.0.0.1:0")
        self.channel = grpc.aio.insecure_channel(self.address)
        # typeshed knows no end of a stream
        self.stub: Any = command_pb2_grpc.CommandServiceStub(self.channel)

    async def stop(self) -> None:
        self.road.released.set()
        await self.channel.close()
        await self.server.stop(0)

    def counted(self, outcome: str, workflow: str = "tally") -> float | None:
        labels = {"workflow": workflow, "outcome": outcome}
        return self.metrics.registry.get_sample_value("omnium_worker_commands_total", labels)


@asynccontextmanager
async def bench(*, capacity: int = 100) -> AsyncIterator[Bench]:
    made = Bench(capacity=capacity)
    await made.start()
    try:
        yield made
    finally:
        await made.stop()


def asked(key: str, code: str = "go", workflow: str = "tally") -> command_pb2.ExecuteRequest:
    return command_pb2.ExecuteRequest(workflow=workflow, code=code, key=key)


def sent(number: int, code: str = "go", *, timeout_ms: int = 0) -> command_pb2.MultiplexRequest:
    return command_pb2.MultiplexRequest(id=number, execute=asked(f"k{number}", code), timeout_ms=timeout_ms)


def cancelled(number: int) -> command_pb2.MultiplexRequest:
    return command_pb2.MultiplexRequest(id=number, cancel=command_pb2.Cancel())


def error_in(answer: command_pb2.MultiplexResponse) -> OmniumError:
    return from_status(status_pb2.Status.FromString(answer.status))


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110  # conditions of the other side
            await asyncio.sleep(0.001)


async def refused_unary(at: Bench, request: command_pb2.ExecuteRequest, **more: object) -> OmniumError:
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await at.stub.Execute(request, **{"metadata": SHOWN, **more})
    status = rpc_status.from_call(raised.value)
    assert status is not None
    return from_status(status)


async def test_a_command_is_answered_over_a_unary_call() -> None:
    async with bench() as at:
        answer = await at.stub.Execute(asked("k1"), metadata=SHOWN)
        assert answer.answer == b"k1"
        assert at.counted("accepted") == 1


async def test_commands_of_a_stream_are_answered_by_their_ids_in_any_order() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "wait"))
        await stream.write(sent(2))
        assert (await stream.read()).id == 2
        at.road.released.set()
        assert (await stream.read()).id == 1


async def test_a_stream_carries_many_commands_at_once() -> None:
    async with bench(capacity=1000) as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        for number in range(500):
            await stream.write(sent(number))
        await stream.done_writing()
        answers = {answer.id: answer.execute.answer async for answer in stream}
        assert {number: f"k{number}".encode() for number in range(500)} == answers


async def test_calls_that_travel_together_are_answered_together_where_the_caller_takes_that() -> None:
    async with bench(capacity=1000) as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        first = sent(0, "wait")
        first.takes_more = True
        first.more.extend(sent(number, "wait") for number in range(1, 200))
        await stream.write(first)
        await until(lambda: len(at.road.began) == 200)
        at.road.released.set()
        await stream.done_writing()
        messages = [message async for message in stream]
        answers = [one for message in messages for one in (message, *message.more)]
        assert {one.id: one.execute.answer for one in answers} == {n: f"k{n}".encode() for n in range(200)}
        assert len(messages) < 100


async def test_a_caller_that_does_not_say_so_gets_one_answer_a_message() -> None:
    async with bench(capacity=1000) as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        for number in range(50):
            await stream.write(sent(number, "wait"))
        await until(lambda: len(at.road.began) == 50)
        at.road.released.set()
        await stream.done_writing()
        assert [len(message.more) async for message in stream] == [0] * 50


async def test_a_caller_without_the_fleets_key_is_refused_on_both_ways() -> None:
    async with bench() as at:
        assert isinstance(await refused_unary(at, asked("k1"), metadata=()), Unauthenticated)
        wrong = (("x-omnium-fleet-key", KEY + "x"),)
        assert isinstance(await refused_unary(at, asked("k1"), metadata=wrong), Unauthenticated)
        stream = at.stub.Multiplex()
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await stream.read()
        assert raised.value.code() == grpc.StatusCode.UNAUTHENTICATED
        assert at.road.began == []


async def test_errors_keep_their_kind_and_reason_on_both_ways() -> None:
    async with bench() as at:
        alone = await refused_unary(at, asked("k1", "elsewhere"))
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "elsewhere"))
        for error in (alone, error_in(await stream.read())):
            assert isinstance(error, WrongRelease)
            assert error.metadata == {"release": "0.2.0"}
        assert at.counted("wrong_release") == 2


async def test_what_nobody_foresaw_is_an_internal_error_with_an_id_and_without_its_message() -> None:
    async with bench() as at:
        error = await refused_unary(at, asked("k1", "raise"))
        assert isinstance(error, InternalError)
        assert "unforeseen" not in error.message
        assert error.metadata["id"] in error.message
        assert at.counted("internal") == 1


async def test_beyond_its_capacity_a_worker_refuses_before_anything_runs() -> None:
    async with bench(capacity=2) as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        for number in (1, 2, 3):
            await stream.write(sent(number, "wait"))
        answer = await stream.read()
        assert answer.id == 3
        assert isinstance(error_in(answer), Overloaded)
        assert at.road.began == ["k1", "k2"]
        at.road.released.set()
        assert {1, 2} == {(await stream.read()).id, (await stream.read()).id}
        await stream.write(sent(4))
        assert (await stream.read()).id == 4


async def test_a_call_that_is_taken_back_is_answered_as_unknown_and_leaves_its_place() -> None:
    async with bench(capacity=1) as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "wait"))
        await until(lambda: at.road.began == ["k1"])
        await stream.write(cancelled(1))
        answer = await stream.read()
        error = error_in(answer)
        assert (answer.id, error.reason) == (1, "cancelled")
        assert isinstance(error, OutOfTime)
        assert at.admission.in_flight == 0
        await stream.write(cancelled(99))  # one that is not open is nothing
        await stream.write(sent(1))
        assert (await stream.read()).execute.answer == b"k1"


async def test_an_id_that_is_still_open_is_refused() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "wait"))
        await stream.write(sent(1))
        assert isinstance(error_in(await stream.read()), BadRequest)
        at.road.released.set()
        assert (await stream.read()).execute.answer == b"k1"


async def test_a_message_that_asks_nothing_is_refused() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(command_pb2.MultiplexRequest(id=7))
        answer = await stream.read()
        assert answer.id == 7
        assert isinstance(error_in(answer), BadRequest)


async def test_each_call_has_its_own_time_within_the_servers_limit() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        for timeout_ms in (0, 1500, 60_000):
            await stream.write(sent(timeout_ms, timeout_ms=timeout_ms))
            await stream.read()
        await at.stub.Execute(asked("k1"), metadata=SHOWN, timeout=2)
        await at.stub.Execute(asked("k2"), metadata=SHOWN)
        assert at.road.timeouts[:3] == [10, 1.5, 10]
        assert 1 < at.road.timeouts[3] < 2.1
        assert at.road.timeouts[4] == 10


async def test_commands_of_a_caller_that_goes_away_are_taken_back() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "wait"))
        await until(lambda: at.road.began == ["k1"])
        stream.cancel()
        await until(lambda: at.admission.in_flight == 0)
        assert at.road.ended == []
        assert at.counted("cancelled") == 1


async def test_closing_refuses_what_is_new_finishes_what_runs_and_ends_streams_well() -> None:
    async with bench() as at:
        stream = at.stub.Multiplex(metadata=SHOWN)
        await stream.write(sent(1, "wait"))
        await until(lambda: at.road.began == ["k1"])
        at.admission.close()
        await stream.write(sent(2))
        answer = await stream.read()
        assert (2, ShuttingDown) == (answer.id, type(error_in(answer)))
        assert isinstance(await refused_unary(at, asked("k3")), ShuttingDown)
        closing = asyncio.create_task(at.servicer.close_streams(0.02))
        await asyncio.sleep(0.05)
        assert not closing.done()
        at.road.released.set()
        assert (await stream.read()).execute.answer == b"k1"
        assert await stream.read() == grpc.aio.EOF
        assert await stream.code() == grpc.StatusCode.OK
        await closing
        await at.admission.idle()
        assert at.road.began == ["k1"]


async def test_health_says_serving_only_when_told_and_reflection_names_the_service() -> None:
    async with bench() as at:
        health = health_pb2_grpc.HealthStub(at.channel)
        for service in ("", COMMANDS):
            answer = await health.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.NOT_SERVING
        await at.server.serving(on=True)
        answer = await health.Check(health_pb2.HealthCheckRequest(service=COMMANDS))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        stub = reflection_pb2_grpc.ServerReflectionStub(at.channel)
        listing = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        names = [service.name for service in (await listing.read()).list_services_response.service]
        assert COMMANDS in names


async def test_a_second_server_on_the_port_does_not_start() -> None:
    async with bench() as at:
        second = Server()
        with pytest.raises(OSError, match="can't be listened on"):
            await second.start(at.address)


async def test_workflows_that_the_release_does_not_have_make_no_labels() -> None:
    async with bench() as at:
        await at.stub.Execute(asked("k1", workflow="made-up-by-a-stranger"), metadata=SHOWN)
        assert at.counted("accepted", "unknown") == 1
        assert at.counted("accepted", "made-up-by-a-stranger") is None


async def test_a_large_input_passes() -> None:
    async with bench() as at:
        request = asked("k1")
        request.input = b'"' + b"x" * (32 << 20) + b'"'
        assert (await at.stub.Execute(request, metadata=SHOWN)).accepted
