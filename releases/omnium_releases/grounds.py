"""What allows a release to become prod: a passed replay report for each sport."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import asyncpg

from omnium_releases.reporting import ReportFacts, facts_of
from omnium_store.database import Connection
from omnium_store.errors import Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Why a release may judge a sport: the report against the release that matches get today.

    `against` None: no release held the sport before, and goldens alone prove it. `report` None: a local
    environment asks for none.
    """

    sport: str
    against: str | None
    report: ReportFacts | None

    @property
    def sentence(self) -> str:
        """The ground in words."""
        if self.report is None:
            return f"{self.sport}: no report"
        found = self.report
        how = f"against {self.against}" if self.against else "its first release, by goldens alone"
        figures = f"{found.matches} matches, {found.events} commands, {found.differences} differences"
        verdict = "0 undeclared" if found.passed else f"{found.failures} failures"
        return f"{self.sport}: {how}: {figures}, {verdict}"


async def grounds(conn: Connection, release_id: uuid.UUID) -> tuple[Ground, ...]:
    """The newest report that decides about each sport, passed or not. In the caller's transaction.

    The sports are locked, so that no default changes between this look and the caller's commit.
    """
    sports = await conn.fetch(_SQL["release_sports"], release_id)
    await conn.fetch(_SQL["lock_sports"], [row["id"] for row in sports])
    release = await conn.fetchrow(_SQL["release_hashes"], release_id)
    to_prove = await conn.fetch(_SQL["sports_to_prove"], release_id)
    return tuple([await _ground(conn, release, row) for row in to_prove])


def check(version: str, found: tuple[Ground, ...]) -> None:
    """Raise `Refused` unless every sport has its passed report: no_report, report_failed."""
    if missing := [ground for ground in found if ground.report is None]:
        raise _no_report(version, missing)
    if failed := [ground for ground in found if ground.report and not ground.report.passed]:
        listed = "; ".join(ground.sentence for ground in failed)
        raise Refused(
            f"The newest replay of release {version} failed. {listed}. Declare in the notes what is meant, "
            "mend the rest, and build another version; or replay it over a better corpus and store that.",
            reason="report_failed",
            metadata={"release": version},
        )


async def _ground(conn: Connection, release: asyncpg.Record | None, row: asyncpg.Record) -> Ground:
    assert release is not None  # its row is locked
    report = await conn.fetchrow(
        _SQL["newest_report"], release["code_sha"], release["contract_sha"], row["code_sha"], row["sport"]
    )
    return Ground(sport=row["sport"], against=row["version"], report=facts_of(report) if report else None)


def _no_report(version: str, missing: list[Ground]) -> Refused:
    wanted = "; ".join(
        f"{ground.sport} against {ground.against}" if ground.against else f"{ground.sport} by its goldens"
        for ground in missing
    )
    old = next((f"--old {ground.against} " for ground in missing if ground.against), "")
    return Refused(
        f"Release {version} has no replay report that proves {wanted}. Replay it and store the report: "
        f"omnium replay {old}--new {version} --corpus … --report json > report.json; "
        f"omnium releases report {version} report.json",
        reason="no_report",
        metadata={"release": version},
    )
