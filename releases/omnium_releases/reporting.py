"""Storing replay reports under the release that they are of, and reading them again."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import asyncpg

from omnium_releases import audit
from omnium_releases.artifacts import no_such_release
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.replay_reports import ReplayReport, check_declares, check_is_of, headline
from omnium_releases.rule_changes import changes_of
from omnium_store.database import Connection
from omnium_store.errors import NotFound
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFacts:
    """A stored report without its document. `old_version` None: proven by its goldens alone."""

    id: int
    old_version: str | None
    old_code_sha: str | None
    corpus_digest: str
    passed: bool
    sports: tuple[str, ...]
    matches: int
    events: int
    differences: int
    failures: int
    stored_by: str
    stored_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What storing a report did; `changed` is false where the same one was stored already."""

    version: str
    status: str
    changed: bool
    headline: str
    report: ReplayReport


async def store(
    conn: Connection, version: str, report: ReplayReport, *, who: str, trace: Trace = NO_TRACE
) -> Reported:
    """Keep a report, passed or failed, under its release. The same one again changes nothing.

    Raises `NotFound`, and `Refused` (report_mismatch) for a report of other bytes.
    """
    async with conn.transaction():
        release_id, planned = await _plan(conn, version, report)
        if planned.changed:
            await add(conn, release_id, report, who=who, trace=trace)
    return planned


async def preview(conn: Connection, version: str, report: ReplayReport) -> Reported:
    """What `store` would do; raises what it would raise, and changes nothing."""
    async with conn.transaction(readonly=True):
        return (await _plan(conn, version, report))[1]


async def add(
    conn: Connection, release_id: uuid.UUID, report: ReplayReport, *, who: str, trace: Trace
) -> None:
    """Keep a report that is known to be of this release, and audit it. In the caller's transaction."""
    row = await conn.fetchrow(_SQL["release_hashes"], release_id)
    assert row is not None  # the caller has it locked, or has just written it
    check_declares(report, changes_of(row["rule_changes"]), version=row["version"])
    stored = await conn.fetchval(
        _SQL["add_report"],
        release_id,
        report.old_version,
        report.old_code_sha,
        report.new_code_sha,
        report.new_contract_sha,
        report.corpus_digest,
        report.content_sha,
        report.passed,
        list(report.sports),
        report.matches,
        report.events,
        report.differences,
        report.failures,
        report.document,
        who,
    )
    if stored is not None:
        seen = {"report": stored, "headline": headline(report), "corpusDigest": report.corpus_digest}
        await audit.record(conn, who=who, verb="report", release_id=release_id, seen=seen, trace=trace)


async def reports(conn: Connection, release_id: uuid.UUID) -> tuple[ReportFacts, ...]:
    """The reports of a release, newest first."""
    return tuple(facts_of(row) for row in await conn.fetch(_SQL["reports"], release_id))


async def document(conn: Connection, version: str, report_id: int) -> dict[str, Any]:
    """One whole report. Raises `NotFound`."""
    text = await conn.fetchval(_SQL["report_document"], version, report_id)
    if text is None:
        raise NotFound(
            f"Release {version} has no report {report_id}. `omnium releases show {version}` lists them.",
            reason="no_such_report",
        )
    told: dict[str, Any] = json.loads(text)
    return told


def facts_of(row: asyncpg.Record) -> ReportFacts:
    """A report as its row says it."""
    return ReportFacts(**{**row, "sports": tuple(row["sports"])})


async def _plan(conn: Connection, version: str, report: ReplayReport) -> tuple[uuid.UUID, Reported]:
    row = await conn.fetchrow(_SQL["release_identity"], version)
    if row is None:
        raise no_such_release(version)
    check_is_of(report, version=version, code_sha=row["code_sha"], contract_sha=row["contract_sha"])
    check_declares(report, changes_of(row["rule_changes"]), version=version)
    known = await conn.fetchval(
        _SQL["report_is_known"],
        report.new_code_sha,
        report.new_contract_sha,
        report.old_code_sha,
        report.corpus_digest,
        report.content_sha,
    )
    return row["id"], Reported(
        version=version, status=row["status"], changed=not known, headline=headline(report), report=report
    )
