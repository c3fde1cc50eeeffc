"""A move of a match on its way: allowed, given to a worker of the release that it moves to."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from omnium_proto import command_pb2, move_pb2
from omnium_router import access
from omnium_router.commands import SENDER_KINDS, fixture_id
from omnium_router.fleet import Fleet
from omnium_router.identities import BULK, LIVE, ReleaseRef
from omnium_router.links import LinkDown
from omnium_router.metrics import Metrics
from omnium_router.pins import Located, Pins
from omnium_router.pool_requests import PoolRequests
from omnium_store.errors import (
    BadRequest,
    InternalError,
    NeedsBulk,
    OutOfTime,
    Refused,
    ReleaseUnavailable,
    ShuttingDown,
)
from omnium_store.tokens import Caller

MOST_RETRIES: Final = 2

log = structlog.get_logger("omnium.router")


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """What a caller asks for."""

    fixture: str
    to: str
    expect: str
    dry_run: bool
    reason: str
    build: Mapping[str, str]
    request_id: str
    traceparent: str


class Moves:
    """The way of a move through the router. A live worker gets it first: the match will need one."""

    def __init__(
        self,
        pins: Pins,
        fleet: Fleet,
        *,
        pool_requests: PoolRequests,
        metrics: Metrics,
        wait_for_worker_s: float,
        longest_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._fleet = fleet
        self._pool_requests = pool_requests
        self._metrics = metrics
        self._grace_s = wait_for_worker_s
        self._longest_s = longest_s
        self._clock = clock

    async def run(self, caller: Caller, move: Move) -> move_pb2.MoveResponse:
        """The worker's answer. Raises `OmniumError`."""
        if not (move.dry_run or move.expect):
            raise BadRequest(
                "A move needs the digest of its preview: ask with dryRun, then send `digest` as `expect`.",
                reason="expect_required",
            )
        located = await self._pins.fixture(fixture_id(move.fixture))
        access.require_scope(caller, event=located.event, fixture=located.id)
        if located.release is None:
            raise Refused(
                "Results of this fixture are typed: no release is pinned to it.", reason="scorecard"
            )
        release = await self._pins.release_to_pin(move.to)
        request = _request(caller, located, move, release)
        reply = await self._forward(request, release, located)
        if reply.changed:
            await self._pins.correct(located.id, release.version)
        return reply

    async def _forward(
        self, request: move_pb2.MoveRequest, release: ReleaseRef, located: Located
    ) -> move_pb2.MoveResponse:
        lane, retries, deadline = LIVE, 0, self._clock() + self._longest_s
        while True:
            try:
                return await self._send(request, release, located, lane=lane, deadline=deadline)
            except NeedsBulk as wanted:
                if lane == BULK:
                    log.error("router.bulk_refuses", release=release.version, code="releases.move")
                    raise InternalError() from wanted
                lane = BULK
            except ShuttingDown as draining:  # nothing has run
                retries += 1
                if retries > MOST_RETRIES:
                    raise self._unavailable(release, lane, "worker_lost") from draining
            except LinkDown as lost:
                raise self._unavailable(
                    release,
                    lane,
                    "worker_lost",
                    f"The worker of release {release.version} went away while it had the move. "
                    "Ask again: the answer says whether the match is there.",
                ) from lost

    async def _send(
        self,
        request: move_pb2.MoveRequest,
        release: ReleaseRef,
        located: Located,
        *,
        lane: str,
        deadline: float,
    ) -> move_pb2.MoveResponse:
        """To one worker, once. A move that stops its worker is not tried on another one."""
        pool = self._fleet.pool(release, lane)
        try:
            async with pool.worker_for(located.id.int, deadline=deadline, grace_s=self._grace_s) as worker:
                left = deadline - self._clock()
                if left <= 0:
                    raise OutOfTime("The deadline passed before a worker was free. Nothing was moved.")
                try:
                    reply = await worker.move(request, timeout_s=left)
                except ShuttingDown:
                    worker.eject("shutting_down")
                    raise
        except ReleaseUnavailable as error:
            raise self._unavailable(release, lane, "no_worker_ready", error.message) from None
        if reply.release.code_sha != release.code_sha:
            self._metrics.foreign_reply(release.version)
            log.error("router.foreign_reply", asked=release.code_sha, answered=reply.release.code_sha,
                      release=release.version, request_id=request.request_id)  # fmt: skip
            raise InternalError()
        return reply

    def _unavailable(
        self, release: ReleaseRef, lane: str, why: str, message: str | None = None
    ) -> ReleaseUnavailable:
        """Typed, counted, and somebody is asked to start a worker."""
        self._metrics.unavailable(release.version)
        self._pool_requests.ask(release, lane, why)
        return ReleaseUnavailable(release.version, message)


def _request(caller: Caller, located: Located, move: Move, release: ReleaseRef) -> move_pb2.MoveRequest:
    return move_pb2.MoveRequest(
        fixture=str(located.id),
        release=release.message(),
        dry_run=move.dry_run,
        expect=move.expect,
        reason=move.reason,
        sender=command_pb2.Sender(
            kind=SENDER_KINDS[caller.kind], sub=caller.sub, name=caller.name, source=caller.source
        ),
        build=move.build,
        request_id=move.request_id,
        traceparent=move.traceparent,
    )
