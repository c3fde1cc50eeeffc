"""A program: folds logs of one release from nothing and prints what differs from what is stored, as JSON.

    python -P -s tests/harness/fold_again.py DSN VERSION CACHE FIXTURE…

It loads the release as a worker does, in a process of its own, so that no rules come near the tests'.
"""

from __future__ import annotations

import asyncio
import json
import sys
import uuid
from pathlib import Path

from omnium_releases.artifacts import fetch, unpack
from omnium_releases.isolation import enter_release_folder
from omnium_store.database import connect


async def fold_again(dsn: str, version: str, cache: Path, fixtures: list[str]) -> dict[str, object]:
    """Fixture → rows, events and problems."""
    connection = await connect(dsn, application="omnium test verify")
    try:
        stored = await fetch(connection, version)
        enter_release_folder(unpack(stored.files, cache))
        # imports the release's contract, so only now
        from omnium_worker.guard import Unguarded  # noqa: PLC0415
        from omnium_worker.host import Host  # noqa: PLC0415
        from omnium_worker.identity import Identity  # noqa: PLC0415
        from omnium_worker.runtime import runtime_sha  # noqa: PLC0415
        from omnium_worker.verify import verify_fixture  # noqa: PLC0415

        identity = Identity(
            version=version,
            release_id=stored.id,
            code_sha=stored.files.code_sha,
            contract_sha=stored.files.contract_sha,
            runtime_sha=runtime_sha(),
        )
        host = Host.load(unpack(stored.files, cache), identity, Unguarded())
        found = [await verify_fixture(connection, host, uuid.UUID(fixture)) for fixture in fixtures]
    finally:
        await connection.close()
    return {
        str(one.fixture): {"rows": one.rows, "events": one.events, "problems": list(one.problems)}
        for one in found
    }


if __name__ == "__main__":
    dsn, version, cache, *fixtures = sys.argv[1:]
    print(json.dumps(asyncio.run(fold_again(dsn, version, Path(cache), fixtures))))
