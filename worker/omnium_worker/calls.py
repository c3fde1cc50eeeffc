"""One call, whichever way it came: admitted, timed, run, and its failure made one that the wire knows."""

from __future__ import annotations

import time
from typing import Protocol

import structlog

from omnium_proto import command_pb2
from omnium_store.errors import InternalError, OmniumError
from omnium_worker.admission import Admission
from omnium_worker.memory import Memory
from omnium_worker.metrics import Metrics

log = structlog.get_logger("omnium.worker")


class Executor(Protocol):
    """What runs a command: the road of a worker."""

    async def execute(
        self, request: command_pb2.ExecuteRequest, *, timeout: float
    ) -> command_pb2.ExecuteResponse:
        """Run it as one transaction. Raises `OmniumError`."""


class Calls:
    """The border between wire and engine."""

    def __init__(
        self, executor: Executor, *, admission: Admission, metrics: Metrics, memory: Memory, longest_s: float
    ) -> None:
        self._executor = executor
        self._admission = admission
        self._metrics = metrics
        self._memory = memory
        self._longest_s = longest_s

    async def run(
        self, request: command_pb2.ExecuteRequest, *, timeout: float | None
    ) -> command_pb2.ExecuteResponse:
        """Answer one command within `timeout` seconds. Raises `OmniumError` and nothing else."""
        began = time.perf_counter()
        outcome = "cancelled"
        if request.request_id:  # each call has a task, and so a context, of its own
            structlog.contextvars.bind_contextvars(request_id=request.request_id)
        try:
            with self._admission.enter():
                limit = self._longest_s if timeout is None else min(timeout, self._longest_s)
                response = await self._executor.execute(request, timeout=limit)
            outcome = _outcome(response)
            return response
        except OmniumError as error:
            outcome = error.reason
            raise
        except Exception as error:
            outcome = "internal"
            raise self._internal(request, error) from error
        finally:
            self._metrics.command(request.workflow, outcome, time.perf_counter() - began)

    def _internal(self, request: command_pb2.ExecuteRequest, error: Exception) -> InternalError:
        if isinstance(error, MemoryError):
            self._memory.end_if_leaking()
        ours = InternalError()
        log.error(
            "worker.command_broke",
            id=ours.id,
            code=request.code,
            exc_info=error,
        )
        return ours


def _outcome(response: command_pb2.ExecuteResponse) -> str:
    if response.refusal:
        return response.refusal
    return "duplicate" if response.duplicate else "accepted"
