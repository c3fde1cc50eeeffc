"""Transactions: run once more where that is safe; PostgreSQL's errors as those that services share."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

import asyncpg
import structlog

from omnium_store.errors import DatabaseAway, InternalError, OmniumError, OutOfTime, Overloaded

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

T = TypeVar("T")
Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"

log = structlog.get_logger("omnium.worker")

#: Another transaction was in the way; it has been taken back, and the key makes another try safe.
CONFLICT: Final = (asyncpg.DeadlockDetectedError, asyncpg.SerializationError)
#: The schema changed since the statement was prepared; asyncpg has forgotten it by now.
STALE_PLAN: Final = (asyncpg.InvalidCachedStatementError, asyncpg.OutdatedSchemaCacheError)
_AWAY: Final = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shut down, crashed, starting up
    asyncpg.InsufficientResourcesError,  # too many connections, disk full
    asyncpg.IdleInTransactionSessionTimeoutError,
    asyncpg.ReadOnlySQLTransactionError,  # it became a standby
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server's last word came just before ours
    OSError,
)
_OF_DATABASE: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
)


async def with_retries(attempt: Callable[[], Awaitable[T]]) -> T:
    """Run a transaction: once more after a conflict, once more after a stale plan. Raises `OmniumError`."""
    chances = {CONFLICT: 1, STALE_PLAN: 1}
    while True:
        try:
            return await attempt()
        except (*CONFLICT, *STALE_PLAN) as error:
            kind = CONFLICT if isinstance(error, CONFLICT) else STALE_PLAN
            if not chances[kind]:
                raise translated(error) from error
            chances[kind] -= 1
        except _OF_DATABASE as error:
            raise translated(error) from error


def translated(error: BaseException) -> OmniumError:
    """What a failure of the database means to a sender. What nobody foresaw is logged with its id."""
    match error:
        case asyncpg.LockNotAvailableError():
            return Overloaded(
                "Another command holds this subject. Nothing has run; try again.", reason="busy"
            )
        case asyncpg.QueryCanceledError():
            return OutOfTime(
                "The command took longer than it may and was taken back. Try again with the same key."
            )
        case asyncpg.DeadlockDetectedError() | asyncpg.SerializationError():
            return Overloaded(
                "Other commands were in the way twice. Nothing was written; try again.", reason="busy"
            )
        case _ if isinstance(error, _AWAY) and not isinstance(error, asyncpg.DataError):
            return DatabaseAway(
                "PostgreSQL does not answer. Whether the command was written is not known here: "
                "send it again with the same key."
            )
        case _:
            ours = InternalError()
            log.error("command.broke", id=ours.id, exc_info=error)
            return ours


@asynccontextmanager
async def borrowed(pool: Pool, *, patience: float) -> AsyncIterator[Connection]:
    """A connection of the pool. Raises `Overloaded` where none is free in time, `DatabaseAway`."""
    try:
        connection = await pool.acquire(timeout=patience)
    except TimeoutError:
        raise Overloaded("All connections are busy. Nothing has run; try again.", reason="busy") from None
    except _AWAY as error:
        raise DatabaseAway("PostgreSQL does not answer. Nothing has run; try again.") from error
    except _OF_DATABASE as error:
        raise translated(error) from error
    try:
        yield connection
    finally:
        await pool.release(connection)


async def roll_back(connection: Connection) -> None:
    """Leave the transaction, whatever state it is in; a connection that can't is given up."""
    if connection.is_closed():
        return
    try:
        await connection.execute("ROLLBACK")
    except _OF_DATABASE:
        connection.terminate()


async def call(connection: Connection, statement: str, arguments: list[Any]) -> asyncpg.Record:
    """One statement that gives one row."""
    row = await connection.fetchrow(statement, *arguments)
    if row is None:
        raise InternalError("A statement that always gives a row gave none.")
    return row
