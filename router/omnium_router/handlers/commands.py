"""POST …/commands: one command, from the body to the worker and back."""

from __future__ import annotations

from typing import Final

from aiohttp import web

from omnium_router.calls import Call, raw_answer
from omnium_router.commands import Command, outcome_of
from omnium_router.sent import CommandIn, CommandQuery
from omnium_store.access import Kind
from omnium_store.errors import BadRequest

TIMEOUT_HEADER: Final = "X-Request-Timeout-Ms"


async def send(call: Call) -> web.Response:
    """Take one command to a worker of its release, and pass its answer through untouched."""
    settings = call.services.settings
    is_import = call.caller.kind is Kind.INTEGRATION
    limit = settings.router_large_body_limit if is_import else settings.router_body_limit
    asked = call.query(CommandQuery)
    sent = await call.body(CommandIn, raw=("input",), limit=limit)
    command = Command(
        workflow=call.path("workflow"),
        kind=call.path("kind"),
        ref=call.path("ref"),
        event=asked.event or "",
        code=sent.code,
        input=sent.input,
        key=sent.key or "",
        dry_run=sent.dry_run,
        confirm=sent.confirm,
        occurred_at=sent.occurred_at.isoformat() if sent.occurred_at else "",
        expect=sent.expect or "",
        request_id=call.request_id,
        traceparent=call.traceparent,
        timeout_s=_timeout(call.request.headers.get(TIMEOUT_HEADER)),
    )
    call.facts["code"] = command.code
    response = await call.services.commands.run(call.caller, command, front="http")
    call.facts |= {"release": response.release.version, "outcome": outcome_of(response)}
    return raw_answer(response.answer)


def _timeout(given: str | None) -> float | None:
    if given is None:
        return None
    if not given.isascii() or not given.isdigit() or not 0 < int(given[:9]) < 10**8:
        raise BadRequest(f"{TIMEOUT_HEADER} is a number of milliseconds.", reason="bad_parameter")
    return int(given[:9]) / 1000
