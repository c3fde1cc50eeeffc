"""The notes of a release are data."""

from __future__ import annotations

import pytest

from omnium_releases.rule_changes import RuleChange, check_sports, rule_changes
from omnium_store.errors import Refused

NOTES = """
summary = "Second yellows"

[[rule_changes]]
sport = "football"
what = "a second yellow is a red card"
keys = ["red_cards", "sides.*.redCards"]
why = "Law 12"
"""


def test_notes_are_read_as_rule_changes() -> None:
    expected = RuleChange(
        sport="football",
        what="a second yellow is a red card",
        keys=("red_cards", "sides.*.redCards"),
        why="Law 12",
    )
    assert (expected,) == rule_changes(NOTES)


@pytest.mark.parametrize("notes", ["", 'summary = "Only words"', "# nothing"])
def test_notes_may_declare_nothing(notes: str) -> None:
    assert rule_changes(notes) == ()


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ("second yellows are red cards", "it is no TOML"),
        ("rule_changes = 3", "rule_changes is no list of tables"),
        ("rule_changes = [1]", "rule_changes is no list of tables"),
        ("[[rule_changes]]", "change 1: it needs `sport`, a text; change 1: it needs `what`, a text"),
        (
            '[[rule_changes]]\nsport = "f"\nwhat = "w"\nkeys = []',
            "change 1: it needs `keys`, a list of globs",
        ),
        (
            '[[rule_changes]]\nsport = "f"\nwhat = "w"\nkeys = [1]',
            "change 1: it needs `keys`, a list of globs",
        ),
        (f"{NOTES}\n[[rule_changes]]\nsports = 1", "change 2: `sports` is unknown"),
        ('[[rule_changes]]\nsport = "f"\nwhat = "w"\nkeys = ["k"]\nwhy = 1', "change 1: `why` is a text"),
    ],
)
def test_notes_that_can_not_be_used_are_refused_with_every_problem(notes: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        rule_changes(notes)
    assert (refused.value.reason, sentence in refused.value.message) == ("bad_notes", True)


def test_a_change_of_a_sport_that_the_release_does_not_hold_is_refused() -> None:
    with pytest.raises(Refused, match="football is not in the release, which has boxing, tally"):
        check_sports(rule_changes(NOTES), {"tally", "boxing"})
    check_sports(rule_changes(NOTES), {"football"})
