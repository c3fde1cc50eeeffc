"""Who is on a release: the fixtures pinned to it, and when it will be free."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from omnium_releases.artifacts import no_such_release
from omnium_releases.documents import moment_text
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

#: A fixture has a start and no end: this much later it counts as due to end.
EXPECTED_LENGTH: Final = timedelta(hours=3)
MOST_SHOWN: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedFixture:
    """An unfinished fixture on the release."""

    id: uuid.UUID
    event: str
    code: str
    name: str
    sport: str
    status: str
    live: bool
    scheduled_start: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PinCounts:
    """How many, and when the last unfinished one is due to end (`without_start` of them can't be told)."""

    live: int
    upcoming: int
    done: int
    without_start: int
    free_at: datetime | None

    @property
    def unfinished(self) -> int:
        """Those that hold the release."""
        return self.live + self.upcoming


@dataclass(frozen=True, slots=True, kw_only=True)
class Pins:
    """All about who is on a release."""

    version: str
    status: str
    counts: PinCounts
    sentence: str
    fixtures: tuple[PinnedFixture, ...]


async def pins(conn: Connection, version: str) -> Pins:
    """The unfinished fixtures of a release (at most a thousand of them) and all counts. Raises `NotFound`."""
    async with conn.transaction(isolation="repeatable_read", readonly=True):
        release = await conn.fetchrow(_SQL["release_identity"], version)
        if release is None:
            raise no_such_release(version)
        counts = await count(conn, release["id"])
        rows = await conn.fetch(_SQL["pinned_fixtures"], release["id"], MOST_SHOWN)
    return Pins(
        version=version,
        status=release["status"],
        counts=counts,
        sentence=when_free(counts),
        fixtures=tuple(PinnedFixture(**row) for row in rows),
    )


async def count(conn: Connection, release_id: uuid.UUID) -> PinCounts:
    """The counts of a release."""
    (row,) = await conn.fetch(_SQL["pin_counts"], release_id, EXPECTED_LENGTH)
    return PinCounts(**row)


def when_free(counts: PinCounts) -> str:
    """One sentence: when nothing unfinished will be on the release any more."""
    if not counts.unfinished:
        return "No unfinished fixture is on it."
    parts = [f"{_number(counts.unfinished)} on it ({counts.live} live)"]
    if counts.free_at:
        parts.append(f"the last is due to end about {moment_text(counts.free_at)}")
    if counts.without_start:
        parts.append(f"{counts.without_start} without a start")
    return f"{'; '.join(parts)}."


def _number(unfinished: int) -> str:
    return "1 unfinished fixture is" if unfinished == 1 else f"{unfinished} unfinished fixtures are"
