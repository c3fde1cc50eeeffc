"""The worker's engine inside another process: the release loaded as a worker loads it, and connections."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import asyncpg

from omnium_releases.artifacts import fetch, unpack
from omnium_releases.isolation import enter_release_folder


async def entered(dsn: str, version: str, cache: Path) -> Any:
    """The release of `version`, unpacked and on this process's path; no code of it has run yet."""
    from omnium_worker.process import Unpacked  # noqa: PLC0415 - must not load before its neighbours are forgotten

    connection = await asyncpg.connect(dsn)
    try:
        stored = await fetch(connection, version)
    finally:
        await connection.close()
    folder = unpack(stored.files, cache)
    enter_release_folder(folder)
    return Unpacked(
        id=stored.id,
        version=stored.version,
        code_sha=stored.files.code_sha,
        contract_sha=stored.files.contract_sha,
        folder=folder,
    )


async def engine(dsn: str, version: str, home: Path) -> Any:
    """A host with the guards that a worker has."""
    from omnium_worker.settings import WorkerSettings  # noqa: PLC0415 - as above

    release = await entered(dsn, version, home / "cache")
    from omnium_worker.shell import Shell  # noqa: PLC0415 - imports the release's contract

    return Shell(release, WorkerSettings(home=home, database_url=dsn))


async def pool(dsn: str, size: int, *, commit_delay_us: int = 0) -> Any:
    """Connections with a worker's limits; `commit_delay_us` makes commits as slow as on a network disk."""
    from omnium_store.database import create_pool  # noqa: PLC0415 - as above

    async def slow(connection: Any) -> None:
        await connection.execute(f"SET commit_delay = {commit_delay_us}; SET commit_siblings = 0")

    return await create_pool(
        dsn, size=size, application="omnium bench", on_connect=slow if commit_delay_us else None
    )


async def forever() -> None:
    """Until the process is ended."""
    await asyncio.Event().wait()
