"""A link that makes a call of each command: simpler, and what the stream is measured against."""

from __future__ import annotations

import asyncio
import itertools
from typing import Final

import grpc
from grpc import aio
from grpc_status import rpc_status

from omnium_proto import command_pb2, command_pb2_grpc
from omnium_router.identities import CommandIdentity
from omnium_router.links import LinkDown, Metadata, OnDown, is_cancelled
from omnium_store import wire
from omnium_store.errors import InternalError, OmniumError, OutOfTime

BROKEN: Final = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED})


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
            if is_cancelled():
                raise
            raise LinkDown from None
        finally:
            self._running.pop(number, None)

    async def close(self) -> None:
        """Nothing is held: closing the channel ends what is open."""
        self._on_down()

    def _failure(self, error: aio.AioRpcError) -> Exception:
        failure = failure_of(error)
        if isinstance(failure, LinkDown):
            self._on_down()
        return failure


def failure_of(error: aio.AioRpcError) -> Exception:
    """What the end of a call means: the worker's own error, `LinkDown`, `OutOfTime`, or a mistake of ours."""
    said = _said(error)
    if said is not None:
        return said
    if error.code() in BROKEN:
        return LinkDown()
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return OutOfTime("The deadline passed. Send it again with the same key to learn what came of it.")
    return InternalError()


def _said(error: aio.AioRpcError) -> OmniumError | None:
    """The error that the worker itself answered; None when gRPC made the status."""
    status = rpc_status.from_call(error)
    return wire.from_status(status) if status is not None and status.details else None
