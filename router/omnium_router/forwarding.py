"""Sending a command to a worker of its release, and what to do when that does not work.

What is sent again, and only then: the way to the worker broke or it was shutting down (twice at most, within
the deadline and a budget), the worker knew another pin (once), it wants the bulk lane (once). The key makes
it safe.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Final

import orjson
import structlog

from omnium_proto import command_pb2
from omnium_router.fleet import Fleet
from omnium_router.identities import BULK, CommandIdentity, ReleaseRef
from omnium_router.links import LinkDown
from omnium_router.metrics import Metrics
from omnium_router.pins import Pins
from omnium_router.poisoned import Suspects
from omnium_router.pool_requests import PoolRequests
from omnium_router.pools import Pool
from omnium_router.workers import Worker
from omnium_store.errors import (
    InternalError,
    NeedsBulk,
    OutOfTime,
    ReleaseUnavailable,
    ShuttingDown,
    WrongRelease,
)

MOST_RETRIES: Final = 2
BUDGET: Final = 200.0  # a full worker may die, and every command that it had is tried again
BUDGET_PER_COMMAND: Final = 0.25
POISONED: Final = (
    "This command has stopped two workers and is not tried again for a while. Tell whoever keeps the rules."
)

log = structlog.get_logger("omnium.router")


@dataclass(frozen=True, slots=True)
class Parcel:
    """A command on its way: the request, what it is known by, and what it prefers."""

    request: command_pb2.ExecuteRequest
    identity: CommandIdentity
    fixture: uuid.UUID | None
    affinity: int | None  # fold commands prefer one worker, which has the state at hand
    release: ReleaseRef
    lane: str
    deadline: float


class RetryBudget:
    """Retries are paid for by commands, so that a fleet in trouble is not sent three times the work."""

    def __init__(self) -> None:
        self._tokens = BUDGET

    def earn(self) -> None:
        """A command went out."""
        self._tokens = min(BUDGET, self._tokens + BUDGET_PER_COMMAND)

    def spend(self) -> bool:
        """Whether one more retry is affordable."""
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Forwarding:
    """Takes a parcel to a worker and brings its answer."""

    def __init__(
        self,
        fleet: Fleet,
        pins: Pins,
        suspects: Suspects,
        *,
        pool_requests: PoolRequests,
        metrics: Metrics,
        wait_for_worker_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fleet = fleet
        self._pins = pins
        self._suspects = suspects
        self._pool_requests = pool_requests
        self._metrics = metrics
        self._grace_s = wait_for_worker_s
        self._clock = clock
        self._budgets: dict[str, RetryBudget] = {}

    async def forward(self, parcel: Parcel) -> command_pb2.ExecuteResponse:
        """The worker's answer. Raises the errors of the fleet, typed."""
        budget = self._budgets.setdefault(parcel.release.version, RetryBudget())
        budget.earn()
        corrected = retries = 0
        while not self._suspects.is_poisoned(parcel.identity):
            try:
                return await self._send(parcel)
            except WrongRelease as wrong:
                if corrected:
                    raise self._unavailable(parcel, "pin_moves") from wrong
                corrected += 1
                parcel = await self._corrected(parcel, wrong.metadata["release"])
            except NeedsBulk as wanted:
                parcel = self._to_bulk(parcel, wanted)
            except (LinkDown, ShuttingDown) as lost:
                retries += 1
                if retries > MOST_RETRIES or not budget.spend():
                    raise self._unavailable(parcel, "worker_lost") from lost
                self._metrics.retried(parcel.release.version, _why(lost))
        self._metrics.poisoned(parcel.release.version)
        return poisoned_answer(parcel)

    async def _send(self, parcel: Parcel) -> command_pb2.ExecuteResponse:
        """To one worker, once."""
        pool = self._fleet.pool(parcel.release, parcel.lane)
        is_suspect = self._suspects.is_suspect(parcel.identity)
        try:
            async with self._worker(pool, parcel, is_suspect=is_suspect) as worker:
                if is_suspect:
                    await worker.give_sign_of_life(timeout_s=parcel.deadline - self._clock())
                reply = await self._execute(worker, parcel)
        except ReleaseUnavailable:
            raise self._unavailable(parcel, "no_worker_ready") from None
        if is_suspect:
            self._suspects.clear(parcel.identity)
        if reply.release.code_sha != parcel.release.code_sha:
            raise self._foreign(parcel, reply)
        return reply

    def _worker(self, pool: Pool, parcel: Parcel, *, is_suspect: bool) -> AbstractAsyncContextManager[Worker]:
        if is_suspect:
            return pool.worker_alone(deadline=parcel.deadline, grace_s=self._grace_s)
        return pool.worker_for(parcel.affinity, deadline=parcel.deadline, grace_s=self._grace_s)

    async def _execute(self, worker: Worker, parcel: Parcel) -> command_pb2.ExecuteResponse:
        began = self._clock()
        left = parcel.deadline - began
        if left <= 0:
            raise OutOfTime("The deadline passed before a worker was free. Nothing has run; try again.")
        parcel.request.release.CopyFrom(parcel.release.message())
        try:
            reply = await worker.execute(parcel.request, parcel.identity, timeout_s=left)
        except ShuttingDown:
            worker.eject("shutting_down")
            raise
        self._metrics.hop(parcel.release.version, parcel.lane, self._clock() - began)
        return reply

    async def _corrected(self, parcel: Parcel, version: str) -> Parcel:
        release = await self._pins.correct(parcel.fixture, version)
        self._metrics.retried(parcel.release.version, "wrong_release")
        return replace(parcel, release=release)

    def _to_bulk(self, parcel: Parcel, wanted: NeedsBulk) -> Parcel:
        if parcel.lane == BULK:
            log.error("router.bulk_refuses", release=parcel.release.version, code=parcel.request.code)
            raise InternalError() from wanted
        self._metrics.retried(parcel.release.version, "needs_bulk")
        return replace(parcel, lane=BULK)

    def _unavailable(self, parcel: Parcel, why: str) -> ReleaseUnavailable:
        """Typed, counted, and somebody is asked to start a worker."""
        self._metrics.unavailable(parcel.release.version)
        self._pool_requests.ask(parcel.release, parcel.lane, why)
        return ReleaseUnavailable(parcel.release.version)

    def _foreign(self, parcel: Parcel, reply: command_pb2.ExecuteResponse) -> InternalError:
        self._metrics.foreign_reply(parcel.release.version)
        error = InternalError()
        log.error(
            "router.foreign_reply",
            id=error.id,
            asked=parcel.release.code_sha,
            answered=reply.release.code_sha,
            release=parcel.release.version,
            request_id=parcel.request.request_id,
        )
        return error


def poisoned_answer(parcel: Parcel) -> command_pb2.ExecuteResponse:
    """The answer to a key that has stopped two workers: it goes to no third."""
    answer: dict[str, Any] = {
        "accepted": False,
        "duplicate": False,
        "seq": None,
        "message": POISONED,
        "refusal": "over_budget",
        "reason": "stopped_workers",
        "touches": [],
        "value": None,
        "counts": {},
        "notes": [],
        "dryRun": parcel.request.dry_run,
        "fixtureStatus": None,
        "release": parcel.release.version,
        "version": None,
    }
    return command_pb2.ExecuteResponse(
        answer=orjson.dumps(answer), accepted=False, refusal="over_budget", release=parcel.release.message()
    )


def _why(lost: Exception) -> str:
    return "shutting_down" if isinstance(lost, ShuttingDown) else "link_down"
