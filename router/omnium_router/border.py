"""Where HTTP meets the router: an id for every request, a time limit, and every failure made a problem."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

import orjson
import structlog
from aiohttp import web

from omnium_router.calls import Call, request_id_of
from omnium_router.routes import Route
from omnium_router.services import Services
from omnium_store.errors import (
    CallerError,
    FleetError,
    InternalError,
    NotFound,
    OmniumError,
    OutOfTime,
    Overloaded,
    TooLarge,
    Unauthenticated,
)
from omnium_store.wire import to_problem

REQUEST_ID_HEADER: Final = "X-Request-Id"
SLACK_S: Final = 5.0
UNMATCHED: Final = "unmatched"

log = structlog.get_logger("omnium.router")

WebHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class MethodNotAllowed(CallerError):
    """The path takes other methods."""

    status = 405
    default_reason = "method_not_allowed"


class Border:
    """Wraps each route's handler, and answers what no route takes."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._in_flight = 0
        self._log = log.bind()  # once: binding is a good part of what a line costs

    def wrap(self, route: Route) -> WebHandler:
        """The handler of a route as aiohttp calls it."""
        limit_s = self._limit_s(route)

        async def handle(request: web.Request) -> web.StreamResponse:
            return await self._run(request, route, limit_s)

        return handle

    def _limit_s(self, route: Route) -> float | None:
        """How long a request may take. A command has its own deadline, and so has all that it waits for."""
        if route.row == "commands.send":
            return None
        settings = self._services.settings
        most_ms = settings.router_import_timeout_ms if route.slow else settings.router_command_timeout_ms
        return (most_ms + settings.router_body_timeout_ms) / 1000 + SLACK_S

    @web.middleware
    async def unmatched(self, request: web.Request, handler: WebHandler) -> web.StreamResponse:
        """What aiohttp itself refuses, as a problem."""
        try:
            return await handler(request)
        except web.HTTPException as refused:
            if refused.status < 400:
                raise
            request_id = request_id_of(request.headers.get(REQUEST_ID_HEADER))
            response = problem(_of_http(refused, request), request_id, instance=request.path)
            if "Allow" in refused.headers:
                response.headers["Allow"] = refused.headers["Allow"]
            self._services.metrics.request(UNMATCHED, "", response.status, 0.0)
            return response

    async def _run(self, request: web.Request, route: Route, limit_s: float | None) -> web.StreamResponse:
        began = time.perf_counter()
        request_id = request_id_of(request.headers.get(REQUEST_ID_HEADER))
        call = Call(request, self._services, request_id, route.row)
        self._in_flight += 1
        self._services.metrics.in_flight(1)
        status = 499  # the client went away
        try:
            response = await self._answer(call, route, limit_s)
            status = response.status
            return response
        finally:
            self._in_flight -= 1
            self._services.metrics.in_flight(-1)
            self._note(call, route, status, time.perf_counter() - began)

    async def _answer(self, call: Call, route: Route, limit_s: float | None) -> web.StreamResponse:
        try:
            if self._in_flight > self._services.settings.router_concurrency:
                raise Overloaded(
                    "This router answers as many requests as it may. Nothing has run; try again."
                )
            call.admit()
            async with asyncio.timeout(limit_s):
                response = await route.handler(call)
        except OmniumError as error:
            response = self._problem(call, error)
        except TimeoutError:
            response = self._problem(call, OutOfTime("This took too long. What came of it is unknown."))
        except (web.HTTPException, ConnectionResetError):
            raise
        except Exception as error:  # noqa: BLE001  # the process's border: nothing else may leave it
            response = self._problem(call, _internal(call, error))
        response.headers[REQUEST_ID_HEADER] = call.request_id
        return response

    def _problem(self, call: Call, error: OmniumError) -> web.Response:
        call.facts["reason"] = error.reason
        return problem(error, call.request_id, instance=call.request.path)

    def _note(self, call: Call, route: Route, status: int, seconds: float) -> None:
        self._services.metrics.request(route.path, route.method, status, seconds)
        note = self._log.debug if call.row in QUIET else self._log.info
        note(
            "router.request",
            request_id=call.request_id,
            route=route.row,
            status=status,
            ms=round(seconds * 1000, 3),
            **call.facts,
        )


QUIET: Final = frozenset({"health", "ready", "metrics"})


def problem(error: OmniumError, request_id: str, *, instance: str) -> web.Response:
    """The answer that an error stands for."""
    headers = {REQUEST_ID_HEADER: request_id, "Cache-Control": "no-store"}
    if isinstance(error, FleetError):
        headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="omnium"'
    body = to_problem(error, request_id=request_id, instance=instance)
    return web.Response(
        body=orjson.dumps(body), status=error.status, headers=headers, content_type="application/problem+json"
    )


def _internal(call: Call, error: Exception) -> InternalError:
    ours = InternalError()
    log.error("router.broke", id=ours.id, request_id=call.request_id, route=call.row, exc_info=error)
    return ours


def _of_http(refused: web.HTTPException, request: web.Request) -> OmniumError:
    match refused.status:
        case 404:
            return NotFound(
                f"There is nothing at {request.path}. GET /docs shows what there is.", reason="no_such_route"
            )
        case 405:
            return MethodNotAllowed(f"{request.method} does not go with {request.path}.")
        case 413:
            return TooLarge("The body is too large.")
        case _:
            return InternalError()
