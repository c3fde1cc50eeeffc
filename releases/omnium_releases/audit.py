"""The audit: who did what to which release, when, why, and the figures that they saw."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from omnium_releases.documents import document
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a change came from: the request, the commit and CI run that the sender named, and who that is."""

    request_id: str = ""
    build: Mapping[str, str] = field(default_factory=dict)
    sub: str = ""  # of the sender's token: names are for people, and two may have one


NO_TRACE = Trace()


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One thing that was done."""

    id: int
    at: datetime
    who: str
    sub: str
    verb: str
    version: str | None
    fixture_id: uuid.UUID | None
    reason: str
    seen: Mapping[str, Any]
    request_id: str
    build: Mapping[str, str]


async def record(
    conn: Connection,
    *,
    who: str,
    verb: str,
    release_id: uuid.UUID,
    seen: Mapping[str, Any],
    reason: str = "",
    fixture_id: uuid.UUID | None = None,
    trace: Trace = NO_TRACE,
) -> None:
    """Write one entry, in the transaction of what it tells."""
    await conn.execute(
        _SQL["add_audit"],
        who,
        trace.sub,
        verb,
        release_id,
        fixture_id,
        reason,
        json.dumps(document(seen)),
        trace.request_id,
        json.dumps(dict(trace.build)),
    )


async def entries(conn: Connection, version: str | None = None, *, limit: int = 100) -> list[AuditEntry]:
    """The newest entries, of one release or of all."""
    rows = await conn.fetch(_SQL["audit_entries"], version, limit)
    return [
        AuditEntry(**{**row, "seen": json.loads(row["seen"]), "build": json.loads(row["build"])})
        for row in rows
    ]
