"""Cases from the field: what other scoring software got wrong, and the right value here."""

from __future__ import annotations

from typing import Any

from omnium_contract.testing import Match, fixture
from omnium_flows.football import Football


def test_case_21_and_22_the_shootout_stays_out_of_score_and_goals(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "x", "x", "o", "x", "x", "x", "o")
    kicks_desk("match_end")
    assert kicks_desk.state["goals"] == {"A": 1, "B": 1}
    assert [place.value for place in kicks_desk.match.places()] == [1, 1]
    assert [place.display for place in kicks_desk.match.places()] == ["1 (4)", "1 (2)"]
    assert kicks_desk.state["halves"][0]["goals"] == {"A": 1, "B": 1}


def test_case_25_26_and_27_one_place_credits_an_own_goal(desk: Any) -> None:
    desk.goal("A", "defender", kind="own_goal")
    board = desk.state["goals"]
    halves = desk.state["halves"][0]["goals"]
    lines = {entry: desk.side(entry)["goals"] for entry in "AB"}
    assert board == halves == lines == {"A": 1, "B": 0}
    assert (desk.side("A")["goals_scored"], desk.side("B")["own_goals"]) == (0, 1)
    assert desk.person("defender") == {"own_goals": 1}


def test_case_28_a_caution_moved_to_a_cautioned_player_sends_him_off(desk: Any) -> None:
    desk.card("A", "ali")
    number = desk.card("A", "khan")
    desk("card_move", seq=number, to="ali", confirm=["caution_is_first"])
    assert [row["person"] for row in desk.state["sentOff"]["A"]] == ["ali"]
    assert desk.person("khan") == {}


def test_case_31_a_win_is_mirrored_for_both_sides(desk: Any) -> None:
    desk.goal("A")
    desk.goal("A")
    desk.finish()
    sides = {entry: desk.side(entry) for entry in "AB"}
    assert {e: s["goals_for"] - s["goals_against"] for e, s in sides.items()} == {"A": 2, "B": -2}


def test_case_67_a_knockout_match_that_was_won_is_finished_and_not_drawn(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o", "x", "o", "x", "o")
    kicks_desk("match_end")
    assert (kicks_desk.state["status"], kicks_desk.state["drawn"]) == ("finished", False)
    assert kicks_desk.state["winner"] == "A"


def test_case_75_a_change_of_ends_touches_no_score(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk("match_start", home="B", away="A")
    desk.goal("A")
    desk.play_to("2H")
    desk.goal("B")
    desk.play_to("ET1")
    desk.goal("A")
    desk.play_to("ET2")
    desk("half_end")
    desk("match_end")
    assert desk.state["sides"] == ["B", "A"]
    assert (desk.state["goals"], desk.state["winner"]) == ({"A": 2, "B": 1}, "A")


def test_case_76_a_kick_is_the_side_s_that_it_names(kicks_desk: Any) -> None:
    kicks_desk.kick("A", "x", "p")
    kicks_desk.kick("B", "o", "q")
    assert kicks_desk.state["shootout"]["score"] == {"A": 1, "B": 0}
    assert kicks_desk.person("p")["shootout_scored"] == 1
    assert kicks_desk.person("q")["shootout_missed"] == 1


def test_case_84_a_match_won_in_stoppage_time_has_no_extra_time_and_no_kicks(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.goal("B", minute=10)
    desk.play_to("2H")
    desk.goal("A", minute=50)
    desk.goal("A", minute=90, stoppage=4)
    desk("half_end")
    assert desk.refused("half_start", period="ET1") == ("score_is_level", "The score is not level: 2-1.")
    assert desk.refused("shootout_start", first="A")[0] == "periods_are_over"
    desk("match_end")
    assert desk.state["winner"] == "A"


def test_two_people_of_one_name_are_two_people(desk: Any) -> None:
    desk.card("A", "silva")
    desk.card("B", "silva")
    desk.goal("B", "silva")
    lines = {line.entry: line.values for line in desk.match.lines() if line.person == "silva"}
    assert lines == {
        "A": {"yellow_cards": 1, "fair_play": -1},
        "B": {"yellow_cards": 1, "fair_play": -1, "goals": 1},
    }
    assert desk.state["sentOff"] == {}


def test_a_match_under_old_rules_is_playable() -> None:
    settings = {"halfMinutes": 40, "extraTime": "2x10", "subs": 2, "subWindows": 0}
    match = Match(Football, fixture(Football, format=settings))
    match.must("match_start", home="home", away="away")
    match.must("half_end")
    match.must("half_start", period="2H", at="2026-01-01T13:00:00Z")
    match.must("goal", entry="away", kind="open_play", scorer="q", at="2026-01-01T13:40:30Z")
    assert match.state["scorers"][0]["label"] == "80+1"


def test_a_feed_that_freezes_its_running_score_is_counted_by_its_goals(desk: Any) -> None:
    for minute in (4, 30, 57, 81):
        desk.goal("B", f"q{minute}", minute=minute)
    desk.goal("A", "p", minute=60)
    desk.goal("A", "p", minute=90, stoppage=2)
    assert desk.score == [2, 4]
