"""One table maps the words of states to those of fixtures."""

from __future__ import annotations

import pytest

from omnium_contract.flows.types import STATE_STATUSES
from omnium_store.statuses import LADDER, OVER, FixtureStatus, Standing, is_typed_over, standing_of


def test_the_table_has_every_word_of_the_contract() -> None:
    assert set(LADDER) == set(STATE_STATUSES)


@pytest.mark.parametrize(
    ("word", "status", "is_over"),
    [
        ("called", "SCHEDULED", False),
        ("live", "LIVE", False),
        ("interrupted", "INTERRUPTED", False),
        ("postponed", "POSTPONED", False),
        ("finished", "COMPLETED", True),
        ("walkover", "COMPLETED", True),
        ("no_contest", "COMPLETED", True),
        ("cancelled", "CANCELLED", True),
        ("abandoned", "VOID", True),
    ],
)
def test_a_state_says_what_the_fixture_is(word: str, status: str, is_over: bool) -> None:
    standing = standing_of(word)
    assert (standing.status, standing.official, standing.is_over) == (status, False, is_over)


def test_an_official_result_is_completed_and_marked() -> None:
    assert standing_of("official") == Standing(FixtureStatus.COMPLETED, official=True)


def test_an_unknown_word_is_an_error_that_lists_the_words() -> None:
    with pytest.raises(ValueError, match=r"'paused' is not a status: use one of scheduled"):
        standing_of("paused")


def test_what_is_over_is_a_subset_of_the_words() -> None:
    assert set(FixtureStatus) > OVER


@pytest.mark.parametrize(
    ("word", "status", "official", "expected"),
    [
        ("live", "CANCELLED", False, True),
        ("live", "POSTPONED", False, True),
        ("finished", "COMPLETED", True, True),
        ("official", "COMPLETED", False, True),
        ("postponed", "SCHEDULED", False, True),
        ("live", "CANCELLED", True, False),
        ("live", "COMPLETED", False, False),
        ("live", "SCHEDULED", False, False),
        ("finished", "LIVE", False, False),
    ],
)
def test_a_record_types_over_a_log_what_has_no_result_or_is_official(
    word: str, status: str, official: bool, expected: bool
) -> None:
    found = Standing(FixtureStatus(status), official)
    assert is_typed_over(standing_of(word), found) is expected
