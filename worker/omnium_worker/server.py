"""The gRPC server of a worker: commands, health, reflection, and the key that routers show."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, Final, NoReturn

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from omnium_proto import command_pb2, command_pb2_grpc, move_pb2, replay_pb2
from omnium_store.errors import DatabaseAway, OmniumError, Unauthenticated
from omnium_store.wire import to_status
from omnium_worker.calls import Calls
from omnium_worker.multiplex import Stream
from omnium_worker.settings import join_address, split_address

KEY_HEADER: Final = "x-omnium-fleet-key"
LARGEST_MESSAGE: Final = (32 << 20) + (64 << 10)  # an import of 32 MiB and what goes with it
OPTIONS: Final = (
    ("grpc.so_reuseport", 0),  # else a second server on the port starts and takes half of the calls
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 4_000),  # else routers' pings end as too_many_pings
)
COMMANDS: Final = command_pb2.DESCRIPTOR.services_by_name["CommandService"].full_name
MOVES: Final = move_pb2.DESCRIPTOR.services_by_name["MoveService"].full_name
REPLAY: Final = replay_pb2.DESCRIPTOR.services_by_name["ReplayService"].full_name


class KeyCheck:
    """Whether a caller is of this fleet. Without a key (a replay on loopback) it takes every caller."""

    def __init__(self, key: str | None) -> None:
        self._key = key.encode() if key is not None else None

    async def check(self, context: grpc.aio.ServicerContext[Any, Any]) -> None:
        """Abort the call of a stranger."""
        if self._key is None:
            return
        shown = dict(context.invocation_metadata() or ()).get(KEY_HEADER, "")
        if not hmac.compare_digest(str(shown).encode(), self._key):
            await abort(
                context, Unauthenticated(f"Show the fleet's key as {KEY_HEADER}.", reason="fleet_key")
            )


class CommandServicer(command_pb2_grpc.CommandServiceServicer):
    """CommandService over `Calls`."""

    def __init__(self, calls: Calls, key: KeyCheck) -> None:
        self._calls = calls
        self._key = key
        self._readers: set[asyncio.Task[None]] = set()
        self._closing = False
        self._streams = 0
        self._ended = asyncio.Event()
        self._ended.set()

    async def Execute(  # noqa: N802  # the protocol's name
        self, request: command_pb2.ExecuteRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> command_pb2.ExecuteResponse:
        """One command."""
        await self._key.check(context)
        try:
            return await self._calls.run(request, timeout=context.time_remaining())
        except OmniumError as error:
            await abort(context, error)

    async def Multiplex(  # type: ignore[override]  # noqa: N802  # the reader and writer way of grpc.aio
        self,
        request_iterator: AsyncIterator[command_pb2.MultiplexRequest],  # noqa: ARG002  # read by hand
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> None:
        """Many commands; the key is shown once."""
        await self._key.check(context)
        self._streams += 1
        self._ended.clear()
        try:
            await self._serve(Stream(context, self._calls))
        finally:
            self._streams -= 1
            if not self._streams:
                self._ended.set()

    async def close_streams(self, patience_s: float) -> None:
        """Let callers hang up, then read nothing more; return once every stream answered all that it read.

        A stream that ends while its caller writes loses the answers that the caller has not read yet.
        """
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), patience_s)
        self._closing = True
        for reader in self._readers:
            reader.cancel()
        await self._ended.wait()

    async def _serve(self, stream: Stream) -> None:
        reader = asyncio.create_task(stream.read())
        self._readers.add(reader)
        try:
            await reader
        except asyncio.CancelledError:
            if not self._closing:
                stream.abandon()
                raise
        finally:
            self._readers.discard(reader)
        await stream.finish()


class Server:
    """A grpc.aio server that says NOT_SERVING until it is told otherwise."""

    def __init__(self) -> None:
        self.grpc = grpc.aio.server(options=OPTIONS)
        self._health = health.aio.HealthServicer()
        self._services: list[str] = []
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self.grpc)

    def offer(self, service: str) -> None:
        """Name a service that was added, for health and reflection."""
        self._services.append(service)

    async def start(self, listen: str, *, advertise: str = "") -> str:
        """Open the port and return the address that others reach it by. Raises `OSError` if it is taken."""
        await self.serving(on=False)
        reflection.enable_server_reflection(
            (*self._services, health.SERVICE_NAME, reflection.SERVICE_NAME), self.grpc
        )
        host, _ = split_address(listen)
        try:
            port = self.grpc.add_insecure_port(listen)
        except RuntimeError as error:
            raise OSError(f"{listen} can't be listened on: {error}") from error
        await self.grpc.start()
        return join_address(advertise or host, port)

    async def serving(self, *, on: bool) -> None:
        """Tell health watchers."""
        status = health_pb2.HealthCheckResponse.SERVING if on else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in ("", *self._services):
            await self._health.set(service, status)

    async def stop(self, grace: float) -> None:
        """Close the port; what runs gets `grace` seconds."""
        await self.grpc.stop(grace)


async def abort(context: grpc.aio.ServicerContext[Any, Any], error: OmniumError) -> NoReturn:
    """End the call with the error's form on the wire."""
    if isinstance(error, DatabaseAway):
        context.set_trailing_metadata((("retry-after", str(error.retry_after_s)),))
    await context.abort_with_status(rpc_status.to_status(to_status(error)))
    raise AssertionError("abort_with_status always raises")
