"""Which competition and which sports somebody means."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import asyncpg

from omnium_store.database import Connection
from omnium_store.errors import NotFound, Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Competition:
    """A node of the tree; `path` is how it is written."""

    id: uuid.UUID
    path: str
    sport: str | None


@dataclass(frozen=True, slots=True)
class SportRow:
    """A sport as the database has it."""

    id: uuid.UUID
    code: str


async def find_competition(conn: Connection, named: str | None) -> Competition | None:
    """The one named by its id, its code, or EVENT/CODE; None for none. Raises `NotFound`, `Refused`."""
    if named is None:
        return None
    found = [_competition(row) for row in await conn.fetch(_SQL["find_competition"], named)]
    if not found:
        raise NotFound(
            f"There is no competition {named}. Name it by its code, by EVENT/CODE, or by its id.",
            reason="no_such_competition",
        )
    if len(found) > 1:
        raise Refused(
            f"{named} is the code of several competitions: {', '.join(one.path for one in found)}. "
            "Name it with its event, like EVENT/CODE.",
            reason="ambiguous_competition",
        )
    return found[0]


async def find_sport(conn: Connection, code: str) -> SportRow:
    """The sport of this code. Raises `NotFound`."""
    row = await conn.fetchrow(_SQL["find_sport"], code)
    if row is None:
        raise NotFound(
            f"There is no sport {code}. `omnium releases list` shows which sports the releases hold.",
            reason="no_such_sport",
        )
    return SportRow(row["id"], row["code"])


def _competition(row: asyncpg.Record) -> Competition:
    path = row["event"] if row["is_event"] else f"{row['event']}/{row['code']}"
    return Competition(id=row["id"], path=path, sport=row["sport"])
