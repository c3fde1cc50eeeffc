"""/releases: what the command line does, for whoever may; the life cycle itself is `omnium_releases`."""

from __future__ import annotations

from aiohttp import web

from omnium_releases import audit, defaults, explanations, listing, pins, retiring
from omnium_releases.audit import Trace
from omnium_releases.documents import document
from omnium_router.calls import Call, json_answer
from omnium_router.sent import AuditQuery, DefaultIn, ExplainQuery, NoQuery, RetireIn


async def list_all(call: Call) -> web.Response:
    """Every release, newest first."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer({"items": document(await listing.list_releases(connection))})


async def show(call: Call) -> web.Response:
    """All about one release."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer(document(await listing.show(connection, call.path("version"))))


async def show_pins(call: Call) -> web.Response:
    """Who is on a release, and when it will be free."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer(document(await pins.pins(connection, call.path("version"))))


async def set_default(call: Call) -> web.Response:
    """Make a release the default of a sport or of one competition, from a moment on."""
    sent = await call.body(DefaultIn)
    version = call.path("version")
    async with call.services.database.connection() as connection:
        if sent.dry_run:
            changes = await defaults.preview(
                connection, version, sport=sent.sport, competition=sent.competition, from_at=sent.from_at
            )
        else:
            trace = Trace(call.request_id, sent.build, call.caller.sub)
            changes = await defaults.set_default(
                connection,
                version,
                sport=sent.sport,
                competition=sent.competition,
                from_at=sent.from_at,
                who=call.caller.name,
                trace=trace,
            )
    return json_answer({"dryRun": sent.dry_run, "items": document(changes)})


async def explain(call: Call) -> web.Response:
    """Which row makes a release the default, and why."""
    asked = call.query(ExplainQuery)
    async with call.services.database.connection() as connection:
        found = await explanations.explain(
            connection, sport=asked.sport, competition=asked.competition, at=asked.at
        )
    return json_answer(document(found))


async def retire(call: Call) -> web.Response:
    """Retire a release, unless anything unfinished or future depends on it."""
    sent = await call.body(RetireIn)
    version = call.path("version")
    async with call.services.database.connection() as connection:
        if sent.dry_run:
            done = await retiring.preview(connection, version)
        else:
            trace = Trace(call.request_id, sent.build, call.caller.sub)
            done = await retiring.retire(
                connection, version, who=call.caller.name, reason=sent.reason, trace=trace
            )
    return json_answer({"dryRun": sent.dry_run, **document(done)})


async def show_audit(call: Call) -> web.Response:
    """Who did what to which release."""
    asked = call.query(AuditQuery)
    async with call.services.database.connection() as connection:
        entries = await audit.entries(connection, asked.release, limit=asked.limit)
    return json_answer({"items": document(entries)})
