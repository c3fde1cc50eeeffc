"""Retiring a release: refused while anything unfinished or future depends on it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import asyncpg

from omnium_releases import audit, pins
from omnium_releases.artifacts import no_such_release
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.documents import moment_text
from omnium_releases.pins import PinCounts
from omnium_store.database import Connection
from omnium_store.errors import Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A release before and after; `changed` is false if it was retired already."""

    version: str
    before: str
    after: str
    changed: bool
    counts: PinCounts


@dataclass(frozen=True, slots=True)
class _Hold:
    """One thing that keeps a release."""

    reason: str
    sentence: str


async def retire(
    conn: Connection, version: str, *, who: str, reason: str, trace: Trace = NO_TRACE
) -> Retired:
    """Retire a release: no new pins, no standing pool; its wheels and its fixtures' boards stay.

    Raises `NotFound`, and `Refused` with everything that keeps it: unfinished fixtures (pinned), defaults
    (is_default), sports that no other prod release holds (only_release).
    """
    async with conn.transaction():
        release_id, planned = await _plan(conn, version)
        if planned.changed:
            await conn.execute(_SQL["retire_release"], release_id)
            await audit.record(
                conn,
                who=who,
                verb="retire",
                release_id=release_id,
                reason=reason,
                seen={"release": planned},
                trace=trace,
            )
    return planned


async def preview(conn: Connection, version: str) -> Retired:
    """What `retire` would do; raises what it would raise, and changes nothing."""
    async with conn.transaction():
        return (await _plan(conn, version))[1]


async def _plan(conn: Connection, version: str) -> tuple[uuid.UUID, Retired]:
    """First the lock, against all who point at the release; then, in later statements, the counting."""
    await conn.execute(_SQL["lock_retiring"])
    row = await conn.fetchrow(_SQL["release_for_update"], version)
    if row is None:
        raise no_such_release(version)
    counts = await pins.count(conn, row["id"])
    changed = row["status"] != "retired"
    if changed and (holds := await _holds(conn, row, counts)):
        raise Refused(
            f"Release {version} can't be retired. {' '.join(hold.sentence for hold in holds)}",
            reason=holds[0].reason,
            metadata={"release": version, "unfinished": str(counts.unfinished)},
        )
    return row["id"], Retired(
        version=version, before=row["status"], after="retired", changed=changed, counts=counts
    )


async def _holds(conn: Connection, row: asyncpg.Record, counts: PinCounts) -> list[_Hold]:
    holds = [await _pinned(conn, row["id"], counts) if counts.unfinished else None]
    holds.append(_defaults(await conn.fetch(_SQL["release_defaults"], row["id"])))
    if row["status"] == "prod":
        holds.append(
            _bare_sports([r["code"] for r in await conn.fetch(_SQL["sports_that_would_be_bare"], row["id"])])
        )
    return [hold for hold in holds if hold is not None]


async def _pinned(conn: Connection, release_id: uuid.UUID, counts: PinCounts) -> _Hold:
    starts = await conn.fetch(_SQL["next_starts"], release_id)
    listed = ", ".join(
        f"{r['event']}/{r['code']} ({r['status']}, {moment_text(r['scheduled_start']) or 'no start'})"
        for r in starts
    )
    return _Hold(
        "pinned",
        f"{pins.when_free(counts)} By start: {listed}. "
        "Wait until they are finished, or move those that have not started with results.set_release.",
    )


def _defaults(rows: list[asyncpg.Record]) -> _Hold | None:
    if not rows:
        return None
    listed = ", ".join(f"{r['sport']}{_of_competition(r)} ({_since(r)})" for r in rows)
    return _Hold(
        "is_default", f"It is the default of {listed}. Set another one there first: omnium releases default."
    )


def _since(row: asyncpg.Record) -> str:
    return "now" if row["begun"] else f"from {moment_text(row['from_at'])}"


def _of_competition(row: asyncpg.Record) -> str:
    if row["competition"] is None:
        return ""
    return (
        f" in {row['event']}"
        if row["event"] == row["competition"]
        else f" in {row['event']}/{row['competition']}"
    )


def _bare_sports(sports: list[str]) -> _Hold | None:
    if not sports:
        return None
    return _Hold(
        "only_release",
        f"It is the only prod release of {', '.join(sports)}. "
        "Bring another one that holds them to prod first.",
    )
