"""The schema's history: numbered SQL, applied once: `pre` before new code, `post` after old code is gone.

Functions, roles and grants are repeatable files, applied again when they change. Everybody who migrates takes
one advisory lock, each file is one transaction, and a file that was applied may never change.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final, Literal

import asyncpg
import structlog

from omnium_store.database import connect
from omnium_store.errors import Refused
from omnium_store.statements import statement

Kind = Literal["pre", "post", "function", "role"]
Step = Literal["pre", "post"]

STEPS: Final[tuple[Step, ...]] = ("pre", "post")
ROLES: Final = ("omnium_router", "omnium_worker", "omnium_push")
MIGRATION_LOCK: Final = 0x6F6D6E69756D  # "omnium"

log = structlog.get_logger("omnium.migrations")


@dataclass(frozen=True, slots=True)
class Migration:
    """One file. `number` is None for repeatable ones."""

    kind: Kind
    name: str
    number: int | None
    sql: str

    @property
    def checksum(self) -> str:
        """SHA-256 of its text."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Status:
    """How a database stands to this build."""

    applied: tuple[str, ...]
    pending: tuple[str, ...]
    unknown: tuple[str, ...]
    changed: tuple[str, ...]

    @property
    def is_current(self) -> bool:
        """Whether nothing is left to do."""
        return not (self.pending or self.unknown or self.changed)


@dataclass(frozen=True, slots=True)
class _Ledger:
    checksums: dict[tuple[str, str], str]

    def has(self, migration: Migration) -> bool:
        return (migration.kind, migration.name) in self.checksums

    def is_same(self, migration: Migration) -> bool:
        return self.checksums.get((migration.kind, migration.name)) == migration.checksum


def schema_number() -> int:
    """The newest migration that this build knows; leases carry it."""
    return max(migration.number or 0 for step in STEPS for migration in numbered(step))


@cache
def numbered(step: Step) -> tuple[Migration, ...]:
    """The numbered migrations of one step, in order."""
    found = [_numbered(step, file) for file in _sql_files(_folder() / "migrations" / step)]
    return tuple(sorted(found, key=lambda migration: migration.number or 0))


@cache
def functions() -> tuple[Migration, ...]:
    """The repeatable files that make the SQL functions."""
    return tuple(_read("function", file, None) for file in _sql_files(_folder() / "functions"))


async def migrate(dsn: str, kinds: Sequence[Step] = STEPS) -> list[str]:
    """Bring the database up to this build; returns the names of what was applied, none if it was current.

    Raises `Refused`: `migration_changed`, `database_newer`, or `old_lease` (a post step while old code runs).
    """
    async with _migrating(dsn) as connection:
        ledger = await _ledger(connection)
        _refuse_changed(ledger)
        _refuse_newer(ledger)
        applied: list[str] = []
        if "pre" in kinds:
            applied += await _apply_all(connection, [one for one in numbered("pre") if not ledger.has(one)])
            applied += await _apply_all(connection, [one for one in functions() if not ledger.is_same(one)])
        if "post" in kinds:
            pending = [one for one in numbered("post") if not ledger.has(one)]
            await _refuse_old_leases(connection, pending)
            applied += await _apply_all(connection, pending)
        applied += await _apply_roles(connection, ledger, anything_new=bool(applied))
        return applied


async def status(dsn: str) -> Status:
    """What is applied, pending, unknown to this build, or changed since. Writes nothing."""
    connection = await connect(dsn, application="omnium db status")
    try:
        has_ledger = await connection.fetchval(statement("schema_has_ledger"))
        ledger = await _ledger(connection) if has_ledger else _Ledger({})
    finally:
        await connection.close()
    everything = [*numbered("pre"), *functions(), *numbered("post"), *_role_files()]
    return Status(
        applied=tuple(_label(one) for one in everything if ledger.is_same(one)),
        pending=tuple(_label(one) for one in everything if _is_pending(ledger, one)),
        unknown=tuple(_unknown(ledger)),
        changed=tuple(_label(one) for one in _changed(ledger)),
    )


@asynccontextmanager
async def _migrating(dsn: str) -> AsyncIterator[asyncpg.Connection[Any]]:
    connection = await connect(dsn, application="omnium db migrate")
    try:
        await connection.execute("SET client_min_messages = warning")
        await connection.execute("SELECT pg_advisory_lock($1)", MIGRATION_LOCK)
        await connection.execute((_folder() / "migrations" / "ledger.sql").read_text(encoding="utf-8"))
        yield connection
    finally:
        await connection.close()  # and with it the lock


