"""One worker as the router sees it: lease, health, link, what it has in flight, and when it may be chosen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import grpc
import structlog
from grpc import aio
from grpc_health.v1 import health_pb2, health_pb2_grpc

from omnium_proto import command_pb2, move_pb2, move_pb2_grpc
from omnium_router.identities import CommandIdentity
from omnium_router.leases import Lease
from omnium_router.links import Link, LinkDown, Metadata, is_cancelled
from omnium_router.multiplex_link import MultiplexLink
from omnium_router.poisoned import Suspects
from omnium_router.unary_link import UnaryLink, failure_of
from omnium_store.errors import ReleaseUnavailable

LARGEST_MESSAGE: Final = 48 * 1024 * 1024
CHANNEL_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),  # a worker in trouble shares nothing with its neighbours
    ("grpc.enable_retries", 0),
    ("grpc.keepalive_time_ms", 10_000),  # a network that swallows everything is noticed
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.max_receive_message_length", LARGEST_MESSAGE),
    ("grpc.max_send_message_length", LARGEST_MESSAGE),
)
HEALTH_BACK_OFF_S: Final = (0.1, 0.2, 0.5, 1.0)
SIGN_OF_LIFE_S: Final = 1.0

log = structlog.get_logger("omnium.router")


@dataclass(frozen=True, slots=True)
class WorkerTerms:
    """What all workers of a router share."""

    metadata: Metadata
    link: str  # multiplex or unary
    ejection_s: float
    clock: Callable[[], float]
    suspects: Suspects
    on_change: Callable[[Worker], None]
    on_ejected: Callable[[Worker, str], None]


class Worker:
    """A worker process of one release. `in_flight` and `reserved` belong to its pool."""

    def __init__(self, lease: Lease, terms: WorkerTerms) -> None:
        self.lease = lease
        self.seed = lease.id.int & 0xFFFF_FFFF_FFFF_FFFF
        self.serving = False
        self.in_flight = 0
        self.reserved = False
        self._terms = terms
        self._ejected_until = 0.0
        self._says_no = False  # its health said NOT_SERVING: it is draining, and its end is no death
        self._closing = False
        self._channel = aio.insecure_channel(lease.address, options=CHANNEL_OPTIONS)
        kind = MultiplexLink if terms.link == "multiplex" else UnaryLink
        self._link: Link = kind(self._channel, terms.metadata, self._link_down)
        self._health = asyncio.create_task(self._watch(), name=f"health of {lease.address}")

    @property
    def is_ejected(self) -> bool:
        """It failed a moment ago and gets nothing until that moment has passed."""
        return self._terms.clock() < self._ejected_until

    @property
    def is_ready(self) -> bool:
        """It answers commands of its release."""
        return self.serving and not self.lease.draining and not self.is_ejected

    async def execute(
        self, request: command_pb2.ExecuteRequest, identity: CommandIdentity, *, timeout_s: float
    ) -> command_pb2.ExecuteResponse:
        """Run one command there. Raises `LinkDown`, or the error that the worker answered."""
        return await self._link.execute(request, identity, timeout_s=timeout_s)

    async def move(self, request: move_pb2.MoveRequest, *, timeout_s: float) -> move_pb2.MoveResponse:
        """Have it take a match over. Raises `LinkDown`, or the error that the worker answered."""
        stub: move_pb2_grpc.MoveServiceAsyncStub = move_pb2_grpc.MoveServiceStub(self._channel)
        try:
            return await stub.Move(request, timeout=timeout_s, metadata=self._terms.metadata)
        except aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.UNIMPLEMENTED:
                raise ReleaseUnavailable(
                    self.lease.release.version,
                    f"The worker of release {self.lease.release.version} is of a build that moves nothing. "
                    "Roll its pool, then try again.",
                ) from None
            raise failure_of(error) from error
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            raise LinkDown from None

    async def give_sign_of_life(self, *, timeout_s: float) -> None:
        """One round trip. Raises `LinkDown` without blaming anybody for the end of this worker.

        Workers that are killed together are noticed one after the other: a command that was with the first
        must not be found with the second as well.
        """
        stub = health_pb2_grpc.HealthStub(self._channel)
        try:
            await stub.Check(
                health_pb2.HealthCheckRequest(),
                metadata=self._terms.metadata,
                timeout=min(timeout_s, SIGN_OF_LIFE_S),
            )
        except aio.AioRpcError:
            self.eject("no_sign_of_life")
            raise LinkDown from None
        except asyncio.CancelledError:
            if is_cancelled():
                raise
            raise LinkDown from None

    def renew(self, lease: Lease) -> None:
        """Its lease was read again."""
        changed = lease.draining != self.lease.draining
        self.lease = lease
        if changed:
            self._terms.on_change(self)

    def eject(self, why: str) -> None:
        """Give it nothing for a moment: the dead have nothing pending and would be chosen again and again."""
        self._ejected_until = self._terms.clock() + self._terms.ejection_s
        self._terms.on_ejected(self, why)
        asyncio.get_running_loop().call_later(self._terms.ejection_s + 0.01, self._terms.on_change, self)

    async def close(self, *, is_gone: bool) -> None:
        """Let go of it. `is_gone`: its lease ran out, so what it has in flight may be what stopped it."""
        self._closing = not is_gone
        self._health.cancel()
        await asyncio.gather(self._health, return_exceptions=True)
        self.serving = False
        await self._link.close()
        await self._channel.close()

    def _link_down(self) -> None:
        if self._closing or self.is_ejected:
            return  # we let go ourselves, or this is one more call of the same death
        lost = self._link.running()
        if lost and not self._says_no and not self.lease.draining:
            self._terms.suspects.accuse(lost)
            log.warning("router.worker_lost", worker=str(self.lease.id), address=self.lease.address,
                        release=self.lease.release.version, in_flight=len(lost))  # fmt: skip
        self.eject("link")

    async def _watch(self) -> None:
        """Follow its health for as long as the lease lives; a broken watch is no health."""
        stub = health_pb2_grpc.HealthStub(self._channel)
        failures = 0
        while True:
            try:
                async for reply in stub.Watch(health_pb2.HealthCheckRequest(), metadata=self._terms.metadata):
                    failures = 0
                    self._says_no = reply.status == health_pb2.HealthCheckResponse.NOT_SERVING
                    self._set_serving(to=reply.status == health_pb2.HealthCheckResponse.SERVING)
            except aio.AioRpcError as error:
                if error.code() is grpc.StatusCode.UNAUTHENTICATED:
                    log.error("router.fleet_key_refused", address=self.lease.address,
                              way_out="router and workers need the same keys/fleet.key")  # fmt: skip
            self._set_serving(to=False)
            await asyncio.sleep(HEALTH_BACK_OFF_S[min(failures, len(HEALTH_BACK_OFF_S) - 1)])
            failures += 1

    def _set_serving(self, *, to: bool) -> None:
        if to != self.serving:
            self.serving = to
            self._terms.on_change(self)
