"""The report for a terminal and for the log of a CI run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from omnium_releases.replay.outcome import WAYS_OUT, Outcome, SportFigures

#: Lines of one kind; more are counted. Every one is in the JSON report.
MOST_LINES: Final = 40


def text_report(outcome: Outcome) -> str:
    """Figures, differences, coverage, and at the end why it fails."""
    return "\n".join(_lines(outcome)) + "\n"


def headline(outcome: Outcome) -> str:
    """What was replayed, and what came of it, in one line."""
    against = f"{outcome.old['version']} -> " if outcome.old else "first release: "
    differences = f"{outcome.difference_count} differences"
    verdict = "passed" if outcome.passed else "FAILED"
    return (
        f"{against}{outcome.new['version']}: {outcome.matches} matches, {outcome.events} commands, "
        f"{differences}, {outcome.undeclared_count} undeclared: {verdict}"
    )


def _lines(outcome: Outcome) -> Iterator[str]:
    yield headline(outcome)
    yield f"corpus {outcome.corpus}, digest {outcome.corpus_digest[:12]}, {outcome.seconds:.1f} s"
    for sport, figures in sorted(outcome.by_sport.items()):
        yield f"  {sport}: {_figures(figures)}"
    yield from _listed(
        "differences",
        [
            f"{one.sentence()}{f' (declared: {one.declared})' if one.declared else ' (undeclared)'}"
            for one in outcome.differences
        ],
    )
    yield from _listed(
        "declared changes",
        [
            f"{change.sport}: {change.what} [{', '.join(change.keys)}]: {count} differences"
            for change, count in outcome.declared
        ],
    )
    yield from _listed("not exercised", list(_not_exercised(outcome)))
    yield from _listed("skipped", [f"{name}: {reason}" for name, reason in outcome.skipped])
    yield from _listed("notes", outcome.notes)
    yield from _listed("failures", [f"{one.reason}: {one.message}" for one in outcome.failures])
    yield from _listed("what to do", list(ways_out(outcome)))


def ways_out(outcome: Outcome) -> Iterator[str]:
    """What to do about each reason for which it fails, once."""
    for reason in dict.fromkeys(failure.reason for failure in outcome.failures):
        yield f"{reason}: {WAYS_OUT[reason]}"


def _figures(figures: SportFigures) -> str:
    alone = f", {figures.alone} without the old release" if figures.alone else ""
    return (
        f"{figures.matches} matches, {figures.events} commands ({figures.refused} refused), "
        f"{figures.differences} differences, {figures.undeclared} undeclared{alone}"
    )


def _not_exercised(outcome: Outcome) -> Iterator[str]:
    for code, workflow in outcome.coverage.items():
        for kind, one in workflow.kinds.items():
            if one.missing:
                names = ", ".join(key.removeprefix(f"{code}.") for key in one.missing)
                yield f"{code}: {one.total - one.exercised} of {one.total} {kind}: {names}"
        if workflow.never_refused:
            total = workflow.kinds["rules"].total
            yield f"{code}: {len(workflow.never_refused)} of {total} rules were asked and never said no"


def _listed(title: str, lines: list[str]) -> Iterator[str]:
    if not lines:
        return
    yield f"{title}:"
    yield from (f"  {line}" for line in lines[:MOST_LINES])
    if len(lines) > MOST_LINES:
        yield f"  and {len(lines) - MOST_LINES} more; all are in the JSON report"
