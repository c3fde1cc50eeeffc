"""Which database a verb works on that asks no router: --database, else the environment's, else the home's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from omnium_deploy.endpoints import Endpoints
from omnium_deploy.home import Home
from omnium_deploy.settings import FleetSettings
from omnium_store.database import Connection, connect

DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", help="DSN (else $OMNIUM_DATABASE_URL, else the home's).", show_default=False),
]


def dsn_of(home: Path | None, database: str | None) -> str:
    """The address of the database that the flags name. Raises `NotRunning` where nothing does."""
    if database:
        return database
    if home is None and (configured := FleetSettings.from_environment().database_url):
        return configured
    return Endpoints.read(Home.at(home)).database


@asynccontextmanager
async def connected(dsn: str, *, verb: str) -> AsyncIterator[Connection]:
    """A connection, closed with the context. Raises `DatabaseAway`, `Refused`."""
    connection = await connect(dsn, application=f"omnium {verb}")
    try:
        yield connection
    finally:
        await connection.close()
