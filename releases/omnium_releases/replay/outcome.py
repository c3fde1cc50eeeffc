"""What a replay found: differences, failures with their reasons, figures by sport, coverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from omnium_releases.replay.coverage import WorkflowCoverage
from omnium_releases.replay.differences import Difference
from omnium_releases.rule_changes import RuleChange


class Reason(StrEnum):
    """Why a replay fails."""

    UNDECLARED = "undeclared"
    UNSEEN = "declared_but_unseen"
    ROTTEN = "rotten_corpus"
    NONDETERMINISTIC = "not_deterministic"
    EMPTY = "empty_corpus"
    NO_MATCH = "sport_without_match"
    UNPLAYABLE = "unplayable"
    LOST_SPORT = "lost_sport"
    BROKEN_FILE = "broken_file"


#: What to do about each.
WAYS_OUT: Final[Mapping[Reason, str]] = {
    Reason.UNDECLARED: "If it is meant, declare its key in the notes as a rule change; else mend it.",
    Reason.UNSEEN: "Either the notes are wrong, or the corpus lacks a match that shows it.",
    Reason.ROTTEN: "Find out which of the two is wrong; if it is the corpus, record the match again.",
    Reason.NONDETERMINISTIC: "A rule depends on the order of a set, on hash(), id(), a clock or chance: "
    "rules may only compute from what they are given.",
    Reason.EMPTY: "Nothing was compared: name another corpus.",
    Reason.NO_MATCH: "Nothing shows what the release does there: add a golden or an exported match.",
    Reason.UNPLAYABLE: "Its settings or sides are refused where they were taken: mend the format model.",
    Reason.LOST_SPORT: "A sport that is given up leaves the corpus first.",
    Reason.BROKEN_FILE: "Mend the file, or take it out of the corpus.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One reason why the replay fails; `message` is the fact, `WAYS_OUT` has what to do about it."""

    reason: Reason
    message: str
    match: str = ""
    sport: str = ""

    def as_data(self) -> dict[str, Any]:
        """The failure in a report."""
        return {
            "reason": str(self.reason),
            "message": self.message,
            "way_out": WAYS_OUT[self.reason],
            "match": self.match,
            "sport": self.sport,
        }


@dataclass(slots=True)
class SportFigures:
    """Counts of one workflow. `alone`: matches that the old release could not have played (to their end)."""

    matches: int = 0
    events: int = 0
    refused: int = 0
    differences: int = 0
    undeclared: int = 0
    alone: int = 0

    def as_data(self) -> dict[str, int]:
        """The figures in a report."""
        return {
            "matches": self.matches,
            "events": self.events,
            "refused": self.refused,
            "differences": self.differences,
            "undeclared": self.undeclared,
            "alone": self.alone,
        }


@dataclass(slots=True)
class Outcome:
    """All of it. `old` and `new` name releases as `Cast.as_data` does; `old` None: the first release.

    `notes` are facts worth a look that fail nothing.
    """

    old: Mapping[str, str] | None
    new: Mapping[str, str]
    corpus: str
    corpus_digest: str = ""
    matches: int = 0
    events: int = 0
    seconds: float = 0.0
    differences: list[Difference] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    by_sport: dict[str, SportFigures] = field(default_factory=dict)
    coverage: Mapping[str, WorkflowCoverage] = field(default_factory=dict)
    declared: Sequence[tuple[RuleChange, int]] = ()
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether the new release may go on."""
        return not self.failures

    @property
    def difference_count(self) -> int:
        """How many there are; the list may hold fewer."""
        return sum(figures.differences for figures in self.by_sport.values())

    @property
    def undeclared_count(self) -> int:
        """How many of them no declared change covers."""
        return sum(figures.undeclared for figures in self.by_sport.values())

    def figures(self, sport: str) -> SportFigures:
        """The figures of a workflow, begun at nothing."""
        return self.by_sport.setdefault(sport, SportFigures())

    def fail(self, reason: Reason, message: str, *, match: str = "", sport: str = "") -> None:
        """One more reason."""
        self.failures.append(Failure(reason=reason, message=message, match=match, sport=sport))

    def as_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "old": None if self.old is None else dict(self.old),
            "new": dict(self.new),
            "passed": self.passed,
            "corpus": self.corpus,
            "corpus_digest": self.corpus_digest,
            "matches": self.matches,
            "events": self.events,
            "seconds": round(self.seconds, 2),
            "difference_count": self.difference_count,
            "undeclared_count": self.undeclared_count,
            "differences": [difference.as_data() for difference in self.differences],
            "failures": [failure.as_data() for failure in self.failures],
            "by_sport": {sport: figures.as_data() for sport, figures in sorted(self.by_sport.items())},
            "coverage": {code: one.as_data() for code, one in self.coverage.items()},
            "declared": [
                {
                    "sport": change.sport,
                    "what": change.what,
                    "keys": list(change.keys),
                    "why": change.why,
                    "differences": count,
                }
                for change, count in self.declared
            ],
            "skipped": [{"name": name, "reason": reason} for name, reason in self.skipped],
            "notes": list(self.notes),
        }
