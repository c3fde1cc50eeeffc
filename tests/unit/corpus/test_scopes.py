"""Which sports a replay is about."""

from __future__ import annotations

from omnium_releases.replay.scopes import Scope

PROGRAMS = {"cricket": {"mode": "fold"}, "the_hundred": {"mode": "fold", "parent": "cricket"}, "boxing": {}}


def test_without_a_sport_it_is_about_all_of_them() -> None:
    scope = Scope.of(frozenset(), PROGRAMS)
    assert [code for code in (*PROGRAMS, "another") if not scope.holds(code)] == []
    assert scope.within(PROGRAMS) == PROGRAMS


def test_a_format_is_of_its_sport() -> None:
    scope = Scope.of(frozenset({"cricket"}), PROGRAMS)
    assert [scope.holds(code) for code in (*PROGRAMS, "another")] == [True, True, False, False]
    assert list(scope.within(PROGRAMS)) == ["cricket", "the_hundred"]
