"""A registered release as a side of a replay: its wheels, and the rule changes that it declared."""

from __future__ import annotations

from dataclasses import dataclass

from omnium_releases.artifacts import ReleaseFiles, fetch, no_such_release
from omnium_releases.rule_changes import RuleChange, changes_of
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredSide:
    """What the database has of a release."""

    files: ReleaseFiles
    changes: tuple[RuleChange, ...]


async def registered_side(connection: Connection, version: str) -> RegisteredSide:
    """The release of this version. Raises `NotFound`, `Refused` (tampered)."""
    row = await connection.fetchrow(_SQL["release_identity"], version)
    if row is None:
        raise no_such_release(version)
    stored = await fetch(connection, version)
    return RegisteredSide(files=stored.files, changes=changes_of(row["rule_changes"]))
