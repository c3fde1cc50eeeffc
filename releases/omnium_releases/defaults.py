"""Which release new fixtures get: set forward only, one more row each time."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from omnium_releases import audit
from omnium_releases.artifacts import no_such_release
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.competitions import Competition, SportRow, find_competition
from omnium_releases.documents import moment_text
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

#: PostgreSQL's -infinity, as asyncpg reads and writes it.
ALWAYS: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultSet:
    """One scope before and after. `later` are the defaults that are set for after `from_at` and stay."""

    sport: str
    competition: str | None
    before: str | None
    after: str
    from_at: datetime
    changed: bool
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Scope:
    release_id: uuid.UUID
    version: str
    sports: tuple[SportRow, ...]
    competition: Competition | None


async def set_default(
    conn: Connection,
    version: str,
    *,
    sport: str | None,
    competition: str | None,
    from_at: datetime | None,
    who: str,
    trace: Trace = NO_TRACE,
) -> list[DefaultSet]:
    """Make a prod release the default of a sport (none: of each that it holds), or of one competition.

    Without `from_at` from now on; a scope that never had a default gets it from always on.
    Raises `NotFound`, and `Refused` for a release that is not prod and a moment that is past or taken.
    """
    async with conn.transaction():
        scope, planned = await _plan(conn, version, sport=sport, competition=competition, from_at=from_at)
        for row, change in zip(scope.sports, planned, strict=True):
            if change.changed:
                await _add(conn, scope, row, change, who)
        if any(change.changed for change in planned):
            await audit.record(
                conn,
                who=who,
                verb="default",
                release_id=scope.release_id,
                seen={"scopes": planned},
                trace=trace,
            )
    return planned


async def preview(
    conn: Connection,
    version: str,
    *,
    sport: str | None,
    competition: str | None,
    from_at: datetime | None,
) -> list[DefaultSet]:
    """What `set_default` would do; raises what it would raise, and changes nothing."""
    async with conn.transaction():
        return (await _plan(conn, version, sport=sport, competition=competition, from_at=from_at))[1]


async def _plan(
    conn: Connection,
    version: str,
    *,
    sport: str | None,
    competition: str | None,
    from_at: datetime | None,
) -> tuple[_Scope, list[DefaultSet]]:
    release = await conn.fetchrow(_SQL["release_for_share"], version)
    if release is None:
        raise no_such_release(version)
    _check_prod(version, release["status"])
    found = await find_competition(conn, competition)
    sports = await _sports(conn, release["id"], version, sport=sport, competition=found)
    scope = _Scope(release["id"], version, sports, found)
    await conn.fetch(_SQL["lock_sports"], [row.id for row in sports])
    now: datetime = await conn.fetchval(_SQL["the_moment"])
    _check_forward(from_at, now)
    return scope, [await _change(conn, scope, row, from_at, now) for row in sports]


def _check_prod(version: str, status: str) -> None:
    if status != "prod":
        way_out = (
            "Choose a release that is prod: `omnium releases list` shows them."
            if status == "retired"
            else f"Bring it to prod first: `omnium releases approve {version}`."
        )
        raise Refused(
            f"Release {version} is {status}; only a prod release can be a default. {way_out}",
            reason="not_prod",
            metadata={"release": version, "status": status},
        )


async def _sports(
    conn: Connection,
    release_id: uuid.UUID,
    version: str,
    *,
    sport: str | None,
    competition: Competition | None,
) -> tuple[SportRow, ...]:
    """The sports that are meant: the one named, the competition's own, or all that the release holds."""
    held = tuple(
        SportRow(row["id"], row["code"]) for row in await conn.fetch(_SQL["release_sports"], release_id)
    )
    own = competition.sport if competition else None
    if sport and own and sport != own:
        raise Refused(
            f"{competition.path if competition else ''} is a competition of {own}, not of {sport}. "
            f"Say --sport {own}, or name another competition.",
            reason="wrong_sport",
        )
    wanted = sport or own
    chosen = tuple(row for row in held if wanted in (None, row.code))
    if not chosen:
        raise Refused(
            f"Release {version} holds no rules of {wanted or 'any sport'}; it has "
            f"{', '.join(row.code for row in held) or 'none'}. Name one of those, or another release.",
            reason="sport_not_in_release",
        )
    return chosen


def _check_forward(from_at: datetime | None, now: datetime) -> None:
    if from_at is None:
        return
    if from_at.tzinfo is None:
        raise BadRequest(
            f"{from_at} has no time zone. Write it like 2026-09-19T08:00Z.", reason="bad_parameter"
        )
    if from_at < now:
        raise Refused(
            f"{moment_text(from_at)} is past (it is {moment_text(now)}). A default only goes "
            "forward, because matches have been created under the one before: leave --from out for now, "
            "or give a later moment.",
            reason="default_in_past",
        )


async def _change(
    conn: Connection, scope: _Scope, sport: SportRow, from_at: datetime | None, now: datetime
) -> DefaultSet:
    competition_id = scope.competition.id if scope.competition else None
    rows = await conn.fetch(_SQL["scope_defaults"], sport.id, competition_id, from_at or now)
    before = next((row["version"] for row in rows if row["begun"]), None)
    if from_at is not None and any(row["from_at"] == from_at for row in rows):
        raise Refused(
            f"{sport.code} already has a default from {moment_text(from_at)} on, and rows are never edited. "
            "Give a later moment.",
            reason="default_taken",
        )
    return DefaultSet(
        sport=sport.code,
        competition=scope.competition.path if scope.competition else None,
        before=before,
        after=scope.version,
        from_at=from_at or (now if rows else ALWAYS),
        changed=before != scope.version,
        later=tuple(
            f"{r['version']} from {moment_text(r['from_at'])}" for r in reversed(rows) if not r["begun"]
        ),
    )


async def _add(conn: Connection, scope: _Scope, sport: SportRow, change: DefaultSet, who: str) -> None:
    competition_id = scope.competition.id if scope.competition else None
    await conn.execute(_SQL["add_default"], sport.id, competition_id, scope.release_id, change.from_at, who)
