"""A command line, a router on a real database, and two wheels that are not registered yet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.command_line import CommandLine, command_line
from harness.postgres import Database
from harness.routers import Scene, made_scene
from harness.wheels import MadeRelease, make_release

NEW = "0.2.0+g00000000000b"


@pytest.fixture
async def scene(database: Database) -> AsyncIterator[Scene]:
    """Rows to work on."""
    async with made_scene(database) as made:
        yield made


@pytest.fixture
async def omnium(scene: Scene, tmp_path: Path) -> AsyncIterator[CommandLine]:
    """A command line in a local environment."""
    async with command_line(scene.database, tmp_path / "home") as made:
        yield made


@pytest.fixture
async def staging(scene: Scene, tmp_path: Path) -> AsyncIterator[CommandLine]:
    """A command line in a staging environment, on the same rows."""
    async with command_line(scene.database, tmp_path / "staging", environment="staging") as made:
        yield made


@pytest.fixture
def made(tmp_path: Path) -> MadeRelease:
    """Two sound wheels."""
    return make_release(tmp_path / "wheels", version=NEW)
