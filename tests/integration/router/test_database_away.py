"""A database that goes away and comes back: what is known goes on, what is not is said, nothing is stuck."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.postgres import Database
from harness.routers import Router, Scene, made_router, made_scene
from harness.stand_in import until
from omnium_store.access import Role
from omnium_store.embedded import EmbeddedServer
from omnium_store.migrations import migrate


@pytest.fixture
async def scene(private_server: EmbeddedServer) -> AsyncIterator[Scene]:
    """Rows in a server that this test may stop."""
    dsn = private_server.dsn()
    await migrate(dsn)
    async with made_scene(Database(dsn, "omnium")) as made:
        yield made


async def test_known_fixtures_are_served_without_the_database_and_all_are_once_it_is_back(
    private_server: EmbeddedServer, scene: Scene, tmp_path: Path
) -> None:
    async with made_router(scene.database, tmp_path, router_lease_poll_ms=100) as router:
        await router.ready(scene)
        desk = router.desk(Role.OPERATOR)
        assert (await desk.command(scene.match))[0] == 200
        await asyncio.to_thread(private_server.stop)
        await until(lambda: router.serving.services.leases.is_away)

        status, answer = await desk.command(scene.match)
        assert (status, answer["accepted"]) == (200, True)
        status, body = await desk.command(scene.card)
        assert (status, body["reason"]) == (503, "database_away")
        status, body = await desk.get("/events")
        assert (status, body["reason"]) == (503, "database_away")
        assert (await desk.get("/readyz"))[1]["databaseAway"] is True

        await asyncio.to_thread(private_server.start)
        await until(lambda: not router.serving.services.leases.is_away, 20)
        assert (await desk.get("/events"))[0] == 200
        assert (await desk.command(scene.match))[0] == 200
        await _is_followed_again(router)


async def _is_followed_again(router: Router) -> None:
    """Leases are read from the new connection."""
    seen = router.serving.services.leases.reads
    await until(lambda: router.serving.services.leases.reads > seen + 1)
