"""Approving a release for prod: by a person, with the report of exactly these bytes in front of them."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import asyncpg

from omnium_releases import audit, grounds
from omnium_releases.artifacts import no_such_release
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.grounds import Ground
from omnium_store.database import Connection
from omnium_store.errors import Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

LOCAL = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What this environment asks of an approval; a local one asks for nothing."""

    environment: str
    by_another: bool = True  # who approves is not who registered

    @property
    def is_local(self) -> bool:
        """Whether this is somebody's own machine."""
        return self.environment == LOCAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """A release before and after; `changed` is false if it was prod already."""

    version: str
    before: str
    after: str
    changed: bool
    registered_by: str
    grounds: tuple[Ground, ...]


@dataclass(frozen=True, slots=True)
class Registrant:
    """Who registered a release: the name that people read, and who that is where a token said so."""

    name: str
    sub: str

    def is_same(self, *, name: str, sub: str) -> bool:
        """Whether this is that person; names count only where nobody said more."""
        return self.sub == sub if self.sub and sub else self.name == name


async def approve(
    conn: Connection, version: str, *, who: str, terms: Terms, trace: Trace = NO_TRACE
) -> Approved:
    """Make a staged release prod.

    Raises `NotFound`, and `Refused`: retired, not_staged, same_person, no_report, report_failed.
    """
    async with conn.transaction():
        release_id, planned = await _plan(conn, version, who=who, terms=terms, trace=trace)
        if planned.changed:
            await conn.execute(_SQL["raise_status"], release_id, planned.after, who)
            await record(
                conn,
                release_id,
                before=planned.before,
                found=planned.grounds,
                who=who,
                terms=terms,
                trace=trace,
            )
    return planned


async def preview(conn: Connection, version: str, *, who: str, terms: Terms, trace: Trace) -> Approved:
    """What `approve` would do; raises what it would raise, and changes nothing."""
    async with conn.transaction():
        return (await _plan(conn, version, who=who, terms=terms, trace=trace))[1]


async def check(
    conn: Connection,
    release_id: uuid.UUID,
    version: str,
    *,
    registrant: Registrant,
    who: str,
    terms: Terms,
    trace: Trace,
) -> tuple[Ground, ...]:
    """Why the release may become prod now. Raises `Refused`. In the caller's transaction, its row locked."""
    found = await grounds.grounds(conn, release_id)
    if not terms.is_local:
        grounds.check(version, found)
        check_another(version, registrant, who=who, terms=terms, trace=trace)
    return found


def check_another(version: str, registrant: Registrant, *, who: str, terms: Terms, trace: Trace) -> None:
    """Raise `Refused` (same_person) for who registered the release, where another person is asked for."""
    if terms.by_another and not terms.is_local and registrant.is_same(name=who, sub=trace.sub):
        raise Refused(
            f"{who} registered release {version}, and another person has to approve it. "
            "Ask a second release manager to look at the report and approve it.",
            reason="same_person",
            metadata={"release": version},
        )


async def record(
    conn: Connection,
    release_id: uuid.UUID,
    *,
    before: str | None,
    found: tuple[Ground, ...],
    who: str,
    terms: Terms,
    trace: Trace,
) -> None:
    """Write down who approved, and what they had in front of them."""
    seen = {
        "before": before,
        "after": "prod",
        "environment": terms.environment,
        "grounds": [ground.sentence for ground in found],
        "reports": sorted({ground.report.id for ground in found if ground.report}),
    }
    reason = "a local environment asks for no report" if terms.is_local else ""
    await audit.record(
        conn, who=who, verb="approve", release_id=release_id, seen=seen, reason=reason, trace=trace
    )


async def _plan(
    conn: Connection, version: str, *, who: str, terms: Terms, trace: Trace
) -> tuple[uuid.UUID, Approved]:
    row = await conn.fetchrow(_SQL["release_for_update"], version)
    if row is None:
        raise no_such_release(version)
    status, changed = row["status"], row["status"] != "prod"
    found: tuple[Ground, ...] = ()
    if changed:
        check_staged(version, status, terms)
        registrant = _registrant(row)
        found = await check(
            conn, row["id"], version, registrant=registrant, who=who, terms=terms, trace=trace
        )
    return row["id"], Approved(
        version=version,
        before=status,
        after="prod",
        changed=changed,
        registered_by=row["registered_by"],
        grounds=found,
    )


def _registrant(row: asyncpg.Record) -> Registrant:
    return Registrant(row["registered_by"], row["registered_sub"])


def check_staged(version: str, status: str, terms: Terms) -> None:
    """Raise `Refused` for a release that has to be staged first, or is retired."""
    if status == "retired":
        raise Refused(
            f"Release {version} is retired and stays so. Build another version to go on.", reason="retired"
        )
    if status != "staging" and not terms.is_local:
        raise Refused(
            f"Release {version} is {status}; a release is staged before it becomes prod. "
            "Register the same wheels with --env staging first.",
            reason="not_staged",
            metadata={"release": version, "status": status},
        )
