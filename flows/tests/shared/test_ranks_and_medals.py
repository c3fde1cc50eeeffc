"""What several workflows use for ranks, medals and outcomes: the examples in the code are true."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest
from pydantic import BaseModel, Field

from omnium_flows.shared import medals, nations, outcomes, ranks, records
from omnium_flows.shared.outcomes import Outcome


@pytest.mark.parametrize("module", [medals, nations, ranks])
def test_the_examples_are_true(module: ModuleType) -> None:
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


def test_no_ranks_run() -> None:
    assert ranks.broken_run([]) is None


def test_the_first_misfit_is_the_one_that_is_told() -> None:
    sides = [Outcome(name="A", rank=1, medal="Silver"), Outcome(name="B", rank=1), Outcome(name="C")]
    rankless = frozenset({"DNS"})
    told = [
        outcomes.misfit("ranking", sides, rankless),
        outcomes.misfit("ranking", sides[:2], rankless),
        outcomes.misfit("ranking", sides[:1], rankless),
        outcomes.misfit("ranking", [Outcome(name="A", rank=1), Outcome(name="C", mark="DNS")], rankless),
    ]
    assert told == [
        "C has no rank and no mark. Give one: everybody is in an official result.",
        "Rank 1 is given twice: mark the tie or change it.",
        "Medals do not fit the ranks: rank 1 is gold.",
        None,
    ]


def test_sent_lists_by_name_what_is_taken_away() -> None:
    class Sent(BaseModel):
        one: int | None = Field(default=None)
        two: int | None = Field(default=None)
        three: int | None = Field(default=None)

    assert records.sent(Sent.model_validate({"one": 1, "two": None})) == {"one": 1, "clears": ["two"]}
    assert records.sent(Sent.model_validate({"one": 1})) == {"one": 1}
