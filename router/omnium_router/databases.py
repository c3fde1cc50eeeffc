"""The router's way to PostgreSQL: a small pool that may be away and come back, and errors that say so."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, TypeAlias, cast

import asyncpg

from omnium_store import database
from omnium_store.errors import DatabaseAway

ROLE = "omnium_router"
APPLICATION = "omnium router"

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_UNREACHABLE = (OSError, TimeoutError)
_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InterfaceError,
    asyncpg.QueryCanceledError,
)


@contextmanager
def _away_is_said(kinds: tuple[type[Exception], ...]) -> Iterator[None]:
    """Any way in which PostgreSQL fails to answer becomes `DatabaseAway`."""
    try:
        yield
    except asyncpg.DataError:
        raise  # the argument was wrong, not the connection
    except kinds as error:
        raise DatabaseAway(f"PostgreSQL does not answer ({type(error).__name__}). Try again.") from error


class Database:
    """A pool that is opened by its first use, so that a router starts before its database."""

    def __init__(self, dsn: str, *, connections: int, timeout_ms: int) -> None:
        self._dsn = dsn
        self._connections = connections
        self._timeout_s = timeout_ms / 1000
        self._limits = database.Limits(statement_ms=timeout_ms, idle_in_transaction_ms=timeout_ms)
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None
        self._opening = asyncio.Lock()

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[Connection]:
        """One connection of the pool. Raises `DatabaseAway` when there is none to be had."""
        with _away_is_said(_UNREACHABLE + _LOST):
            async with asyncio.timeout(self._timeout_s):
                pool = await self._opened()
            connection = await pool.acquire(timeout=self._timeout_s)
        try:
            with _away_is_said(_LOST):
                # the pool's proxy is a connection in all but its class
                yield cast("Connection", connection)
        finally:
            await pool.release(connection)

    @asynccontextmanager
    async def own_connection(self) -> AsyncIterator[Connection]:
        """A connection outside the pool, for who listens."""
        with _away_is_said(_UNREACHABLE + _LOST):
            connection = await database.connect(self._dsn, role=ROLE, application=f"{APPLICATION} listener")
        try:
            yield connection
        finally:
            connection.terminate()

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        """The first row of a statement, or None."""
        async with self.connection() as connection:
            return await connection.fetchrow(query, *arguments)

    async def rows(self, query: str, *arguments: Any) -> list[asyncpg.Record]:
        """All rows of a statement."""
        async with self.connection() as connection:
            return await connection.fetch(query, *arguments)

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            self._pool.terminate()

    async def _opened(self) -> asyncpg.Pool[asyncpg.Record]:
        async with self._opening:
            if self._pool is None:
                self._pool = await database.create_pool(
                    self._dsn, role=ROLE, size=self._connections, application=APPLICATION, limits=self._limits
                )
            return self._pool
