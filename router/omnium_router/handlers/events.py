"""/events: the world that fixtures are made in."""

from __future__ import annotations

from typing import Any

import asyncpg
from aiohttp import web

from omnium_releases.documents import moment_text
from omnium_router import access
from omnium_router.calls import Call, json_answer
from omnium_router.pins import no_such_event
from omnium_router.sent import EventIn, NoQuery
from omnium_store.errors import BadRequest, Refused
from omnium_store.statements import Statements

SQL = Statements.of("omnium_router")


async def create(call: Call) -> web.Response:
    """Make an event. The same one again is no mistake: a client may have missed the answer."""
    sent = await call.body(EventIn)
    access.require_scope(call.caller, event=sent.code)
    async with call.services.database.connection() as connection:
        if not await connection.fetchval(SQL["is_timezone"], sent.timezone):
            raise BadRequest(
                f"{sent.timezone} is no time zone. Use an IANA name, like Asia/Tokyo.", reason="bad_field"
            )
        made = await connection.fetchrow(SQL["make_event"], sent.code, sent.name, sent.timezone)
        row = made or await connection.fetchrow(SQL["located_event"], sent.code)
    if row is None or (row["name"], row["timezone"]) != (sent.name, sent.timezone):
        raise Refused(f"There is another event {sent.code}. Choose another code.", reason="event_exists")
    return json_answer(_event(row), status=201 if made else 200, headers={"Location": f"/events/{sent.code}"})


async def list_all(call: Call) -> web.Response:
    """The events that the token reaches."""
    call.query(NoQuery)
    rows = await call.services.database.rows(SQL["events"])
    reached = await _events_of_fixtures(call)
    return json_answer({
        "items": [
            _event(row)
            for row in rows
            if access.in_scope(call.caller, event=row["code"]) or row["code"] in reached
        ]
    })  # fmt: skip


async def show(call: Call) -> web.Response:
    """One event, with its competitions."""
    call.query(NoQuery)
    code = call.path("code")
    row = await call.services.database.row(SQL["located_event"], code)
    if row is None:
        raise no_such_event(code)
    if code not in await _events_of_fixtures(call):
        access.require_scope(call.caller, event=code)
    competitions = await call.services.database.rows(SQL["competitions"], row["id"])
    return json_answer({**_event(row), "competitions": [dict(one) for one in competitions]})


async def _events_of_fixtures(call: Call) -> set[str]:
    """Whoever reaches a fixture may see which event it belongs to."""
    if not call.caller.fixtures:
        return set()
    rows = await call.services.database.rows(SQL["events_of_fixtures"], sorted(call.caller.fixtures))
    return {row["code"] for row in rows}


def _event(row: asyncpg.Record) -> dict[str, Any]:
    return {
        "code": row["code"],
        "name": row["name"],
        "timezone": row["timezone"],
        "createdAt": moment_text(row["created_at"]),
    }
