"""Registering a release: verified, proven in a process of its own, and stored whole in one transaction."""

from __future__ import annotations

import asyncio
import json
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg

from omnium_releases import audit, programs
from omnium_releases.artifacts import ReleaseFiles, Wheel
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.documents import document
from omnium_releases.gate import Program
from omnium_releases.rule_changes import RuleChange, check_sports, rule_changes
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

#: The steps that a release climbs; it never goes down, and `retired` is another matter.
STEPS: Final = ("proven", "staging", "prod")
LOCAL: Final = "local"


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


@dataclass(frozen=True, slots=True)
class _Order:
    """Who wants which release where."""

    files: ReleaseFiles
    env: str
    notes: str
    who: str
    environment: str
    trace: Trace


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
    trace: Trace = NO_TRACE,
) -> Registered:
    """Verify two wheels, prove them, and store them as a release. The same bytes again change nothing.

    Raises `Refused` for wheels that are not sound, other bytes under a known version, gate problems (all of
    them), notes that can't be read, and `env` prod without a report where `environment` is not local.
    """
    if env not in STEPS:
        raise BadRequest(f"--env is one of {', '.join(STEPS)}, not {env!r}.", reason="bad_parameter")
    files = await asyncio.to_thread(_read, (flows, flows_name), (contract, contract_name))
    order = _Order(files, env, notes, who, environment, trace)
    known = await conn.fetchrow(_SQL["release_identity"], files.version)
    if known is not None:
        return await _again(conn, order)
    _check_report(order)
    changes = rule_changes(notes)
    proven = await programs.prove(files, cache=cache)
    check_sports(changes, {program.workflow for program in proven})
    return await _store(conn, order, changes, proven) or await _again(conn, order)


def _read(flows: tuple[bytes, str], contract: tuple[bytes, str]) -> ReleaseFiles:
    return ReleaseFiles.of(*(Wheel.read(content, filename=name) for content, name in (flows, contract)))


async def _store(
    conn: Connection, order: _Order, changes: tuple[RuleChange, ...], proven: tuple[Program, ...]
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
        return await _registered(conn, order, release_id, status=order.env, before=None)


async def _add(conn: Connection, order: _Order, changes: tuple[RuleChange, ...]) -> uuid.UUID | None:
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
        json.dumps({"kind": "gate", "environment": order.environment}),
        order.who,
    )
    return release_id


async def _again(conn: Connection, order: _Order) -> Registered:
    """The version is known: nothing to do for the same bytes, or a step up."""
    async with conn.transaction():
        row = await conn.fetchrow(_SQL["release_for_update"], order.files.version)
        if row is None:
            raise Refused(f"Release {order.files.version} has just gone. Try again.", reason="gone")
        _check_same_bytes(row, order.files)
        before: str = row["status"]
        if before == "retired":
            raise Refused(
                f"Release {order.files.version} is retired and stays so. Build another version to go on.",
                reason="retired",
            )
        status = max(before, order.env, key=STEPS.index)
        if status != before:
            _check_report(order)
            await conn.execute(_SQL["raise_status"], row["id"], status, order.who)
            await _audit(conn, order, row["id"], before=before)
        return await _registered(conn, order, row["id"], status=status, before=before)


def _check_same_bytes(row: asyncpg.Record, files: ReleaseFiles) -> None:
    """A version never names two contents."""
    differing = [
        f"the {kind} that is registered has {known[:12]}…, this one {sent[:12]}…"
        for kind, known, sent in (
            ("flows' code", row["code_sha"], files.code_sha),
            ("contract's code", row["contract_sha"], files.contract_sha),
        )
        if known != sent
    ]
    if differing:
        raise Refused(
            f"Version {files.version} is taken by other content: {'; '.join(differing)}. "
            "A version never names two contents: give the flows another version and build again.",
            reason="version_taken",
            metadata={"release": files.version},
        )


def _check_report(order: _Order) -> None:
    if order.env == "prod" and order.environment != LOCAL:
        raise Refused(
            f"Release {order.files.version} has no replay report, without which nothing becomes prod in a "
            f"{order.environment} environment. "
            "Register it with --env staging; a person approves it with the report.",
            reason="no_report",
        )


async def _audit(conn: Connection, order: _Order, release_id: uuid.UUID, *, before: str | None) -> None:
    files = order.files
    seen = {
        "before": before,
        "after": order.env,
        "codeSha": files.code_sha,
        "contractSha": files.contract_sha,
        "environment": order.environment,
    }
    reason = "a local environment asks for no report" if order.env == "prod" else ""
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
    conn: Connection, order: _Order, release_id: uuid.UUID, *, status: str, before: str | None
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
