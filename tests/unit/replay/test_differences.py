"""Where two values part, and which declared change covers a key."""

from __future__ import annotations

import pytest

from omnium_releases.replay.declared import Declarations, is_covered
from omnium_releases.replay.differences import Difference, Kind, partings, shown
from omnium_releases.rule_changes import RuleChange


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"a": 1}, {"a": 2}, [("a", "1", "2")]),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": "x"}}, [("a.c", "absent", '"x"')]),
        ({"a": [1, 2]}, {"a": [1, 3]}, [("a.1", "2", "3")]),
        ({"a": [1, 2]}, {"a": [1]}, [("a.1", "2", "absent")]),
        ({"a": [1]}, {"a": {"b": 1}}, [("a", "[1]", '{"b":1}')]),
        ({"a": 1}, {"a": True}, [("a", "1", "true")]),
        ({"b": 1, "a": 1}, {"b": 2, "a": 2}, [("a", "1", "2"), ("b", "1", "2")]),
        ({"a": 1}, {"a": 1}, []),
    ],
)
def test_values_part_where_they_differ_and_nowhere_else(
    old: object, new: object, expected: list[tuple[str, str, str]]
) -> None:
    assert partings(old, new) == expected


def test_a_long_value_is_cut() -> None:
    text = shown("x" * 1000)
    assert (len(text), text[-1]) == (300, "…")


@pytest.mark.parametrize(
    ("glob", "key", "covers"),
    [
        ("sides.*.redCards", "sides.home.redCards", True),
        ("sides.*.redCards", "sides.home.yellowCards", False),
        ("sides.*", "sides.home.redCards", False),
        ("sides.**", "sides.home.redCards", True),
        ("**.redCards", "sides.home.redCards", True),
        ("**.redCards", "redCards", True),
        ("goals.**", "goals", True),
        ("goals", "goals.home", False),
        ("red_*", "red_cards", True),
        ("red_*", "red_cards.home", False),
        ("*", "red_cards", True),
        ("a.**.z", "a.z", True),
        ("a.**.z", "a.b.c.z", True),
        ("a+b", "a+b", True),
        ("a.b", "axb", False),
        ("stats.football.**", "stats.football.table.node", True),
    ],
)
def test_a_glob_covers_parts_of_a_key(glob: str, key: str, covers: bool) -> None:
    assert is_covered(key, glob) is covers


def difference(key: str, sport: str = "tally") -> Difference:
    return Difference(match="m", sport=sport, kind=Kind.STATE, keys=(key,), old="1", new="2", event=3)


def change(*keys: str, sport: str = "tally", what: str = "it") -> RuleChange:
    return RuleChange(sport=sport, what=what, keys=keys)


def test_a_declared_change_covers_its_own_sport_alone() -> None:
    declarations = Declarations([change("points.*")])
    covered = declarations.judged(difference("points.home"), sports=frozenset({"tally"}))
    other = declarations.judged(difference("points.home", "chess"), sports=frozenset({"chess"}))
    assert (covered.declared, other.declared) == ("it", "")


def test_a_change_of_a_sport_covers_its_formats() -> None:
    declarations = Declarations([change("points.*", sport="cricket")])
    found = difference("points.home", "the_hundred")
    assert declarations.judged(found, sports=frozenset({"the_hundred", "cricket"})).declared == "it"


def test_what_nothing_shows_is_told_change_by_change_and_key_by_key() -> None:
    seen, unseen = change("points.*", "typo.*", what="seen"), change("status", what="unseen")
    declarations = Declarations([seen, unseen])
    declarations.judged(difference("points.home"), sports=frozenset({"tally"}))
    assert declarations.unseen() == [unseen]
    assert declarations.unseen_keys() == [(seen, "typo.*")]
    assert list(declarations.counts()) == [(seen, 1), (unseen, 0)]


def test_every_change_that_covers_a_difference_is_shown_by_it() -> None:
    wide, narrow = change("**", what="wide"), change("points.home", what="narrow")
    declarations = Declarations([wide, narrow])
    assert declarations.judged(difference("points.home"), sports=frozenset({"tally"})).declared == "wide"
    assert declarations.unseen() == []


def test_a_difference_reads_as_one_line() -> None:
    state = Difference(
        match="m-2031", sport="cricket", kind=Kind.STATE, keys=("innings.1.extras.noBalls",),
        old="3", new="4", event=87, command="cricket.ball",
    )  # fmt: skip
    assert state.sentence() == "m-2031 event 87 (cricket.ball): innings.1.extras.noBalls 3 -> 4"
