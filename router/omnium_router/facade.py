"""The HTTP facade: routes, border and limits, as one aiohttp application."""

from __future__ import annotations

from typing import Any

import orjson
from aiohttp import web

from omnium_router.border import Border
from omnium_router.handlers.pages import OPENAPI
from omnium_router.openapi import openapi_document
from omnium_router.routes import ROUTES
from omnium_router.services import Services
from omnium_router.settings import RouterSettings


def make_facade(services: Services) -> web.Application:
    """The application; nothing listens yet."""
    border = Border(services)
    app = web.Application(middlewares=[border.unmatched])
    app[OPENAPI] = orjson.dumps(openapi_document())
    for route in ROUTES:
        app.router.add_route(route.method, route.path, border.wrap(route))
    return app


def server_options(settings: RouterSettings) -> dict[str, Any]:
    """Limits of the HTTP server itself. A client that goes away cancels what waits for it."""
    return {
        "handler_cancellation": True,
        "access_log": None,
        "max_line_size": settings.router_header_limit,
        "max_field_size": settings.router_header_limit,
        "keepalive_timeout": 75.0,
        "shutdown_timeout": settings.router_drain_grace_ms / 1000,
    }
