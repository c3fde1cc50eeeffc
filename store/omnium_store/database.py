"""Connections to PostgreSQL: asyncpg with a role, limits, and a check that we can work with the server.

`json` and `jsonb` stay text, so that canonical bytes pass through untouched.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import asyncpg
import structlog

from omnium_store.errors import DatabaseAway, Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from asyncpg.pool import PoolConnectionProxy

#: What a function that only asks questions takes: a connection, of a pool or not.
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | PoolConnectionProxy[asyncpg.Record]"
#: What is done with each new connection of a pool.
OnConnect: TypeAlias = "Callable[[asyncpg.Connection[asyncpg.Record]], Awaitable[None]]"

OLDEST_SERVER: Final = 15
CONNECT_TIMEOUT_S: Final = 10.0

#: What asyncpg raises while the server is down, starting, stopping, full or out of reach.
AWAY: Final = (
    OSError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
)
#: What it raises when the address or the login is wrong.
NOT_LET_IN: Final = (asyncpg.InvalidAuthorizationSpecificationError, asyncpg.InvalidCatalogNameError)

log = structlog.get_logger("omnium.database")


@dataclass(frozen=True, slots=True)
class Limits:
    """Time limits of a connection, in milliseconds; 0 means none. They are set when it is opened."""

    statement_ms: int = 0
    transaction_ms: int = 0
    idle_in_transaction_ms: int = 0
    lock_ms: int = 0

    def settings(self, server_version: int) -> dict[str, str]:
        """The server settings that carry them; `transaction_timeout` where the server has it (17)."""
        wanted = {
            "statement_timeout": self.statement_ms,
            "transaction_timeout": self.transaction_ms if server_version >= 17 else 0,
            "idle_in_transaction_session_timeout": self.idle_in_transaction_ms,
            "lock_timeout": self.lock_ms,
        }
        return {name: str(value) for name, value in wanted.items() if value}


NO_LIMITS = Limits()


def lock_key(subject: uuid.UUID) -> int:
    """The advisory lock of a subject: the last 8 bytes of its id, signed (the first 8 may be a timestamp)."""
    return int.from_bytes(subject.bytes[8:], "big", signed=True)


async def connect(
    dsn: str, *, role: str | None = None, application: str = "omnium", limits: Limits = NO_LIMITS
) -> asyncpg.Connection[asyncpg.Record]:
    """One connection to the primary, as `role` where the database has it."""
    settings = {"application_name": application}
    if role or limits != NO_LIMITS:
        settings |= await _settings(dsn, role, limits)
    return await _open(dsn, settings)


async def create_pool(
    dsn: str,
    *,
    role: str | None = None,
    size: int = 8,
    application: str = "omnium",
    limits: Limits = NO_LIMITS,
    statement_cache_size: int = 1024,
    on_connect: OnConnect | None = None,
) -> asyncpg.Pool[asyncpg.Record]:
    """A pool of at most `size` connections. Behind a transaction pooler set `statement_cache_size=0`.

    `on_connect` is given each new connection before anybody else gets it.
    """

    async def prepare(connection: asyncpg.Connection[asyncpg.Record]) -> None:
        await _refuse_standby(connection)
        if on_connect is not None:
            await on_connect(connection)

    settings = {"application_name": application} | await _settings(dsn, role, limits)
    try:
        return await asyncpg.create_pool(
            dsn,
            min_size=min(1, size),
            max_size=size,
            timeout=CONNECT_TIMEOUT_S,
            server_settings=settings,
            statement_cache_size=statement_cache_size,
            init=prepare,
            reset=_leave_as_is,
        )
    except AWAY as error:
        raise _away(error) from error


async def _leave_as_is(connection: object) -> None:
    """No reset when a connection comes back: nothing sets session state, and it would be a round trip more.

    A transaction that was left open is rolled back by asyncpg before this.
    """


async def _settings(dsn: str, role: str | None, limits: Limits) -> dict[str, str]:
    """What a service's connections are opened with: its role (if it may take it) and its limits."""
    connection = await _open(dsn, {"application_name": "omnium settings"})
    try:
        settings = limits.settings(connection.get_server_version().major)
        if role and await may_take(connection, role):
            settings["role"] = role
        return settings
    finally:
        await connection.close()


async def may_take(connection: asyncpg.Connection[Any], role: str) -> bool:
    """Whether this login may `SET ROLE role`; a log line says what that means where it may not."""
    row = await connection.fetchval(
        "SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_catalog.pg_roles WHERE rolname = $1", role
    )
    if not row:
        log.warning(
            "database.role_missing",
            role=role,
            effect="this service works with all rights of the database's owner",
            way_out="create it, grant it to the owner, and run: omnium db migrate",
        )
    return bool(row)


async def _open(dsn: str, settings: dict[str, str]) -> asyncpg.Connection[asyncpg.Record]:
    try:
        connection = await asyncpg.connect(dsn, timeout=CONNECT_TIMEOUT_S, server_settings=settings)
    except AWAY as error:
        raise _away(error) from error
    except NOT_LET_IN as error:
        raise Refused(
            f"PostgreSQL does not let us in: {error}. Look at OMNIUM_DATABASE_URL.", reason="database_refuses"
        ) from error
    try:
        refuse_old(connection)
        await _refuse_standby(connection)
    except Exception:
        await connection.close()
        raise
    return connection


def refuse_old(connection: asyncpg.Connection[Any]) -> None:
    """Raise `Refused` (`database_too_old`) for a server before 15."""
    version = connection.get_server_version()
    if version.major < OLDEST_SERVER:
        raise Refused(
            f"This is PostgreSQL {version.major}. omnium needs {OLDEST_SERVER} or newer: "
            "point OMNIUM_DATABASE_URL at one, or leave it out for the embedded server.",
            reason="database_too_old",
        )


async def _refuse_standby(connection: asyncpg.Connection[Any]) -> None:
    if connection.get_settings().in_hot_standby == "on":
        raise DatabaseAway(
            "This PostgreSQL is a standby. Point OMNIUM_DATABASE_URL at the primary.",
            reason="database_is_standby",
        )


def _away(error: BaseException) -> DatabaseAway:
    return DatabaseAway(
        f"PostgreSQL does not answer ({type(error).__name__}: {error}). Start it, or try again."
    )
