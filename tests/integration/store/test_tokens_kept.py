"""Tokens that were issued are listed in the database and can be revoked."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from harness.postgres import Database
from omnium_store import tokens
from omnium_store.access import Role
from omnium_store.database import Connection, connect
from omnium_store.epoch import epoch
from omnium_store.tokens import TokenKeys


async def test_a_revoked_token_is_in_the_list_until_it_expires(
    connection: Connection, tmp_path: Path
) -> None:
    keys = TokenKeys.load_or_create(tmp_path)
    _, kept = keys.issue(sub="ada", roles=[Role.SCORER], lifetime=timedelta(hours=1))
    _, expired = keys.issue(sub="bob", roles=[Role.SCORER], lifetime=timedelta(seconds=-1))
    for caller in (kept, expired):
        await tokens.keep_issued(connection, caller, issued_by="test")
    assert await tokens.revoked(connection) == frozenset()
    assert not await tokens.is_revoked(connection, kept.jti)
    assert await tokens.revoke(connection, kept.jti)
    assert await tokens.revoke(connection, expired.jti)
    assert await tokens.revoked(connection) == {kept.jti}
    assert await tokens.is_revoked(connection, kept.jti)
    assert not await tokens.revoke(connection, "nobody")


async def test_every_service_may_be_the_first_to_make_the_epoch(database: Database) -> None:
    tokens_seen = set()
    for role in ("omnium_push", "omnium_worker", "omnium_router"):
        opened = await connect(database.dsn, role=role)
        tokens_seen.add(await epoch(opened))
        await opened.close()
    assert len(tokens_seen) == 1
