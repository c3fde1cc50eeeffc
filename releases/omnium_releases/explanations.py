"""Why a fixture gets the release that it gets: every row that could decide, and the one that does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import asyncpg

from omnium_releases.competitions import find_competition, find_sport
from omnium_releases.documents import moment_text
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One default that could decide. `verdict` says in words why it does or does not."""

    scope: str
    version: str
    status: str
    from_at: datetime
    set_by: str
    set_at: datetime
    wins: bool
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The release that a fixture of `sport` in `competition` starting `at` would get, and why."""

    sport: str
    competition: str | None
    at: datetime
    version: str | None
    sentence: str
    candidates: tuple[Candidate, ...]


async def explain(
    conn: Connection, *, sport: str, competition: str | None, at: datetime | None
) -> Explanation:
    """Which default decides at a moment (none: now), and why. Raises `NotFound`."""
    async with conn.transaction(readonly=True):
        named = await find_sport(conn, sport)
        found = await find_competition(conn, competition)
        now: datetime = await conn.fetchval(_SQL["the_moment"])
        moment = max(at or now, now)
        rows = await conn.fetch(_SQL["candidate_defaults"], named.id, found.id if found else None, moment)
    candidates = _judge(sport, rows)
    winner = next((one for one in candidates if one.wins), None)
    path = found.path if found else None
    return Explanation(
        sport=sport,
        competition=path,
        at=moment,
        version=winner.version if winner else None,
        sentence=_sentence(f"{sport} in {path}" if path else sport, moment, winner),
        candidates=candidates,
    )


def _judge(sport: str, rows: Sequence[asyncpg.Record]) -> tuple[Candidate, ...]:
    """Rows come nearest scope first, newest first in each: the first that has begun wins."""
    judged: list[Candidate] = []
    winner: Candidate | None = None
    for row in rows:
        scope = _scope_text(sport, row)
        one = Candidate(
            scope=scope,
            version=row["version"],
            status=row["status"],
            from_at=row["from_at"],
            set_by=row["set_by"],
            set_at=row["set_at"],
            wins=row["begun"] and winner is None,
            verdict=_verdict(scope, begun=row["begun"], winner=winner),
        )
        winner = winner or (one if one.wins else None)
        judged.append(one)
    return tuple(judged)


def _verdict(scope: str, *, begun: bool, winner: Candidate | None) -> str:
    if not begun:
        return "not begun at that moment"
    if winner is None:
        return "wins: the nearest scope's newest row that has begun"
    return "replaced by a newer row" if winner.scope == scope else f"{winner.scope} is nearer"


def _scope_text(sport: str, row: asyncpg.Record) -> str:
    if row["distance"] is None:
        return f"sport {sport}"
    if row["event"] == row["competition"]:
        return f"event {row['event']}"
    return f"competition {row['event']}/{row['competition']}"


def _sentence(what: str, at: datetime, winner: Candidate | None) -> str:
    if winner is None:
        return (
            f"{what} has no default at {moment_text(at)}, so no fixture can be created. "
            "Set one: omnium releases default VERSION --sport SPORT"
        )
    since = moment_text(winner.from_at)
    span = f"since {since}" if since else "from always on"
    return f"{what} gets {winner.version}: the default of {winner.scope} {span}, set by {winner.set_by}."
