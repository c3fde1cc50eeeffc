"""Moving a match against retiring the release that it moves to: never both."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable
from typing import TypeAlias, TypeVar

import asyncpg
import pytest

from harness.arena import Arena
from harness.postgres import Database
from harness.rival_courts import ThreesCountFour, court, rival
from omnium_releases.retiring import retire
from omnium_store.database import create_pool
from omnium_store.errors import Refused

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
T = TypeVar("T")

ROUNDS = 300
ON_A_RETIRED_ONE = """
SELECT count(*) FROM fixture f JOIN plugin_release r ON r.id = f.release_id
WHERE r.status = 'retired' AND f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
"""


@pytest.fixture
async def routers(database: Database) -> AsyncIterator[Pool]:
    made = await create_pool(database.dsn, role="omnium_router", size=2)
    yield made
    await made.close()


async def after(seconds: float, done: Awaitable[T]) -> T:
    await asyncio.sleep(seconds)
    return await done


async def test_a_move_and_a_retirement_never_both_commit(arena: Arena, routers: Pool) -> None:
    mended, draw = await rival(arena, court(ThreesCountFour)), random.Random(7)
    target = mended.host.identity

    async def moved(digest: str) -> str:
        try:
            return "moved" if (await mended.ask(expect=digest))["changed"] else "there"
        except Refused as refused:
            return refused.reason

    async def retired() -> str:
        async with routers.acquire() as connection:
            try:
                await retire(connection, target.version, who="ada", reason="")
            except Refused as refused:
                return refused.reason
        return "retired"

    outcomes = set()
    for _ in range(ROUNDS):
        digest = (await mended.preview())["digest"]
        moving, retiring = await asyncio.gather(
            after(draw.random() * 0.012, moved(digest)), after(draw.random() * 0.012, retired())
        )
        outcomes.add((moving, retiring))
        assert await arena.connection.fetchval(ON_A_RETIRED_ONE) == 0
        await arena.connection.execute(
            "UPDATE plugin_release SET status = 'prod', retired_at = NULL WHERE id = $1", target.release_id
        )
        await arena.connection.execute("UPDATE fixture SET release_id = $1", arena.release)
    assert outcomes == {("moved", "pinned"), ("release_not_prod", "retired")}
