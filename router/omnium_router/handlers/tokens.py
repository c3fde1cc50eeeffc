"""/tokens: made, listed and taken back by an admin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
from aiohttp import web

from omnium_releases.documents import moment_text
from omnium_router.calls import Call, json_answer
from omnium_router.sent import NoQuery, TokenIn
from omnium_store import tokens
from omnium_store.errors import NotFound
from omnium_store.statements import Statements
from omnium_store.tokens import Caller

SQL = Statements.of("omnium_router")
NOT_KEPT = {"Cache-Control": "no-store"}


async def create(call: Call) -> web.Response:
    """Make a token. It is told once and kept nowhere."""
    sent = await call.body(TokenIn)
    token, made = call.services.callers.keys.issue(
        sub=sent.sub,
        roles=sent.roles,
        lifetime=timedelta(seconds=sent.expires_in_s),
        name=sent.name,
        kind=sent.kind,
        events=sent.events,
        fixtures=[str(fixture) for fixture in sent.fixtures],
        source=sent.source,
    )
    async with call.services.database.connection() as connection:
        await tokens.keep_issued(connection, made, issued_by=call.caller.sender)
    call.facts |= {"made": made.jti, "for": made.sub}
    return json_answer({"token": token, **_card(made)}, status=201, headers=NOT_KEPT)


async def list_all(call: Call) -> web.Response:
    """Tokens that were issued and have not expired."""
    call.query(NoQuery)
    rows = await call.services.database.rows(SQL["issued_tokens"])
    return json_answer({"items": [_issued(row) for row in rows]}, headers=NOT_KEPT)


async def revoke(call: Call) -> web.Response:
    """Take a token back: here at once, in the other processes within seconds."""
    call.query(NoQuery)
    jti = call.path("jti")
    async with call.services.database.connection() as connection:
        if not await tokens.revoke(connection, jti):
            raise NotFound(f"No token {jti} was issued here.", reason="no_such_token")
    await call.services.token_news.refresh()
    return web.Response(status=204)


def _card(made: Caller) -> dict[str, Any]:
    return {
        "jti": made.jti,
        "sub": made.sub,
        "name": made.name,
        "kind": made.kind,
        "roles": sorted(made.roles),
        "events": sorted(made.events),
        "fixtures": sorted(made.fixtures),
        "source": made.source,
        "expiresAt": moment_text(datetime.fromtimestamp(made.exp, UTC)),
    }


def _issued(row: asyncpg.Record) -> dict[str, Any]:
    return {
        "jti": row["jti"],
        "sub": row["sub"],
        "name": row["name"],
        "kind": row["kind"],
        "roles": row["roles"],
        "source": row["source"],
        "issuedBy": row["issued_by"],
        "issuedAt": moment_text(row["issued_at"]),
        "expiresAt": moment_text(row["expires_at"]),
        "revokedAt": moment_text(row["revoked_at"]),
    }
