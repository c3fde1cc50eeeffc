"""A sound release for the tests of wheels and folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.wheels import MadeRelease, make_release


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    """Two sound wheels; never changed."""
    return make_release(tmp_path_factory.mktemp("wheels"))


@pytest.fixture
def flows(made: MadeRelease) -> bytes:
    """The bytes of the sound flows wheel."""
    return made.flows.read_bytes()


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A cache folder that is not there yet."""
    return tmp_path / "deep" / "cache"
