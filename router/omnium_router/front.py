"""The gRPC front: the workers' own CommandService, for integrations, behind the same checks as HTTP.

What a client writes into `sender` and `release` counts for nothing: the token and the pin say who and which.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final, NoReturn

import structlog
from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from grpc_status import rpc_status

from omnium_proto import command_pb2, command_pb2_grpc
from omnium_router.calls import TRACEPARENT, UNPRINTABLE, request_id_of
from omnium_router.commands import Command
from omnium_router.conversation import Conversation
from omnium_router.services import Services
from omnium_router.settings import RouterSettings
from omnium_store.access import Kind
from omnium_store.errors import BadRequest, InternalError, OmniumError, ShuttingDown, TooLarge
from omnium_store.tokens import Caller
from omnium_store.wire import to_status

LONGEST_WORD: Final = 200
SERVICE: Final = command_pb2.DESCRIPTOR.services_by_name["CommandService"].full_name

Context = aio.ServicerContext[Any, Any]

log = structlog.get_logger("omnium.router")


class CommandFront(command_pb2_grpc.CommandServiceServicer):
    """CommandService for callers with a token."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def Execute(  # noqa: N802  # the protocol's name
        self, request: command_pb2.ExecuteRequest, context: Context
    ) -> command_pb2.ExecuteResponse:
        """One command."""
        try:
            return await self.run(
                self.caller(context), request, timeout_s=context.time_remaining(), metadata=_metadata(context)
            )
        except OmniumError as error:
            await _abort(context, error)

    async def Multiplex(  # noqa: N802  # the protocol's name
        self, request_iterator: AsyncIterator[command_pb2.MultiplexRequest], context: Context
    ) -> AsyncIterator[command_pb2.MultiplexResponse]:
        """Many commands on one stream; the token is shown once and checked with each."""
        try:
            caller = self.caller(context)
        except OmniumError as error:
            await _abort(context, error)
        metadata = _metadata(context)

        async def run(message: command_pb2.MultiplexRequest) -> command_pb2.ExecuteResponse:
            self._services.callers.check_again(caller)
            timeout_s = message.timeout_ms / 1000 if message.timeout_ms else None
            return await self.run(caller, message.execute, timeout_s=timeout_s, metadata=metadata)

        async for response in Conversation(run).answers(request_iterator):
            yield response

    def caller(self, context: Context) -> Caller:
        """Who calls. Raises `Unauthenticated`, `TooMany`."""
        return self._services.callers.identify(_metadata(context).get("authorization", ""))

    async def run(
        self,
        caller: Caller,
        request: command_pb2.ExecuteRequest,
        *,
        timeout_s: float | None,
        metadata: dict[str, str],
    ) -> command_pb2.ExecuteResponse:
        """Run one command. Raises `OmniumError` and nothing else."""
        if self._services.standing.draining:
            raise ShuttingDown("This router is shutting down. Nothing has run: send it to another.")
        command = _command(request, metadata, timeout_s)
        _check_size(self._services.settings, caller, request)
        try:
            return await self._services.commands.run(caller, command, front="grpc")
        except OmniumError:
            raise
        except Exception as error:  # the process's border: nothing else may leave it
            ours = InternalError()
            log.error("router.broke", id=ours.id, request_id=command.request_id, route="grpc", exc_info=error)
            raise ours from error


class FrontServer:
    """The gRPC server of a router."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        largest = settings.router_large_body_limit + 64 * 1024
        self._grpc = aio.server(
            options=(
                (
                    "grpc.so_reuseport",
                    0,
                ),  # else a second router on the port would start and take half of the calls
                ("grpc.max_receive_message_length", largest),
                ("grpc.max_metadata_size", settings.router_header_limit),
                ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
            ),
            maximum_concurrent_rpcs=settings.router_concurrency,
        )
        self._health = health.aio.HealthServicer()
        command_pb2_grpc.add_CommandServiceServicer_to_server(CommandFront(services), self._grpc)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._grpc)
        reflection.enable_server_reflection(
            (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), self._grpc
        )
        self._listen = settings.router_grpc_listen

    async def start(self) -> int:
        """Open the port and say which it is. Raises `OSError` if it is taken."""
        try:
            port = self._grpc.add_insecure_port(str(self._listen))
        except RuntimeError as error:
            raise OSError(f"{self._listen} can't be listened on: {error}") from error
        await self._grpc.start()
        await self._say(health_pb2.HealthCheckResponse.SERVING)
        return port

    async def drain(self) -> None:
        """Tell health watchers that nothing new should come."""
        await self._say(health_pb2.HealthCheckResponse.NOT_SERVING)

    async def stop(self, grace_s: float) -> None:
        """Close the port; what runs gets the grace."""
        await self._grpc.stop(grace_s)

    async def _say(self, status: health_pb2.HealthCheckResponse.ServingStatus.ValueType) -> None:
        for service in ("", SERVICE):
            await self._health.set(service, status)


def _command(
    request: command_pb2.ExecuteRequest, metadata: dict[str, str], timeout_s: float | None
) -> Command:
    subject = request.subject
    words = (request.workflow, subject.kind, subject.ref, request.event, request.code, request.key,
             request.occurred_at, request.expect, *request.confirm)  # fmt: skip
    if any(len(word) > LONGEST_WORD or UNPRINTABLE.search(word) for word in words):
        raise BadRequest("A field is too long, or has characters that none has.", reason="bad_field")
    trace = request.traceparent or metadata.get("traceparent", "")
    return Command(
        workflow=request.workflow,
        kind=request.subject.kind,
        ref=request.subject.ref,
        event=request.event,
        code=request.code,
        input=request.input or b"{}",
        key=request.key,
        dry_run=request.dry_run,
        confirm=tuple(request.confirm),
        occurred_at=request.occurred_at,
        expect=request.expect,
        request_id=request_id_of(request.request_id or metadata.get("x-request-id")),
        traceparent=trace if TRACEPARENT.fullmatch(trace) else "",
        timeout_s=timeout_s,
    )


def _check_size(settings: RouterSettings, caller: Caller, request: command_pb2.ExecuteRequest) -> None:
    is_import = caller.kind is Kind.INTEGRATION
    limit = settings.router_large_body_limit if is_import else settings.router_body_limit
    if len(request.input) > limit:
        raise TooLarge(f"An input may have {limit} bytes here.", metadata={"limit": str(limit)})


def _metadata(context: Context) -> dict[str, str]:
    return {name: value for name, value in context.invocation_metadata() or () if isinstance(value, str)}


async def _abort(context: Context, error: OmniumError) -> NoReturn:
    await context.abort_with_status(rpc_status.to_status(to_status(error)))
    raise AssertionError("abort_with_status always raises")
