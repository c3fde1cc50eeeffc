"""A database with one finished match of the sample `tally`, refusals in it, played through a real worker."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from harness.postgres import Database, SharedServer
from harness.replays import tally_release
from harness.wheels import MadeRelease
from harness.workers import add_fixture, command, register_release, worker_process


@dataclass(frozen=True, slots=True)
class PlayedTally:
    """Where it is, and its release."""

    dsn: str
    home: Path
    release: MadeRelease
    fixture: str
    home_side: str


@pytest.fixture(scope="module")
def finished(postgres: SharedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedTally]:
    database = postgres.make()
    yield asyncio.run(_played(database, tmp_path_factory.mktemp("home")))
    postgres.drop(database)


async def _played(database: Database, home: Path) -> PlayedTally:
    release = tally_release(home / "wheels")
    release_id = await register_release(database.dsn, release, home)
    fixture, (first, second) = await add_fixture(database.dsn, release_id, workflow="tally")
    sent: tuple[tuple[str, dict[str, Any], bool], ...] = (
        ("tally.add", {"entry": first}, False),
        ("tally.begin", {}, True),
        ("tally.add", {"entry": second, "amount": 3}, True),
        ("tally.add", {"entry": "nobody"}, False),
        ("tally.add", {"entry": first, "amount": 1000}, True),
    )
    async with worker_process(database.dsn, home, release.version) as worker:
        for code, given, is_accepted in sent:
            answer = await worker.execute(command(fixture, code, given))
            assert answer.accepted is is_accepted, json.loads(answer.answer)
    return PlayedTally(database.dsn, home, release, fixture, first)
