"""Many calls on one stream, answered in any order by their ids."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final, Protocol

import grpc

from omnium_proto import command_pb2
from omnium_store.errors import BadRequest, OmniumError, OutOfTime
from omnium_store.wire import to_status
from omnium_worker.calls import Calls

#: Answers that are ready go out together up to this size.
MOST_TOGETHER_BYTES: Final = 256 * 1024


class Pipe(Protocol):
    """The two ends of a stream that a gRPC context offers."""

    async def read(self) -> object:
        """The next message, or `grpc.aio.EOF`."""

    async def write(self, message: command_pb2.MultiplexResponse) -> None:
        """Send one message; never two at a time."""


class Stream:
    """One open Multiplex stream: each call is a task, writes take turns."""

    def __init__(self, pipe: Pipe, calls: Calls) -> None:
        self._pipe = pipe
        self._calls = calls
        self._open: dict[int, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        self._takes_more = False
        self._outgoing: deque[command_pb2.MultiplexResponse] = deque()

    async def read(self) -> None:
        """Take calls until the caller has no more."""
        while True:
            message = await self._pipe.read()
            if not isinstance(message, command_pb2.MultiplexRequest):
                return
            self._takes_more |= message.takes_more
            await self._take(message)
            for further in message.more:
                await self._take(further)

    async def finish(self) -> None:
        """Answer what is still open."""
        while self._open:
            await asyncio.wait(self._open.values())

    def abandon(self) -> None:
        """The caller is gone: nobody waits for what is still open."""
        for task in self._open.values():
            task.cancel()

    async def _take(self, message: command_pb2.MultiplexRequest) -> None:
        match message.WhichOneof("ask"):
            case "execute":
                await self._begin(message)
            case "cancel":
                self._cancel(message.id)
            case _:
                await self._fail(message.id, BadRequest("The message asks nothing.", reason="bad_request"))

    async def _begin(self, message: command_pb2.MultiplexRequest) -> None:
        if message.id in self._open:
            await self._fail(
                message.id,
                BadRequest(
                    f"Call {message.id} is still open on this stream: choose another id.", reason="id_taken"
                ),
            )
            return
        task = asyncio.create_task(self._run(message))
        self._open[message.id] = task
        task.add_done_callback(lambda _: self._open.pop(message.id, None))

    def _cancel(self, call: int) -> None:
        if task := self._open.get(call):
            task.cancel()

    async def _run(self, message: command_pb2.MultiplexRequest) -> None:
        timeout = message.timeout_ms / 1000 or None
        try:
            response = await self._calls.run(message.execute, timeout=timeout)
        except OmniumError as error:
            await self._fail(message.id, error)
        except asyncio.CancelledError:
            # Whether it ran is unknown here, as after any lost answer; its key tells.
            await self._fail(message.id, OutOfTime("The call was taken back.", reason="cancelled"))
            raise
        else:
            await self._send(command_pb2.MultiplexResponse(id=message.id, execute=response))

    async def _fail(self, call: int, error: OmniumError) -> None:
        status = to_status(error).SerializeToString()
        await self._send(command_pb2.MultiplexResponse(id=call, status=status))

    async def _send(self, message: command_pb2.MultiplexResponse) -> None:
        """Returns once the message is on its way, be it with somebody else's."""
        self._outgoing.append(message)
        async with self._turn:
            if not self._outgoing:
                return
            try:
                await self._pipe.write(self._together())
            except (grpc.aio.BaseError, grpc.aio.UsageError, grpc.RpcError):
                return  # the caller is gone; the key's row has the answer

    def _together(self) -> command_pb2.MultiplexResponse:
        """The next answer, with those that wait behind it: a message costs more than what is in it."""
        message = self._outgoing.popleft()
        room = MOST_TOGETHER_BYTES - message.ByteSize() if self._takes_more else 0
        while room > 0 and self._outgoing:
            further = self._outgoing.popleft()
            room -= further.ByteSize()
            message.more.append(further)
        return message
