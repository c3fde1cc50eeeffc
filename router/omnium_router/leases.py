"""Which workers there are: their leases in `worker_instance`, read each second and when the bell rings.

While the database is away the last list stays in force; health and connections go on judging each worker.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import asyncpg
import structlog

from omnium_router.databases import Database
from omnium_router.identities import ReleaseRef
from omnium_store.errors import DatabaseAway
from omnium_store.statements import Statements

CHANNEL = "omnium_fleet"
SWEEP_EVERY = 300  # reads

log = structlog.get_logger("omnium.router")


@dataclass(frozen=True, slots=True)
class Lease:
    """What a worker says of itself."""

    id: uuid.UUID
    address: str
    release: ReleaseRef
    runtime_sha: str
    lane: str
    capacity: int
    build: str
    pid: int
    draining: bool
    heartbeat_age_ms: int


class Leases:
    """Reads the leases and hands each new list to `on_list`."""

    def __init__(
        self,
        database: Database,
        on_list: Callable[[Sequence[Lease]], None],
        *,
        poll_s: float,
        gone_after_s: float,
    ) -> None:
        self._database = database
        self._on_list = on_list
        self._poll_s = poll_s
        self._gone_after_s = gone_after_s
        self._bell = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.reads = 0
        self.is_away = False

    @property
    def loaded(self) -> bool:
        """Whether the fleet is known at all."""
        return self.reads > 0

    def start(self) -> None:
        """Begin to read; never fails, a database that is away is tried again."""
        self._task = asyncio.create_task(self._follow(), name="leases")

    async def close(self) -> None:
        """Stop reading."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _follow(self) -> None:
        while True:
            try:
                await self._listen()
            except (
                DatabaseAway,
                asyncpg.PostgresError,
                asyncpg.InterfaceError,
                OSError,
                TimeoutError,
            ) as error:
                self._note_away(error)
                await asyncio.sleep(self._poll_s)

    async def _listen(self) -> None:
        """One life of the connection: it listens and reads, until it breaks."""
        async with self._database.own_connection() as connection:
            await connection.add_listener(CHANNEL, self._ring)
            while True:
                self._bell.clear()
                await self._read(connection)
                try:
                    await asyncio.wait_for(self._bell.wait(), self._poll_s)
                except TimeoutError:
                    continue

    async def _read(self, connection: asyncpg.Connection[asyncpg.Record]) -> None:
        query = Statements.of("omnium_router")["leases"]
        rows = await connection.fetch(query, self._gone_after_s, timeout=self._gone_after_s)
        self._on_list([_lease(row) for row in rows])
        if self.reads % SWEEP_EVERY == 0:
            await connection.execute(Statements.of("omnium_router")["forget_leases"])
        self.reads += 1
        if self.is_away:
            self.is_away = False
            log.info("router.database_back")

    def _ring(self, *_: object) -> None:
        self._bell.set()

    def _note_away(self, error: Exception) -> None:
        if not self.is_away:
            self.is_away = True
            log.warning(
                "router.database_away", error=repr(error), effect="the last list of workers stays in force"
            )


def _lease(row: asyncpg.Record) -> Lease:
    return Lease(
        id=row["id"],
        address=row["address"],
        release=ReleaseRef(row["release_id"], row["version"], row["code_sha"], row["contract_sha"]),
        runtime_sha=row["runtime_sha"],
        lane=row["lane"],
        capacity=row["capacity"],
        build=row["build"],
        pid=row["pid"],
        draining=row["draining"],
        heartbeat_age_ms=row["heartbeat_age_ms"],
    )
