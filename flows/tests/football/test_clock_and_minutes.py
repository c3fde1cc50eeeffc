"""The clock as state, printed minutes from it, and the minutes that each one played."""

from __future__ import annotations

from typing import Any

import pytest


def test_a_goal_without_a_minute_takes_it_from_the_clock(new_desk: Any) -> None:
    desk = new_desk()
    desk("match_start", home="A", away="B", at="2026-06-01T12:00:00Z")
    desk.goal("A", at="2026-06-01T12:00:00Z")
    desk.goal("A", at="2026-06-01T12:29:59Z")
    desk.goal("A", at="2026-06-01T12:30:00+00:00")
    desk.goal("A", at="2026-06-01T12:46:30Z")
    assert [goal["label"] for goal in desk.state["scorers"]] == ["1", "30", "31", "45+2"]


def test_the_clock_stands_still_while_play_is_suspended(new_desk: Any) -> None:
    desk = new_desk()
    desk("match_start", home="A", away="B", at="2026-06-01T12:00:00Z")
    desk("interrupt", reason="storm", at="2026-06-01T12:10:00Z")
    clock = desk.state["clock"]
    assert (clock["running"], clock["elapsed_ms"], clock["period"]) == (False, 600_000, "1H")
    desk("resume", at="2026-06-01T13:00:00Z")
    desk.goal("B", at="2026-06-01T13:05:00Z")
    assert desk.state["scorers"][0]["minute"] == 16


def test_each_period_has_its_own_clock_and_start(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk("match_start", home="A", away="B", kickOff="B", at="2026-06-01T12:00:00Z")
    desk("injury_time", announced=3)
    assert desk.state["clock"]["added"] == 3
    desk("half_end", added=4)
    desk("half_start", period="2H", at="2026-06-01T13:05:00Z")
    clock = desk.state["clock"]
    assert (clock["limit_ms"], clock["start_minute"], clock["elapsed_ms"]) == (2_700_000, 45, 0)
    assert "added" not in clock
    first, second = desk.state["halves"]
    assert (first["announced"], first["added"]) == (3, 4)
    assert (first["kickOff"], second["kickOff"]) == ("B", "A")
    desk("half_end", at="2026-06-01T13:52:00Z")
    desk("half_start", period="ET1", kickOff="A", at="2026-06-01T14:00:00Z")
    assert desk.state["clock"]["limit_ms"] == 900_000
    desk.goal("A", at="2026-06-01T14:14:00Z")
    assert desk.state["scorers"][0]["label"] == "105"


def test_a_late_clock_never_runs_backwards(new_desk: Any) -> None:
    desk = new_desk()
    desk("match_start", home="A", away="B", at="2026-06-01T12:00:00Z")
    desk.goal("A", at="2026-06-01T11:59:00Z")
    assert desk.state["scorers"][0]["minute"] == 1


def test_minutes_of_all_who_played_add_up(squads: Any) -> None:
    squads("substitution", entry="A", off="a9", on="a12", minute=70)
    squads("half_end")
    squads("substitution", entry="A", off="a10", on="a13")
    squads.card("B", "b4", "red", minute=45, stoppage=1)
    squads.play_to("2H")
    squads("substitution", entry="A", off="a11", on="a14", minute=90, stoppage=3)
    squads.finish()
    minutes = {
        name: squads.person(name).get("minutes", 0) for name in ("a1", "a10", "a13", "a11", "a14", "b4")
    }
    assert minutes == {"a1": 90, "a10": 45, "a13": 45, "a11": 90, "a14": 0, "b4": 45}
    everyone = sum(squads.person(f"a{n}").get("minutes", 0) for n in range(1, 16))
    assert everyone == 11 * 90


@pytest.mark.parametrize(("minute", "off", "on"), [(1, 0, 90), (46, 45, 45), (70, 69, 21), (90, 89, 1)])
def test_a_minute_printed_is_one_more_than_the_minutes_played(
    squads: Any, minute: int, off: int, on: int
) -> None:
    if minute > 45:
        squads.play_to("2H")
    squads("substitution", entry="A", off="a9", on="a12", minute=minute)
    squads.finish()
    assert (squads.person("a9").get("minutes", 0), squads.person("a12")["minutes"]) == (off, on)
    assert (squads.person("a9")["starts"], squads.person("a12").get("starts", 0)) == (1, 0)
    assert (squads.person("a9")["sub_off"], squads.person("a12")["sub_on"]) == (1, 1)


def test_minutes_are_not_guessed_without_a_lineup(desk: Any) -> None:
    desk("substitution", entry="A", off="p", on="q", minute=60)
    desk.finish()
    assert (desk.person("p"), desk.person("q")) == ({"sub_off": 1}, {"sub_on": 1})


def test_a_clean_sheet_is_the_keeper_s_who_stayed_from_start_to_end(squads: Any) -> None:
    squads("substitution", entry="B", off="b1", on="b12", minute=80)
    squads.finish()
    assert squads.person("a1")["clean_sheets"] == 1
    assert "clean_sheets" not in squads.person("b1")
    assert "clean_sheets" not in squads.person("a2")
    assert [squads.side(entry)["clean_sheets"] for entry in "AB"] == [1, 1]


def test_a_golden_goal_ends_the_minutes_where_it_fell(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", goldenGoal=True)
    desk.lineups()
    desk.start()
    desk.play_to("ET1")
    desk.goal("A", "a9", minute=104)
    desk("match_end")
    assert desk.person("a9")["minutes"] == 104


def test_cards_of_a_break_and_late_ones_are_printed_as_what_they_are(desk: Any) -> None:
    desk("half_end")
    desk.card("A", "tunnel")
    desk.card("A", "forgotten", minute=40, period="1H")
    desk.card("A", "coach", role="official", phase="half_time", reason="dissent")
    labels = {card["person"]: (card["phase"], card["label"]) for card in desk.state["cards"]}
    assert labels == {
        "tunnel": ("half_time", "HT"),
        "forgotten": ("live", "40"),
        "coach": ("half_time", "HT"),
    }
