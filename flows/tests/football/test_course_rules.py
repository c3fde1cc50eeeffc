"""The rules of the course of a match, by name: what each refuses, and with which sentence."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.testing import context, fixture
from omnium_flows.football import Football


def test_not_started_refuses_a_second_kickoff(desk: Any) -> None:
    assert desk.refused("match_start", home="A", away="B") == ("not_started", "The match has already begun")


def test_two_sides_refuses_a_team_playing_itself(new_desk: Any) -> None:
    desk = new_desk()
    assert desk.refused("match_start", home="A", away="A") == ("two_sides", "A match has two different sides")


def test_sides_are_in_fixture_refuses_a_stranger(new_desk: Any) -> None:
    desk = new_desk()
    assert desk.refused("match_start", home="A", away="C") == (
        "sides_are_in_fixture",
        "C is not a side of this match.",
    )


@pytest.mark.parametrize("status", ["POSTPONED", "CANCELLED"])
def test_fixture_is_on_refuses_to_begin_what_is_off(status: str) -> None:
    ctx = context(fixture(Football, status=status))
    verdict = Football().fixture_is_on({}, ctx)
    assert verdict.message == f"The match is {status.lower()}. Set it back to scheduled first."
    assert Football().fixture_is_on({}, context(fixture(Football))).ok


def test_kick_off_side_plays_refuses_a_stranger(new_desk: Any) -> None:
    desk = new_desk()
    assert desk.refused("match_start", home="A", away="B", kickOff="C") == (
        "kick_off_side_plays",
        "C is not a side of this match.",
    )
    desk("match_start", home="A", away="B", kick_off="B")
    assert desk.state["halves"][0]["kickOff"] == "B"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("goal", {"entry": "A", "kind": "header"}),
        ("half_end", {}),
        ("half_start", {"period": "2H"}),
        ("match_end", {}),
        ("interrupt", {"reason": "fog"}),
        ("abandon", {"reason": "weather"}),
        ("stat", {"entry": "A", "kind": "corner"}),
        ("injury_time", {"announced": 3}),
        ("penalty", {"entry": "A", "outcome": "saved"}),
        ("shootout_start", {"first": "A"}),
        ("goal_cancel", {"seq": 1, "reason": "foul"}),
    ],
)
def test_kicked_off_refuses_what_needs_a_match(new_desk: Any, name: str, told: dict[str, Any]) -> None:
    assert new_desk().refused(name, **told) == ("kicked_off", "The match has not kicked off.")


def test_substitution_is_timely_lets_only_a_lineup_change_before_kickoff(new_desk: Any) -> None:
    desk = new_desk()
    sub = {"entry": "A", "off": "a2", "on": "a12"}
    assert desk.refused("substitution", **sub) == ("substitution_is_timely", "The match has not kicked off.")
    desk.lineups("A")
    desk("substitution", **sub)
    desk.start()
    assert desk.state["subs"]["A"]["used"] == 0
    assert "a2" not in desk.state["onField"]["A"]


def test_half_is_open_names_the_period_and_the_way_out(desk: Any) -> None:
    desk("half_end", added=2)
    sentence = "The first half has ended. Start the next period, or add this to the first half."
    assert desk.refused("goal", entry="A", kind="open_play") == ("half_is_open", sentence)
    assert desk.refused("half_end") == ("half_is_open", sentence)
    desk.goal("A", period="1H", minute=45, stoppage=2)
    assert desk.state["halves"][0]["goals"] == {"A": 1, "B": 0}
    assert desk.refused("goal", entry="A", kind="open_play", period="2H") == (
        "half_is_open",
        "The second half has not started. Add this to a period that has.",
    )


def test_not_suspended_lets_only_cards_through(desk: Any) -> None:
    desk("interrupt", reason="floodlights")
    assert desk.state["status"] == "interrupted"
    for name, told in (
        ("goal", {"entry": "A", "kind": "header"}),
        ("half_end", {}),
        ("match_end", {}),
        ("interrupt", {"reason": "again"}),
        ("substitution", {"entry": "A", "off": "x", "on": "y"}),
    ):
        assert desk.refused(name, **told) == ("not_suspended", "Play is suspended. Resume first.")
    desk.card("A", "khan")
    desk("resume")
    desk.goal("A")


def test_is_suspended_refuses_to_resume_what_goes_on(desk: Any) -> None:
    assert desk.refused("resume") == ("is_suspended", "Play is not suspended.")


def test_not_abandoned_refuses_a_second_time(desk: Any) -> None:
    desk("abandon", reason="disorder")
    assert desk.refused("abandon", reason="other") == ("not_abandoned", "The match is abandoned already.")


def test_not_over_lets_only_cards_through_after_the_whistle(desk: Any) -> None:
    desk.finish()
    for name, told in (
        ("goal", {"entry": "A", "kind": "header"}),
        ("goal", {"entry": "A", "kind": "header", "period": "2H"}),
        ("match_end", {}),
        ("abandon", {"reason": "other"}),
        ("half_start", {"period": "2H"}),
    ):
        assert desk.refused(name, **told) == ("not_over", "The match is over.")
    desk.card("A", "khan", "red")


def test_enough_players_refuses_a_start_with_six(new_desk: Any) -> None:
    desk = new_desk()
    desk.lineups("B")
    desk.lineups("A", starters=7)
    desk.card("A", "a7", "red")
    assert desk.refused("match_start", home="A", away="B") == (
        "enough_players",
        "Aris has fewer than seven players. The match cannot go on (Law 3).",
    )
    desk("substitution", entry="A", off="a7", on="a12")
    desk.start()


def test_enough_players_counts_a_side_without_a_lineup_too(desk: Any) -> None:
    for number in range(5):
        desk.card("A", f"p{number}", "red")
    assert desk.refused("goal", entry="B", kind="open_play")[0] == "enough_players"
    desk("half_end")
    assert desk.refused("half_start", period="2H")[0] == "enough_players"


def test_period_is_next_keeps_the_order_of_periods(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    assert desk.refused("half_start", period="2H") == (
        "period_is_next",
        "The first half is still open. End it first.",
    )
    desk("half_end")
    assert desk.refused("half_start", period="ET1") == ("period_is_next", "The second half comes next.")
    assert desk.refused("half_start", period="1H") == (
        "period_is_next",
        "The first half was played already.",
    )
    assert desk.refused("half_start", period="3H") == (
        "period_is_next",
        "The third period is not part of this match.",
    )


def test_extra_time_is_played_only_where_the_format_has_it(desk: Any) -> None:
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("half_start", period="ET1") == (
        "extra_time_is_played",
        "Extra time is not part of this match.",
    )


def test_score_is_level_before_extra_time(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.goal("A")
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("half_start", period="ET1") == ("score_is_level", "The score is not level: 1-0.")


def test_golden_goal_stands_and_the_match_is_ended(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", goldenGoal=True)
    desk.start()
    desk.play_to("ET1")
    desk.goal("B", "q", minute=104)
    sentence = "The golden goal decided the match 0-1. End the match."
    assert desk.refused("goal", entry="A", kind="header") == ("golden_goal_stands", sentence)
    desk("match_end")
    assert (desk.state["winner"], desk.state["result"]["how"]) == ("B", "extra")
    assert desk.state["halves"][-1]["closed"]
    assert desk.state["conflicts"] == []


def test_golden_goal_lets_no_further_half_begin(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", goldenGoal=True)
    desk.start()
    desk.play_to("ET1")
    desk.goal("B", minute=105)
    desk("half_end")
    assert desk.refused("half_start", period="ET2") == (
        "score_is_level",
        "The golden goal decided the match 0-1. End the match.",
    )


def test_halves_were_played_before_the_whistle(desk: Any) -> None:
    assert desk.refused("match_end") == ("halves_were_played", "The first half is still open. End it first.")
    desk("half_end")
    assert desk.refused("match_end") == (
        "halves_were_played",
        "The second half was not played. Start it, or abandon the match.",
    )


def test_shootout_was_decided_before_the_whistle(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o")
    assert kicks_desk.refused("match_end") == (
        "shootout_was_decided",
        "The shoot-out is not decided: 1-0.",
    )


def test_tie_is_decided_asks_before_a_knockout_match_ends_level(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("match_end") == (
        "tie_is_decided",
        "The score is level: 0-0. Play extra time, or confirm that the match ends level.",
    )
    desk.play_to("ET2")
    desk("half_end")
    assert desk.refused("match_end")[1] == (
        "The score is level: 0-0. Start the shoot-out, or confirm that the match ends level."
    )
    desk("match_end", confirm=["tie_is_decided"])
    assert desk.state["drawn"]


def test_tie_is_decided_asks_nothing_where_a_level_match_is_replayed(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", replayIfLevel=True)
    desk.start()
    desk.play_to("ET2")
    desk("half_end")
    assert desk.refused("shootout_start", first="A") == (
        "shootout_is_played",
        "A shoot-out is not part of this match.",
    )
    desk("match_end")
    assert (desk.state["drawn"], desk.state["result"]["how"]) == (True, "extra")
