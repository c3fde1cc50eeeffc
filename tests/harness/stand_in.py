"""A worker that speaks the real protocol and does what a test tells it: for the router's own behaviour."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from omnium_proto import command_pb2, command_pb2_grpc, move_pb2, move_pb2_grpc
from omnium_router.identities import LIVE, ReleaseRef
from omnium_router.leases import Lease
from omnium_store.errors import OmniumError
from omnium_store.wire import to_status

Behaviour = Callable[[command_pb2.ExecuteRequest], Awaitable[object]]
MoveBehaviour = Callable[[move_pb2.MoveRequest], Awaitable[object]]


def release(version: str = "1.0.0") -> ReleaseRef:
    """A release whose hashes follow from its version."""
    return ReleaseRef(uuid.uuid5(uuid.NAMESPACE_DNS, version), version, f"code-{version}", "contract")


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for something that happens in other tasks or processes; fails after `seconds`."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # what happens elsewhere rings no event here
            await asyncio.sleep(0.005)


class Health(health.aio.HealthServicer):  # type: ignore[misc]  # the package has no types
    """Says how the worker is, once it `hears`; watchers are told in any case."""

    def __init__(self) -> None:
        super().__init__()
        self.hears = asyncio.Event()
        self.hears.set()
        self.asked = 0

    async def Check(self, request: health_pb2.HealthCheckRequest, context: Any) -> Any:  # noqa: N802
        self.asked += 1
        await self.hears.wait()
        return await super().Check(request, context)


class StandIn(command_pb2_grpc.CommandServiceServicer, move_pb2_grpc.MoveServiceServicer):
    """Answers every command with its key; a test may give `behave` something to do before that."""

    def __init__(self, of: ReleaseRef, *, lane: str = LIVE, capacity: int = 32) -> None:
        self.release = of
        self.lane = lane
        self.capacity = capacity
        self.id = uuid.uuid4()
        self.behave: Behaviour | None = None
        self.behave_at_move: MoveBehaviour | None = None
        self.code_sha = of.code_sha
        self.taken: list[command_pb2.ExecuteRequest] = []
        self.moves: list[move_pb2.MoveRequest] = []
        self.cancelled: list[str] = []
        self.at_once = self.most_at_once = 0
        self._address = ""
        self._server = aio.server(options=(("grpc.so_reuseport", 0),))
        self.health = Health()
        command_pb2_grpc.add_CommandServiceServicer_to_server(self, self._server)
        move_pb2_grpc.add_MoveServiceServicer_to_server(self, self._server)
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self._server)

    async def start(self) -> Lease:
        """Serve on a free port."""
        port = self._server.add_insecure_port("127.0.0.1:0")
        await self._server.start()
        self._address = f"127.0.0.1:{port}"
        return self.lease()

    def lease(self, *, draining: bool = False) -> Lease:
        """What its row would say."""
        return Lease(
            id=self.id,
            address=self._address,
            release=self.release,
            runtime_sha="runtime",
            lane=self.lane,
            capacity=self.capacity,
            build="0.1.0",
            pid=1,
            draining=draining,
            heartbeat_age_ms=0,
        )

    async def die(self) -> None:
        """End as a killed process does: every open stream breaks, the port is closed."""
        await self._server.stop(None)

    async def say_no(self) -> None:
        """Tell health watchers that nothing new should come."""
        await self.health.set("", health_pb2.HealthCheckResponse.NOT_SERVING)

    async def Execute(self, request: command_pb2.ExecuteRequest, context: Any) -> command_pb2.ExecuteResponse:  # noqa: N802
        try:
            return await self._run(request)
        except OmniumError as error:
            status = to_status(error)
            details = (("grpc-status-details-bin", status.SerializeToString()),)
            await context.abort(aio_code(status.code), status.message, details)
            raise AssertionError("abort always raises") from None

    async def Move(self, request: move_pb2.MoveRequest, context: Any) -> move_pb2.MoveResponse:  # noqa: N802
        self.moves.append(request)
        try:
            if self.behave_at_move is not None:
                await self.behave_at_move(request)
        except OmniumError as error:
            status = to_status(error)
            details = (("grpc-status-details-bin", status.SerializeToString()),)
            await context.abort(aio_code(status.code), status.message, details)
        return move_pb2.MoveResponse(
            answer=json.dumps(self._moved(request)).encode(),
            changed=not request.dry_run,
            release=command_pb2.Release(version=self.release.version, code_sha=self.code_sha),
        )

    async def Multiplex(  # type: ignore[override]  # noqa: N802  # writes by itself
        self, request_iterator: AsyncIterator[command_pb2.MultiplexRequest], context: Any
    ) -> None:
        open_calls: dict[int, asyncio.Task[None]] = {}
        turn = asyncio.Lock()

        async def answer(message: command_pb2.MultiplexRequest) -> None:
            response = command_pb2.MultiplexResponse(id=message.id)
            try:
                response.execute.CopyFrom(await self._run(message.execute))
            except OmniumError as error:
                response.status = to_status(error).SerializeToString()
            async with turn:
                await context.write(response)

        try:
            async for together in request_iterator:
                for message in (together, *together.more):
                    if message.WhichOneof("ask") == "execute":
                        open_calls[message.id] = asyncio.create_task(answer(message))
                    elif (task := open_calls.get(message.id)) is not None:
                        task.cancel()
        finally:
            for task in open_calls.values():
                task.cancel()

    def _moved(self, request: move_pb2.MoveRequest) -> dict[str, Any]:
        return {
            "fixture": request.fixture, "code": "m-1", "name": "", "event": "tokyo", "workflow": "football",
            "sides": [], "from": "0.0.1", "to": self.release.version, "changed": True,
            "dryRun": request.dry_run, "digest": "d" * 64, "events": 3, "counts": {"state": 1},
            "differences": [{"part": "state", "key": "goals", "before": 1, "after": 2}],
            "conflicts": [], "leftOut": 0, "status": "LIVE", "seq": None if request.dry_run else 4,
            "version": 4, "release": self.release.version,
        }  # fmt: skip

    async def _run(self, request: command_pb2.ExecuteRequest) -> command_pb2.ExecuteResponse:
        self.taken.append(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.behave is not None:
                await self.behave(request)
        except asyncio.CancelledError:
            self.cancelled.append(request.key)
            raise
        finally:
            self.at_once -= 1
        answer = {"accepted": True, "key": request.key, "release": self.release.version}
        return command_pb2.ExecuteResponse(
            answer=json.dumps(answer).encode(),
            accepted=True,
            release=command_pb2.Release(version=self.release.version, code_sha=self.code_sha),
        )


def aio_code(number: int) -> Any:
    """The status code of gRPC with this number."""

    return next(code for code in grpc.StatusCode if code.value[0] == number)
