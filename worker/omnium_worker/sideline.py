"""One connection apart from the pool, for what must not wait behind commands: leases and bells."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

import asyncpg

from omnium_store.database import Limits, connect
from omnium_store.errors import DatabaseAway

#: A peer that died is silent: what takes longer is taken for lost.
PATIENCE_S: Final = 5.0
#: Neither a lease nor a bell needs to survive a crash of the server; both must never wait for its disk.
_NO_FLUSH: Final = "SET synchronous_commit = off"
_AWAY: Final = (
    OSError,
    TimeoutError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server's last word came just before ours
)


class Sideline:
    """Opens its connection when it is first needed and again after it was lost. One statement at a time."""

    def __init__(self, dsn: str, *, role: str, application: str) -> None:
        self._dsn = dsn
        self._role = role
        self._application = application
        self._connection: asyncpg.Connection[asyncpg.Record] | None = None
        self._turn = asyncio.Lock()

    async def fetchrow(self, statement: str, *values: Any) -> asyncpg.Record | None:
        """Run one statement. Raises `DatabaseAway`; the next call then opens a new connection."""
        async with self._turn:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    connection = self._connection or await self._open()
                    if values:
                        return await connection.fetchrow(statement, *values)
                    await connection.execute(statement)
                    return None
            except _AWAY as error:
                self._drop()
                raise DatabaseAway(
                    f"PostgreSQL does not answer ({type(error).__name__}: {error})."
                ) from error

    async def open(self) -> None:
        """Open the connection ahead of its first use. Raises `DatabaseAway`."""
        async with self._turn:
            if self._connection is None:
                await self._open()

    async def close(self) -> None:
        """Close the connection, politely if there is time."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*_AWAY):
                await connection.close(timeout=1)

    async def _open(self) -> asyncpg.Connection[asyncpg.Record]:
        connection = await connect(
            self._dsn,
            role=self._role,
            application=self._application,
            limits=Limits(statement_ms=int(PATIENCE_S * 1000)),
        )
        await connection.execute(_NO_FLUSH)
        self._connection = connection
        return connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
