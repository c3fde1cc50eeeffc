"""MoveService over `Moves`: the border between the wire and the taking over of a match."""

from __future__ import annotations

from typing import Any

import grpc
import structlog

from omnium_proto import move_pb2, move_pb2_grpc
from omnium_store.errors import InternalError, OmniumError
from omnium_worker.admission import Admission
from omnium_worker.memory import Memory
from omnium_worker.moves import Moves
from omnium_worker.server import KeyCheck, abort

log = structlog.get_logger("omnium.worker")


class MoveServicer(move_pb2_grpc.MoveServiceServicer):
    """A move counts as one of the commands that a worker has in flight."""

    def __init__(self, moves: Moves, key: KeyCheck, *, admission: Admission, memory: Memory) -> None:
        self._moves = moves
        self._key = key
        self._admission = admission
        self._memory = memory

    async def Move(  # noqa: N802  # the protocol's name
        self, request: move_pb2.MoveRequest, context: grpc.aio.ServicerContext[Any, Any]
    ) -> move_pb2.MoveResponse:
        """One preview or one move."""
        await self._key.check(context)
        try:
            with self._admission.enter():
                return await self._moves.move(request, timeout=context.time_remaining())
        except OmniumError as error:
            await abort(context, error)
        except Exception as error:  # noqa: BLE001  # the process's border: nothing else may leave it
            await abort(context, self._internal(request, error))

    def _internal(self, request: move_pb2.MoveRequest, error: Exception) -> InternalError:
        if isinstance(error, MemoryError):
            self._memory.end_if_leaking()
        ours = InternalError()
        log.error(
            "worker.move_broke",
            id=ours.id,
            fixture=request.fixture,
            request_id=request.request_id,
            exc_info=error,
        )
        return ours
