"""A worker process of a real release, from real wheels in a real database."""

from __future__ import annotations

import json
from pathlib import Path

from harness.postgres import Database
from harness.wheels import make_release
from harness.workers import add_fixture, command, register_release, worker_process


async def test_a_worker_comes_up_and_answers_a_command(database: Database, tmp_path: Path) -> None:
    release = make_release(tmp_path / "wheels")
    release_id = await register_release(database.dsn, release, tmp_path)
    fixture, (home, _) = await add_fixture(database.dsn, release_id, workflow="tally")
    async with worker_process(database.dsn, tmp_path, release.version) as worker:
        began = await worker.execute(command(fixture, "tally.begin"))
        added = await worker.execute(command(fixture, "tally.add", {"entry": home, "amount": 3}))
    print(worker.serving, began)
    assert (True, True) == (began.accepted, added.accepted)
    assert 3 == json.loads(added.answer)["value"]["points"][home]
    assert release.code_sha == added.release.code_sha
