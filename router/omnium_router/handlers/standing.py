"""The process itself: whether it lives and serves, what it counts, the fleet as it sees it."""

from __future__ import annotations

from aiohttp import web

from omnium_router.calls import Call, json_answer
from omnium_router.fleet_view import fleet_document
from omnium_router.metrics import CONTENT_TYPE
from omnium_router.sent import NoQuery
from omnium_store.errors import DatabaseAway, ShuttingDown


async def health(call: Call) -> web.Response:
    """The process lives."""
    del call
    return json_answer({"ok": True})


async def ready(call: Call) -> web.Response:
    """The router can serve: it knows the fleet and is not draining.

    A database that goes away later is no reason to take routers out: pins that are known keep working.
    """
    services = call.services
    if services.standing.draining:
        raise ShuttingDown("This router is draining.")
    if not services.leases.loaded:
        raise DatabaseAway("The leases have not been read yet: PostgreSQL does not answer.")
    return json_answer({"ok": True, "databaseAway": services.leases.is_away})


async def metrics(call: Call) -> web.Response:
    """Prometheus text."""
    return web.Response(body=call.services.metrics.text(), headers={"Content-Type": CONTENT_TYPE})


async def fleet(call: Call) -> web.Response:
    """Pools and workers."""
    call.query(NoQuery)
    services = call.services
    return json_answer(fleet_document(services.fleet, database_away=services.leases.is_away))
