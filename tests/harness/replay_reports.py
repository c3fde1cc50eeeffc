"""Replay reports as `omnium replay --report json` writes them, of any two releases."""

from __future__ import annotations

from typing import Any

from harness.wheels import MadeRelease


def report_document(
    new: MadeRelease,
    old: MadeRelease | None = None,
    /,
    *,
    sports: tuple[str, ...] = ("tally",),
    **changed: Any,
) -> dict[str, Any]:
    """A passed report of `new` against `old`, by goldens alone without one; `changed` replaces members."""
    figures = {"matches": 2, "events": 40, "differences": 0, "failures": 0}
    return {
        "old": old and {"version": old.version, "code_sha": old.code_sha},
        "new": {"version": new.version, "code_sha": new.code_sha, "contract_sha": new.contract_sha},
        "corpus_digest": "c" * 64,
        "matches": 2 * len(sports),
        "events": 40 * len(sports),
        "differences": [],
        "failures": [],
        "by_sport": dict.fromkeys(sports, figures),
        "coverage": {},
        "passed": True,
        **changed,
    }


def failed_report(new: MadeRelease, old: MadeRelease | None = None, /, **changed: Any) -> dict[str, Any]:
    """One with an undeclared difference."""
    found = "m-1 event 3: points.home 3 -> 4"
    return report_document(
        new, old, **{"passed": False, "differences": [found], "failures": [found], **changed}
    )
