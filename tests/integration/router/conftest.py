"""A router in this process, on a real database, with workers that do as they are told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.postgres import Database
from harness.routers import Desk, Router, Scene, made_router, made_scene
from omnium_store.access import Role


@pytest.fixture
async def scene(database: Database) -> AsyncIterator[Scene]:
    """Rows to work on."""
    async with made_scene(database) as made:
        yield made


@pytest.fixture
async def router(scene: Scene, tmp_path: Path) -> AsyncIterator[Router]:
    """A router on those rows."""
    async with made_router(scene.database, tmp_path) as made:
        yield made


@pytest.fixture
async def operator(router: Router) -> Desk:
    """A client with the role of an operator."""
    return router.desk(Role.OPERATOR)
