"""How commands reach one worker: over one bidirectional stream, or a call each.

A link says `LinkDown` when it can't say whether the command ran; the key makes sending it again safe.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import grpc
from google.rpc import status_pb2
from grpc import aio
from grpc_status import rpc_status

from omnium_proto import command_pb2, command_pb2_grpc
from omnium_router.identities import CommandIdentity
from omnium_store import wire
from omnium_store.errors import InternalError, OmniumError, OutOfTime

FLEET_KEY_HEADER: Final = "x-omnium-fleet-key"
BROKEN: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED})
MOST_ABANDONED: Final = 256

Metadata = tuple[tuple[str, str], ...]
OnDown = Callable[[], None]


class LinkDown(Exception):
    """The way to the worker broke while it had the command: whether it ran is unknown."""


class Link(Protocol):
    """The way to one worker."""

    def running(self) -> set[CommandIdentity]:
        """What the worker may be busy with, calls that nobody waits for any more included."""

    async def execute(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.ExecuteResponse:
        """Run one command. Raises `LinkDown`, or the error that the worker answered."""

    async def close(self) -> None:
        """Let go; whatever waits gets `LinkDown`."""


@dataclass(frozen=True, slots=True)
class _Open:
    future: asyncio.Future[command_pb2.MultiplexResponse]
    identity: CommandIdentity


class MultiplexLink:
    """One stream for all commands: a third less CPU a command than a call each."""

    def __init__(self, channel: aio.Channel, metadata: Metadata, on_down: OnDown) -> None:
        self._stub: command_pb2_grpc.CommandServiceAsyncStub = command_pb2_grpc.CommandServiceStub(channel)
        self._metadata = metadata
        self._on_down = on_down
        self._stream: _Stream | None = None

    def running(self) -> set[CommandIdentity]:
        """What the worker may be busy with."""
        return self._stream.running() if self._stream else set()

    async def execute(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.ExecuteResponse:
        """Run one command over the stream, which is opened by the first one that needs it."""
        if self._stream is None or self._stream.is_over:
            call = self._stub.Multiplex(metadata=self._metadata)
            self._stream = _Stream(call, self._on_down)
        return _answer(await self._stream.ask(request, identity, timeout_s=timeout_s))

    async def close(self) -> None:
        """End the stream."""
        if self._stream is not None:
            await self._stream.close()


class _Stream:
    """One life of the stream: ids, what is open, a task that writes and one that reads."""

    def __init__(
        self,
        call: aio.StreamStreamCall[command_pb2.MultiplexRequest, command_pb2.MultiplexResponse],
        on_down: OnDown,
    ) -> None:
        self._call = call
        self._on_down = on_down
        self._ids = itertools.count(1)
        self._open: dict[int, _Open] = {}
        self._abandoned: dict[int, CommandIdentity] = {}
        self._outgoing: asyncio.Queue[command_pb2.MultiplexRequest] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(), name="link writer")
        self._reader = asyncio.create_task(self._read(), name="link reader")
        self.is_over = False

    def running(self) -> set[CommandIdentity]:
        return {call.identity for call in self._open.values()} | set(self._abandoned.values())

    async def ask(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.MultiplexResponse:
        number = next(self._ids)
        future: asyncio.Future[command_pb2.MultiplexResponse] = asyncio.get_running_loop().create_future()
        self._open[number] = _Open(future, identity)
        self._outgoing.put_nowait(
            command_pb2.MultiplexRequest(id=number, execute=request, timeout_ms=max(1, int(timeout_s * 1000)))
        )
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError:
            self._take_back(number)
            raise OutOfTime(
                "The deadline passed. Send it again with the same key to learn what came of it."
            ) from None
        except asyncio.CancelledError:
            self._take_back(number)
            raise

    async def close(self) -> None:
        self._writer.cancel()
        self._call.cancel()
        await asyncio.gather(self._reader, self._writer, return_exceptions=True)

    def _take_back(self, number: int) -> None:
        """Nobody waits: the worker forgets it if it has not begun; until it says so it counts as running."""
        call = self._open.pop(number, None)
        if call is None or self.is_over:
            return
        self._abandoned[number] = call.identity
        if len(self._abandoned) > MOST_ABANDONED:
            del self._abandoned[next(iter(self._abandoned))]
        self._outgoing.put_nowait(command_pb2.MultiplexRequest(id=number, cancel=command_pb2.Cancel()))

    async def _write(self) -> None:
        try:
            while True:
                await self._call.write(await self._outgoing.get())
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return  # the reader sees the same end and tells everybody

    async def _read(self) -> None:
        try:
            async for response in self._call:
                self._settle(response)
        except aio.AioRpcError:
            pass  # how it ended makes no difference: what is open is unknown
        finally:
            self._end()

    def _settle(self, response: command_pb2.MultiplexResponse) -> None:
        call = self._open.pop(response.id, None)
        if call is None:
            self._abandoned.pop(response.id, None)
        elif not call.future.done():
            call.future.set_result(response)

    def _end(self) -> None:
        self.is_over = True
        self._writer.cancel()
        self._on_down()  # before anybody wakes up, so that who tries again knows the suspects
        for call in self._open.values():
            if not call.future.done():
                call.future.set_exception(LinkDown())
        self._open.clear()
        self._abandoned.clear()


def _answer(response: command_pb2.MultiplexResponse) -> command_pb2.ExecuteResponse:
    if response.WhichOneof("outcome") == "execute":
        return response.execute
    status = status_pb2.Status.FromString(response.status)
    raise wire.from_status(status)


class UnaryLink:
    """A call for each command: simpler, and what the stream is measured against."""

    def __init__(self, channel: aio.Channel, metadata: Metadata, on_down: OnDown) -> None:
        self._stub: command_pb2_grpc.CommandServiceAsyncStub = command_pb2_grpc.CommandServiceStub(channel)
        self._metadata = metadata
        self._on_down = on_down
        self._ids = itertools.count(1)
        self._running: dict[int, CommandIdentity] = {}

    def running(self) -> set[CommandIdentity]:
        """What the worker may be busy with."""
        return set(self._running.values())

    async def execute(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.ExecuteResponse:
        """Run one command as one call."""
        number = next(self._ids)
        self._running[number] = identity
        try:
            return await self._stub.Execute(request, timeout=timeout_s, metadata=self._metadata)
        except aio.AioRpcError as error:
            raise self._failure(error) from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise
            raise LinkDown from None  # the channel was closed, nobody cancelled us
        finally:
            self._running.pop(number, None)

    async def close(self) -> None:
        """Nothing is held: closing the channel ends what is open."""
        self._on_down()

    def _failure(self, error: aio.AioRpcError) -> Exception:
        said = _said(error)
        if said is not None:
            return said
        if error.code() in BROKEN:
            self._on_down()
            return LinkDown()
        if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
            return OutOfTime("The deadline passed. Send it again with the same key to learn what came of it.")
        return InternalError()


def _said(error: aio.AioRpcError) -> OmniumError | None:
    """The error that the worker itself answered; None when gRPC made the status."""
    status = rpc_status.from_call(error)
    return wire.from_status(status) if status is not None and status.details else None