async def _apply_all(connection: asyncpg.Connection[Any], migrations: Sequence[Migration]) -> list[str]:
    for migration in migrations:
        async with connection.transaction():
            await connection.execute(migration.sql)
            await connection.execute(
                statement("schema_note_applied"),
                migration.kind,
                migration.name,
                migration.number,
                migration.checksum,
            )
        log.info("schema.applied", kind=migration.kind, name=migration.name)
    return [_label(migration) for migration in migrations]


async def _apply_roles(
    connection: asyncpg.Connection[Any], ledger: _Ledger, *, anything_new: bool
) -> list[str]:
    """Roles and what they may touch, again whenever a table may have come."""
    roles, grants = _role_files()
    if not anything_new and ledger.is_same(roles) and ledger.is_same(grants):
        return []
    applied = await _apply_all(connection, [roles])
    usable = set(await connection.fetchval(statement("schema_usable_roles"), list(ROLES)))
    if missing := sorted(set(ROLES) - usable):
        log.warning(
            "schema.roles_unavailable",
            roles=missing,
            effect="services work with all rights of the database's owner",
            way_out="create them NOLOGIN, grant them to the owner, and run: omnium db migrate",
        )
        return applied
    return applied + await _apply_all(connection, [grants])


async def _ledger(connection: asyncpg.Connection[Any]) -> _Ledger:
    rows = await connection.fetch(statement("schema_applied"))
    return _Ledger({(row["kind"], row["name"]): row["checksum"] for row in rows})


async def _refuse_old_leases(connection: asyncpg.Connection[Any], pending: Sequence[Migration]) -> None:
    if not pending:
        return
    newest = max(migration.number or 0 for migration in pending)
    old = await connection.fetch(statement("schema_old_leases"), newest)
    if old:
        who = ", ".join(f"{row['kind']} {row['address']} (schema {row['schema_number']})" for row in old[:5])
        raise Refused(
            f"{len(old)} process(es) of an older build still run: {who}. Roll them, then migrate again.",
            reason="old_lease",
        )


def _refuse_changed(ledger: _Ledger) -> None:
    if changed := _changed(ledger):
        raise Refused(
            f"{', '.join(_label(one) for one in changed)} has been applied here and was changed since. "
            "Take the change back and write a new migration.",
            reason="migration_changed",
        )


def _refuse_newer(ledger: _Ledger) -> None:
    if unknown := _unknown(ledger):
        raise Refused(
            f"This database has {', '.join(unknown)}, which this build does not know. Use the newer build.",
            reason="database_newer",
        )


def _changed(ledger: _Ledger) -> list[Migration]:
    known = [one for step in STEPS for one in numbered(step)]
    return [one for one in known if ledger.has(one) and not ledger.is_same(one)]


def _unknown(ledger: _Ledger) -> list[str]:
    known = {(one.kind, one.name) for step in STEPS for one in numbered(step)}
    return [
        f"{kind}/{name}"
        for kind, name in sorted(ledger.checksums)
        if kind in STEPS and (kind, name) not in known
    ]


def _is_pending(ledger: _Ledger, migration: Migration) -> bool:
    repeatable = migration.number is None
    return not (ledger.is_same(migration) if repeatable else ledger.has(migration))


def _label(migration: Migration) -> str:
    return f"{migration.kind}/{migration.name}"


def _role_files() -> tuple[Migration, Migration]:
    folder = _folder() / "migrations"
    return _read("role", folder / "roles.sql", None), _read("role", folder / "grants.sql", None)


def _numbered(step: Step, file: Traversable) -> Migration:
    digits, _, title = file.name.removesuffix(".sql").partition("_")
    if len(digits) != 4 or not digits.isdigit() or not title:
        raise ValueError(f"{file.name}: a migration is named like 0007_what_it_does.sql")
    return _read(step, file, int(digits))


def _read(kind: Kind, file: Traversable, number: int | None) -> Migration:
    return Migration(kind, file.name.removesuffix(".sql"), number, file.read_text(encoding="utf-8"))


def _sql_files(folder: Traversable) -> list[Traversable]:
    found = [file for file in folder.iterdir() if file.name.endswith(".sql")] if folder.is_dir() else []
    return sorted(found, key=lambda file: file.name)


def _folder() -> Traversable:
    return files("omnium_store")
