"""The releases that there are, and all about one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from omnium_releases import audit, pins, reporting
from omnium_releases.artifacts import no_such_release
from omnium_releases.audit import AuditEntry
from omnium_releases.pins import PinCounts
from omnium_releases.reporting import ReportFacts
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRow:
    """One line of the list; `workers` answer for it now."""

    version: str
    status: str
    sports: tuple[str, ...]
    live: int
    upcoming: int
    done: int
    workers: int
    code_sha: str
    contract_sha: str
    contract_version: str
    registered_by: str
    created_at: datetime
    retired_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramFacts:
    """One workflow of a release."""

    workflow: str
    title: str
    mode: str
    commands: int
    format_number: int
    checksum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactFacts:
    """One wheel of a release."""

    kind: str
    filename: str
    sha256: str
    record_sha: str
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultFacts:
    """Where a release is the default: now if `begun`, else from `from_at` on."""

    sport: str
    competition: str | None
    event: str | None
    from_at: datetime
    begun: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseCard:
    """All about one release."""

    version: str
    status: str
    code_sha: str
    contract_sha: str
    contract_version: str
    notes: str
    rule_changes: list[Mapping[str, Any]]
    registered_by: str
    registered_sub: str
    created_at: datetime
    approved_by: str | None
    approved_at: datetime | None
    retired_at: datetime | None
    sports: tuple[str, ...]
    programs: tuple[ProgramFacts, ...]
    artifacts: tuple[ArtifactFacts, ...]
    defaults: tuple[DefaultFacts, ...]
    pins: PinCounts
    reports: tuple[ReportFacts, ...]
    audit: tuple[AuditEntry, ...]


async def list_releases(conn: Connection) -> list[ReleaseRow]:
    """Every release, newest first."""
    rows = await conn.fetch(_SQL["list_releases"])
    return [ReleaseRow(**{**row, "sports": tuple(row["sports"])}) for row in rows]


async def show(conn: Connection, version: str) -> ReleaseCard:
    """All about one release. Raises `NotFound`."""
    async with conn.transaction(isolation="repeatable_read", readonly=True):
        row = await conn.fetchrow(_SQL["show_release"], version)
        if row is None:
            raise no_such_release(version)
        facts = dict(row)
        release_id = facts.pop("id")
        facts["rule_changes"] = json.loads(facts["rule_changes"])
        return ReleaseCard(
            **facts,
            sports=tuple(r["code"] for r in await conn.fetch(_SQL["release_sports"], release_id)),
            programs=tuple(ProgramFacts(**r) for r in await conn.fetch(_SQL["release_programs"], release_id)),
            artifacts=tuple(
                ArtifactFacts(**r) for r in await conn.fetch(_SQL["release_artifact_facts"], release_id)
            ),
            defaults=tuple(DefaultFacts(**r) for r in await conn.fetch(_SQL["release_defaults"], release_id)),
            pins=await pins.count(conn, release_id),
            reports=await reporting.reports(conn, release_id),
            audit=tuple(await audit.entries(conn, version)),
        )
