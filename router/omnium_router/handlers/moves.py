"""POST /releases/moves/…: a match that has begun is moved to another release."""

from __future__ import annotations

from aiohttp import web

from omnium_router.calls import Call, raw_answer
from omnium_router.moves import Move
from omnium_router.sent import MoveIn


async def move(call: Call) -> web.Response:
    """Move a match to another release: what that changes, then, with the digest of it, the move itself."""
    sent = await call.body(MoveIn)
    move = Move(
        fixture=call.path("fixture"),
        to=sent.to,
        expect=sent.expect or "",
        dry_run=sent.dry_run,
        reason=sent.reason,
        build=sent.build,
        request_id=call.request_id,
        traceparent=call.traceparent,
    )
    reply = await call.services.moves.run(call.caller, move)
    call.facts |= {"release": reply.release.version, "moved": reply.changed}
    return raw_answer(reply.answer)
