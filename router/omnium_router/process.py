"""The life of a router process: everything up in order, then everything down in order."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import structlog
from aiohttp import web

from omnium_router.facade import make_facade, server_options
from omnium_router.front import FrontServer
from omnium_router.services import Services, assemble
from omnium_router.settings import RouterSettings
from omnium_store.errors import BadRequest

log = structlog.get_logger("omnium.router")


@dataclass(frozen=True, slots=True)
class Serving:
    """A router that answers."""

    services: Services
    http: str  # URL
    grpc: str  # host:port


@asynccontextmanager
async def serving(settings: RouterSettings) -> AsyncIterator[Serving]:
    """A router that answers inside the block; leaving it drains. Raises `BadRequest` where it can't begin."""
    services = assemble(settings)
    runner = web.AppRunner(make_facade(services), **server_options(settings))
    front = FrontServer(services)
    try:
        services.start()
        await runner.setup()
        yield await _listen(services, runner, front)
        await _drain(services, front)
    finally:
        grace_s = settings.router_drain_grace_ms / 1000
        await asyncio.gather(runner.cleanup(), front.stop(grace_s))
        await services.close()


async def run(settings: RouterSettings) -> None:
    """Serve until SIGTERM or SIGINT, then finish what has begun."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(name, asked.set)
    async with serving(settings) as router:
        log.info("router.serving", http=router.http, grpc=router.grpc, pid=os.getpid())
        await asked.wait()
        log.info("router.draining")
    log.info("router.stopped")


async def _listen(services: Services, runner: web.AppRunner, front: FrontServer) -> Serving:
    where = services.settings.router_listen
    try:
        site = web.TCPSite(runner, where.host, where.port, backlog=1024)
        await site.start()
        grpc_port = await front.start()
    except OSError as error:
        raise BadRequest(
            f"The router can't listen: {error}. Choose another port.", reason="bad_settings"
        ) from error
    http = where._replace(port=runner.addresses[0][1])
    grpc = services.settings.router_grpc_listen._replace(port=grpc_port)
    return Serving(services, f"http://{http}", str(grpc))


async def _drain(services: Services, front: FrontServer) -> None:
    """Not ready any more, but still answering, until whoever sends work here has noticed."""
    services.standing.draining = True
    await front.drain()
    await asyncio.sleep(services.settings.router_drain_notice_ms / 1000)
