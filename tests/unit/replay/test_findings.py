"""What is kept of very many differences: all are counted, undeclared ones are listed first."""

from __future__ import annotations

from typing import Any

from omnium_releases.replay.declared import Declarations
from omnium_releases.replay.differences import Difference, Kind
from omnium_releases.replay.findings import MOST_OF_A_MATCH, MOST_OF_ALL, Findings
from omnium_releases.replay.outcome import Outcome, Reason


def difference(number: int, *, declared: str = "") -> Difference:
    return Difference(
        match="m", sport="tally", kind=Kind.STATE, keys=(f"k{number}",), old="1", new="2", event=number,
        declared=declared,
    )  # fmt: skip


def findings() -> Findings:
    nobody: Any = None
    return Findings(Outcome(old=None, new={}, corpus="test"), nobody, Declarations([]), lambda _: frozenset())


def test_undeclared_differences_are_listed_before_declared_ones_in_the_order_of_the_story() -> None:
    found = findings()
    declared = [difference(number, declared="meant") for number in range(MOST_OF_A_MATCH)]
    found.add([*declared, difference(999)], "m", "tally")
    outcome = found.outcome
    assert (outcome.difference_count, outcome.undeclared_count) == (MOST_OF_A_MATCH + 1, 1)
    assert (len(outcome.differences), outcome.differences[-1].key) == (MOST_OF_A_MATCH, "k999")
    assert outcome.notes == [f"{MOST_OF_A_MATCH} of {MOST_OF_A_MATCH + 1} differences of m are listed"]
    assert [failure.reason for failure in outcome.failures] == [Reason.UNDECLARED]


def test_a_report_has_a_bound_and_its_figures_have_none() -> None:
    found = findings()
    for match in range(MOST_OF_ALL // 100 + 5):
        found.add([difference(number, declared="meant") for number in range(100)], f"m{match}", "tally")
    outcome = found.outcome
    assert (len(outcome.differences), outcome.difference_count) == (MOST_OF_ALL, MOST_OF_ALL + 500)
    assert (len(outcome.notes), outcome.passed) == (5, True)
