"""Which releases upcoming fixtures need, and which fixtures are pinned to what does not run."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import asyncpg

from omnium_releases.documents import moment_text
from omnium_releases.pins import MOST_SHOWN
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

#: What commands are judged by: a fixture on anything else waits for nothing.
SERVING: Final = {"pinned": frozenset({"proven", "staging", "prod"}), "default": frozenset({"prod"})}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRelease:
    """A release that has to run. `reasons` say what for, `problems` what is wrong with that."""

    id: uuid.UUID
    version: str
    status: str
    code_sha: str
    contract_sha: str
    reasons: tuple[str, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """All that is needed until a moment; `undecided` are sports whose upcoming fixtures have no default."""

    at: datetime
    until: datetime
    releases: tuple[NeededRelease, ...]
    undecided: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StrandedFixture:
    """An unfinished fixture whose release does not run; `why` as the fleet says it."""

    id: uuid.UUID
    event: str
    code: str
    name: str
    sport: str
    status: str
    live: bool
    scheduled_start: datetime | None
    version: str
    why: str


@dataclass(frozen=True, slots=True)
class PinnedRelease:
    """A release that unfinished fixtures are pinned to."""

    id: uuid.UUID
    version: str
    status: str
    code_sha: str
    contract_sha: str


async def needs(conn: Connection, *, within: timedelta) -> Needs:
    """What fixtures need that are live or start within that time."""
    async with conn.transaction(isolation="repeatable_read", readonly=True):
        now: datetime = await conn.fetchval("SELECT now()")
        rows = await conn.fetch(_SQL["upcoming_needs"], within)
    by_release: dict[uuid.UUID, list[asyncpg.Record]] = {}
    for row in rows:
        if row["id"] is not None:
            by_release.setdefault(row["id"], []).append(row)
    return Needs(
        at=now,
        until=now + within,
        releases=tuple(_needed(found) for found in by_release.values()),
        undecided=tuple(row["what"] for row in rows if row["id"] is None),
    )


async def pinned_releases(conn: Connection) -> list[PinnedRelease]:
    """The releases that unfinished fixtures are pinned to."""
    return [PinnedRelease(**row) for row in await conn.fetch(_SQL["pinned_releases"])]


async def stranded(conn: Connection, why: dict[uuid.UUID, str]) -> list[StrandedFixture]:
    """The unfinished fixtures of releases that do not run (at most a thousand), each with the reason."""
    rows = await conn.fetch(_SQL["stranded_fixtures"], list(why), MOST_SHOWN)
    return [
        StrandedFixture(
            **{name: value for name, value in row.items() if name != "release_id"}, why=why[row["release_id"]]
        )
        for row in rows
    ]


def _needed(rows: list[asyncpg.Record]) -> NeededRelease:
    first = rows[0]
    return NeededRelease(
        id=first["id"],
        version=first["version"],
        status=first["status"],
        code_sha=first["code_sha"],
        contract_sha=first["contract_sha"],
        reasons=tuple(_reason(row) for row in rows),
        problems=tuple(_status_problems(first["status"], {row["kind"] for row in rows})),
    )


def _reason(row: asyncpg.Record) -> str:
    fixtures = f"{row['fixtures']} fixture{'' if row['fixtures'] == 1 else 's'}"
    start = moment_text(row["next_start"])
    by_start = f", first {start}" if start else ""
    if row["kind"] == "pinned":
        return f"{fixtures} pinned{by_start}"
    return f"default of {row['what']} for {fixtures}{by_start}"


def _status_problems(status: str, kinds: Collection[str]) -> Iterable[str]:
    for kind in sorted(kinds):
        if status not in SERVING[kind]:
            yield f"it is {status} and still {'pinned' if kind == 'pinned' else 'a default'}"
