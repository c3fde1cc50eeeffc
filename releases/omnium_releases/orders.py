"""An order to register a release, and what is refused of it before anything is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import asyncpg

from omnium_releases.approving import Registrant, Terms, check_another
from omnium_releases.artifacts import ReleaseFiles
from omnium_releases.audit import Trace
from omnium_releases.replay_reports import ReplayReport, check_is_of, headline
from omnium_releases.rule_changes import changes_of, rule_changes
from omnium_store.errors import Refused

#: The steps that a release climbs; it never goes down, and `retired` is another matter.
STEPS: Final = ("proven", "staging", "prod")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What comes with the wheels: replay reports of them, and who staged them in another environment."""

    reports: tuple[ReplayReport, ...] = ()
    staged_by: Registrant | None = None


NO_EVIDENCE: Final = Evidence()


@dataclass(frozen=True, slots=True)
class Order:
    """Who wants which release where."""

    files: ReleaseFiles
    env: str
    notes: str
    evidence: Evidence
    who: str
    terms: Terms
    trace: Trace

    @property
    def registrant(self) -> Registrant:
        """Who registers it first: whoever staged it where it comes from, else the sender."""
        return self.evidence.staged_by or Registrant(self.who, self.trace.sub)

    @property
    def is_local_prod(self) -> bool:
        """Whether it becomes prod on somebody's own machine, where nothing is asked for."""
        return self.env == "prod" and self.terms.is_local


def check_reports(order: Order) -> None:
    """Raise `Refused` for a report of other bytes, and for one that failed: it is no proof."""
    files = order.files
    for report in order.evidence.reports:
        check_is_of(report, version=files.version, code_sha=files.code_sha, contract_sha=files.contract_sha)
        if not report.passed:
            raise Refused(
                f"The replay of release {files.version} {headline(report)}. Mend the rules or declare in the "
                "notes what is meant, build again, replay again.",
                reason="report_failed",
                metadata={"release": files.version},
            )


def check_early(order: Order) -> None:
    """What is decided under lock later and can be told before the gate has run."""
    if order.env != "prod" or order.terms.is_local:
        return
    version = order.files.version
    if not order.evidence.reports:
        raise Refused(
            f"Release {version} has no replay report, without which nothing becomes prod in a "
            f"{order.terms.environment} environment. "
            "Register it with --env staging; a person approves it with the report.",
            reason="no_report",
            metadata={"release": version},
        )
    check_another(version, order.registrant, who=order.who, terms=order.terms, trace=order.trace)


def check_same_bytes(row: asyncpg.Record, files: ReleaseFiles) -> None:
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


def check_same_notes(row: asyncpg.Record, order: Order) -> None:
    """What a release declares is what its reports were judged by: it stays as it was registered."""
    if order.notes and rule_changes(order.notes) != changes_of(row["rule_changes"]):
        raise Refused(
            f"Release {order.files.version} is registered with other rule changes in its notes. "
            "Leave --notes out, or build another version for the new ones.",
            reason="notes_taken",
            metadata={"release": order.files.version},
        )
