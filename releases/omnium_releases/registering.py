"""Registering a release: verified, proven in a process of its own, and stored whole in one transaction."""

from __future__ import annotations

import asyncio
import json
import uuid
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from omnium_releases import approving, audit, programs, reporting
from omnium_releases.approving import Registrant, Terms
from omnium_releases.artifacts import ReleaseFiles, Wheel
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.documents import document
from omnium_releases.gate import Program
from omnium_releases.orders import (
    NO_EVIDENCE,
    STEPS,
    Evidence,
    Order,
    check_early,
    check_reports,
    check_same_bytes,
    check_same_notes,
)
from omnium_releases.rule_changes import RuleChange, check_sports, rule_changes
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """What registering did. `changed` is false where the same bytes were there, as far up or further."""

    version: str
    status: str
    before: str | None
    changed: bool
    code_sha: str
    contract_sha: str
    contract_version: str
    workflows: tuple[str, ...]
    sports: tuple[str, ...]


async def register(  # noqa: PLR0913  one a field of the form that it is sent with
    conn: Connection,
    *,
    flows: bytes,
    flows_name: str,
    contract: bytes,
    contract_name: str,
    env: str,
    notes: str,
    who: str,
    cache: Path,
    environment: str,
    by_another: bool = True,
    evidence: Evidence = NO_EVIDENCE,
    trace: Trace = NO_TRACE,
) -> Registered:
    """Verify two wheels, prove them, and store them as a release. The same bytes again change nothing.

    Raises `Refused` for wheels that are not sound, other bytes or notes under a known version, gate problems
    (all of them), notes and reports that can't be used, and, where `environment` is not local, for `env` prod
    by who registered it (`by_another`) or without a passed report for each sport.
    """
    if env not in STEPS:
        raise BadRequest(f"--env is one of {', '.join(STEPS)}, not {env!r}.", reason="bad_parameter")
    files = await asyncio.to_thread(_read, (flows, flows_name), (contract, contract_name))
    terms = Terms(environment=environment, by_another=by_another)
    order = Order(files, env, notes, evidence, who, terms, trace)
    check_reports(order)
    known = await conn.fetchrow(_SQL["release_identity"], files.version)
    if known is not None:
        return await _again(conn, order)
    check_early(order)
    changes = rule_changes(notes)
    proven = await programs.prove(files, cache=cache)
    check_sports(changes, {program.workflow for program in proven})
    return await _store(conn, order, changes, proven) or await _again(conn, order)


def _read(flows: tuple[bytes, str], contract: tuple[bytes, str]) -> ReleaseFiles:
    return ReleaseFiles.of(*(Wheel.read(content, filename=name) for content, name in (flows, contract)))


async def _store(
    conn: Connection, order: Order, changes: tuple[RuleChange, ...], proven: tuple[Program, ...]
) -> Registered | None:
    """All of the release in one transaction; None where another registration of the version was faster."""
    async with conn.transaction():
        release_id = await _add(conn, order, changes)
        if release_id is None:
            return None
        for kind, wheel in (("flows", order.files.flows), ("contract", order.files.contract)):
            row = (release_id, kind, wheel.filename, wheel.sha256, wheel.record_sha, wheel.content)
            await conn.execute(_SQL["add_artifact"], *row)
        await programs.write(conn, release_id, proven)
        await _audit(conn, order, release_id, before=None)
        await _add_reports(conn, order, release_id)
        if order.env == "prod":
            await _approve(conn, order, release_id, order.registrant, before=None)
        return await _registered(conn, order, release_id, status=order.env, before=None)


async def _add(conn: Connection, order: Order, changes: tuple[RuleChange, ...]) -> uuid.UUID | None:
    files = order.files
    release_id: uuid.UUID | None = await conn.fetchval(
        _SQL["add_release"],
        files.version,
        files.code_sha,
        files.contract_sha,
        files.contract_version,
        order.env,
        order.notes,
        json.dumps(document(changes)),
        order.registrant.name,
        order.registrant.sub,
        order.who if order.env == "prod" else None,
    )
    return release_id


async def _add_reports(conn: Connection, order: Order, release_id: uuid.UUID) -> None:
    for report in order.evidence.reports:
        await reporting.add(conn, release_id, report, who=order.who, trace=order.trace)


async def _approve(
    conn: Connection, order: Order, release_id: uuid.UUID, registrant: Registrant, *, before: str | None
) -> None:
    """Hold the step to prod to what an approval asks for, and write it down; a local one asks for nothing."""
    terms, trace = order.terms, order.trace
    if terms.is_local:
        return
    found = await approving.check(
        conn, release_id, order.files.version, registrant=registrant, who=order.who, terms=terms, trace=trace
    )
    await approving.record(
        conn, release_id, before=before, found=found, who=order.who, terms=terms, trace=trace
    )


async def _again(conn: Connection, order: Order) -> Registered:
    """The version is known: nothing to do for the same bytes, or a step up."""
    async with conn.transaction():
        row = await conn.fetchrow(_SQL["release_for_update"], order.files.version)
        if row is None:
            raise Refused(f"Release {order.files.version} has just gone. Try again.", reason="gone")
        check_same_bytes(row, order.files)
        check_same_notes(row, order)
        before: str = row["status"]
        if before == "retired":
            raise Refused(
                f"Release {order.files.version} is retired and stays so. Build another version to go on.",
                reason="retired",
            )
        await _add_reports(conn, order, row["id"])
        status = max(before, order.env, key=STEPS.index)
        if status != before:
            await _climb(conn, order, row)
        return await _registered(conn, order, row["id"], status=status, before=before)


async def _climb(conn: Connection, order: Order, row: asyncpg.Record) -> None:
    before: str = row["status"]
    if order.env == "prod":
        if order.evidence.staged_by is None:
            approving.check_staged(order.files.version, before, order.terms)
        registrant = Registrant(row["registered_by"], row["registered_sub"])
        await _approve(conn, order, row["id"], registrant, before=before)
    await conn.execute(_SQL["raise_status"], row["id"], order.env, order.who)
    await _audit(conn, order, row["id"], before=before)


async def _audit(conn: Connection, order: Order, release_id: uuid.UUID, *, before: str | None) -> None:
    files = order.files
    seen: dict[str, object] = {
        "before": before,
        "after": order.env,
        "codeSha": files.code_sha,
        "contractSha": files.contract_sha,
        "environment": order.terms.environment,
    }
    if order.evidence.staged_by:
        seen["stagedBy"] = order.evidence.staged_by
    reason = "a local environment asks for no report" if order.is_local_prod else ""
    await audit.record(
        conn,
        who=order.who,
        verb="register",
        release_id=release_id,
        seen=seen,
        reason=reason,
        trace=order.trace,
    )


async def _registered(
    conn: Connection, order: Order, release_id: uuid.UUID, *, status: str, before: str | None
) -> Registered:
    workflows = await conn.fetch(_SQL["release_programs"], release_id)
    sports = await conn.fetch(_SQL["release_sports"], release_id)
    return Registered(
        version=order.files.version,
        status=status,
        before=before,
        changed=status != before,
        code_sha=order.files.code_sha,
        contract_sha=order.files.contract_sha,
        contract_version=order.files.contract_version,
        workflows=tuple(dict.fromkeys(row["workflow"] for row in workflows)),
        sports=tuple(row["code"] for row in sports),
    )
