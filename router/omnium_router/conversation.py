"""Many commands on one stream of a client, answered as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from google.rpc import status_pb2

from omnium_proto import command_pb2
from omnium_store.errors import BadRequest, OmniumError, Overloaded
from omnium_store.wire import to_status

MOST_OPEN: Final = 256

Run = Callable[[command_pb2.MultiplexRequest], Awaitable[command_pb2.ExecuteResponse]]


class Conversation:
    """One open Multiplex stream."""

    def __init__(self, run: Run) -> None:
        self._answer = run
        self._open: dict[int, asyncio.Task[None]] = {}
        self._ready: asyncio.Queue[command_pb2.MultiplexResponse | None] = asyncio.Queue()

    async def answers(
        self, asked: AsyncIterator[command_pb2.MultiplexRequest]
    ) -> AsyncIterator[command_pb2.MultiplexResponse]:
        """Answers as they come; the end of what is asked ends the stream once all is answered."""
        reader = asyncio.create_task(self._read(asked), name="grpc stream")
        try:
            while (response := await self._ready.get()) is not None:
                yield response
        finally:
            reader.cancel()
            for task in list(self._open.values()):
                task.cancel()

    async def _read(self, asked: AsyncIterator[command_pb2.MultiplexRequest]) -> None:
        async for message in asked:
            self._take(message)
            for further in message.more:
                self._take(further)
        while self._open:
            await asyncio.wait(self._open.values())
        self._ready.put_nowait(None)

    def _take(self, message: command_pb2.MultiplexRequest) -> None:
        match message.WhichOneof("ask"):
            case "execute":
                self._begin(message)
            case "cancel":
                if task := self._open.get(message.id):
                    task.cancel()
            case _:
                self._fail(message.id, BadRequest("The message asks nothing."))

    def _begin(self, message: command_pb2.MultiplexRequest) -> None:
        if message.id in self._open:
            self._fail(message.id, BadRequest("A call with this id is open.", reason="id_taken"))
        elif len(self._open) >= MOST_OPEN:
            self._fail(message.id, Overloaded("Too many calls are open on this stream. Nothing has run."))
        else:
            task = asyncio.create_task(self._run(message), name="grpc call")
            self._open[message.id] = task
            task.add_done_callback(lambda _: self._open.pop(message.id, None))

    async def _run(self, message: command_pb2.MultiplexRequest) -> None:
        try:
            response = await self._answer(message)
        except OmniumError as error:
            self._fail(message.id, error)
        else:
            self._ready.put_nowait(command_pb2.MultiplexResponse(id=message.id, execute=response))

    def _fail(self, call: int, error: OmniumError) -> None:
        status: status_pb2.Status = to_status(error)
        self._ready.put_nowait(command_pb2.MultiplexResponse(id=call, status=status.SerializeToString()))
