"""What the database says of pools: which are wanted, and which workers serve."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import asyncpg

from omnium_deploy.pools import PoolKey, Want
from omnium_store.database import connect
from omnium_store.errors import DatabaseAway
from omnium_store.statements import Statements
from omnium_store.statuses import OVER, FixtureStatus

STATEMENTS = Statements.of("omnium_deploy")
UNFINISHED = sorted(set(FixtureStatus) - OVER)
CHANNEL = "omnium_fleet"  # rung when leases come and go and when somebody asks for a pool
TIMEOUT_S = 5.0
#: What reading raises while the database is away.
AWAY = (
    DatabaseAway,
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server's last word came while a statement was being sent
)


@dataclass(frozen=True, slots=True)
class Horizon:
    """How far ahead and back a want counts, in seconds."""

    soon_s: float = 3600.0  # a default that begins so soon has its pool already
    request_s: float = 600.0  # a pool that was asked for stays so long after it was last asked for
    lease_s: float = 6.0  # a worker whose heartbeat is older is gone


class WantsReader:
    """Reads with one connection, opened again when it was lost. `news` is called when the fleet changed."""

    def __init__(self, dsn: str, horizon: Horizon, *, news: Callable[[], None] = lambda: None) -> None:
        self._dsn = dsn
        self._horizon = horizon
        self._news = news
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._turn = asyncio.Lock()

    async def wants(self) -> list[Want]:
        """Every reason for a pool. Raises one of `AWAY` when the database is."""
        defaults = await self._rows("wanted_by_default", self._horizon.soon_s)
        pins = await self._rows("wanted_by_pins", UNFINISHED)
        requests = await self._rows("wanted_by_request", self._horizon.request_s)
        return [
            *(
                Want(PoolKey(row["version"]), f"default of {row['scopes']}", is_default=True)
                for row in defaults
            ),
            *(Want(PoolKey(row["version"]), _pinned(row["fixtures"])) for row in pins),
            *(Want(PoolKey(row["version"], row["lane"]), _asked(row["reason"])) for row in requests),
        ]

    async def serving(self) -> list[tuple[PoolKey, int]]:
        """Pool and pid of each worker with a fresh lease. Raises as `wants` does."""
        rows = await self._rows("workers_serving", self._horizon.lease_s)
        return [(PoolKey(row["version"], row["lane"]), row["pid"]) for row in rows]

    async def close(self) -> None:
        """Close the connection; it is no matter if the database is away."""
        if self._connection:
            with contextlib.suppress(*AWAY):
                await self._connection.close(timeout=TIMEOUT_S)

    async def _rows(self, name: str, argument: object) -> list[asyncpg.Record]:
        async with self._turn:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connect(self._dsn, application="omnium deploy")
                await self._connection.add_listener(CHANNEL, self._ring)
            try:
                return await self._connection.fetch(STATEMENTS[name], argument, timeout=TIMEOUT_S)
            except AWAY:
                self._connection.terminate()  # whatever state it is in
                raise

    def _ring(self, *_: object) -> None:
        self._news()


def _pinned(fixtures: int) -> str:
    return f"{fixtures} unfinished fixture{'s' if fixtures != 1 else ''}"


def _asked(reason: str) -> str:
    return f"asked for: {reason}" if reason else "asked for"
