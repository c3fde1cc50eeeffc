"""Shapes of what /releases answers."""

from __future__ import annotations

from datetime import datetime

from omnium_releases.approving import Approved
from omnium_releases.audit import AuditEntry
from omnium_releases.comparisons import Comparison
from omnium_releases.defaults import DefaultSet
from omnium_releases.explanations import Explanation
from omnium_releases.listing import ReleaseCard, ReleaseRow
from omnium_releases.needs import StrandedFixture
from omnium_releases.pins import Pins
from omnium_releases.programs import Installed
from omnium_releases.registering import Registered
from omnium_releases.retiring import Retired
from omnium_router.given import Given
from omnium_router.shapes import answer_of, list_of, shape_of

InstalledOut = shape_of(Installed)
RegisteredOut = shape_of(Registered)
ReleaseCardOut = shape_of(ReleaseCard)
PinsOut = shape_of(Pins)
ExplanationOut = shape_of(Explanation)
ComparisonOut = shape_of(Comparison)
RetiredOut = answer_of("RetiredOut", Retired, dry_run=bool)
ApprovedOut = answer_of("ApprovedOut", Approved, dry_run=bool, environment=str)
Releases = list_of("Releases", ReleaseRow)
Audit = list_of("Audit", AuditEntry)
Defaults = list_of("Defaults", DefaultSet, dry_run=bool)
Zombies = list_of("Zombies", StrandedFixture)


class ReportedOut(Given):
    """A replay report that was stored, or would be; `changed` is false where it was stored already."""

    dry_run: bool
    version: str
    status: str
    changed: bool
    headline: str
    old_version: str | None
    corpus_digest: str
    passed: bool
    sports: list[str]
    matches: int
    events: int
    differences: int
    failures: int


class CheckedRelease(Given):
    """One release that upcoming fixtures need, and how its workers answer."""

    version: str
    status: str
    well: bool
    reasons: list[str]
    workers: int
    answering: int
    problems: list[str]


class CheckOut(Given):
    """Whether all that is needed until a moment runs; `undecided` are sports without a default."""

    ok: bool
    at: datetime
    until: datetime
    undecided: list[str]
    items: list[CheckedRelease]
