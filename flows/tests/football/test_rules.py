"""Every rule of football by its name: what it refuses, with which sentence, and what it lets through."""

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


def test_side_is_known_refuses_a_stranger(desk: Any) -> None:
    assert desk.refused("card", entry="C", person="x", colour="red") == (
        "side_is_known",
        "C is not a side of this match.",
    )


def test_lineup_is_early(squads: Any) -> None:
    assert squads.refused("lineup", entry="A", starters=["x"]) == (
        "lineup_is_early",
        "The match has kicked off. Record a substitution instead.",
    )


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"starters": ["p1", *map("p{}".format, range(1, 11))]}, "p1 is named twice."),
        ({"starters": [*map("p{}".format, range(12))]}, "Aris names 12 starters; 11 may start."),
        (
            {"starters": [*map("p{}".format, range(6))]},
            "Aris has fewer than seven players. The match cannot go on (Law 3).",
        ),
        (
            {"starters": [*map("p{}".format, range(11))], "bench": [*map("q{}".format, range(13))]},
            "Aris names 13 substitutes; 12 may sit on the bench.",
        ),
        (
            {"starters": [*map("p{}".format, range(11))], "bench": ["q"], "keeper": "q"},
            "q is goalkeeper but not among the starters.",
        ),
        (
            {"starters": [*map("p{}".format, range(11))], "captain": "q"},
            "q is captain but not among the starters.",
        ),
    ],
)
def test_lineup_fits(new_desk: Any, told: dict[str, Any], sentence: str) -> None:
    assert new_desk().refused("lineup", entry="A", **told) == ("lineup_fits", sentence)


@pytest.mark.parametrize(
    ("scorer", "sentence"),
    [
        ("stranger", "stranger is not in the squad."),
        ("a12", "a12 is on the bench."),
        ("a9", "a9 was substituted."),
        ("a8", "a8 was sent off."),
    ],
)
def test_people_are_on_says_why_somebody_cannot_score(squads: Any, scorer: str, sentence: str) -> None:
    squads("substitution", entry="A", off="a9", on="a13", minute=20)
    squads.card("A", "a8", "red")
    assert squads.refused("goal", entry="A", kind="open_play", scorer=scorer) == ("people_are_on", sentence)
    assert squads.refused("penalty", entry="A", taker=scorer, outcome="scored")[1] == sentence
    assert squads.refused("goal", entry="B", kind="own_goal", scorer=scorer)[1] == sentence
    squads.goal("A", "a13")


def test_people_are_on_binds_no_side_without_a_lineup(desk: Any) -> None:
    desk.goal("A", "anybody", assist="somebody")
    assert desk.person("anybody") == {"goals": 1}


def test_own_goal_by_other_side(squads: Any) -> None:
    assert squads.refused("goal", entry="A", kind="own_goal", scorer="a4") == (
        "own_goal_by_other_side",
        "An own goal is scored by a player of the other team. a4 plays for Aris.",
    )
    squads.goal("A", "b4", kind="own_goal")
    assert squads.person("b4") == {"own_goals": 1, "starts": 1}


@pytest.mark.parametrize(
    ("kind", "scorer", "assist", "sentence"),
    [
        ("header", "p", "p", "The assist cannot be the scorer."),
        ("penalty", "p", "q", "An own goal or a direct penalty has no assist."),
        ("own_goal", None, "q", "An own goal or a direct penalty has no assist."),
    ],
)
def test_assist_fits(desk: Any, kind: str, scorer: str | None, assist: str, sentence: str) -> None:
    told = {"entry": "A", "kind": kind, "scorer": scorer, "assist": assist}
    assert desk.refused("goal", **told) == ("assist_fits", sentence)


def test_goal_stands_to_be_cancelled_once(desk: Any) -> None:
    number = desk.goal("A")
    assert desk.refused("goal_cancel", seq=1, reason="error") == ("goal_stands", "Event 1 is not a goal.")
    desk("goal_cancel", seq=number, reason="error")
    assert desk.refused("goal_cancel", seq=number, reason="error") == (
        "goal_stands",
        "That goal is cancelled already.",
    )


def test_card_stands_to_be_cancelled_once(desk: Any) -> None:
    number = desk.card("A", "khan")
    assert desk.refused("card_cancel", seq=1) == ("card_stands", "Event 1 is not a card.")
    desk("card_cancel", seq=number)
    assert desk.refused("card_move", seq=number, to="ali") == (
        "card_stands",
        "That card is cancelled already.",
    )


def test_person_is_in_squad_for_cards_and_counts(squads: Any) -> None:
    for name, told in (
        ("card", {"person": "x", "colour": "yellow"}),
        ("stat", {"player": "x", "kind": "shot"}),
    ):
        assert squads.refused(name, entry="A", **told) == ("person_is_in_squad", "x is not in the squad.")
    number = squads.card("A", "a2")
    assert squads.refused("card_move", seq=number, to="x")[0] == "person_is_in_squad"
    squads.card("A", "trainer", role="official")
    squads.card("A", "a12", role="sub")
    assert "a12" in squads.state["bench"]["A"]


def test_caution_is_first_asks_before_a_second_yellow(desk: Any) -> None:
    desk.card("A", "khan")
    assert desk.refused("card", entry="A", person="khan", colour="yellow") == (
        "caution_is_first",
        "khan has been cautioned. This is a second yellow: he is sent off.",
    )
    desk.card("A", "khan", "second_yellow")
    assert desk.state["cards"][-1]["colour"] == "second_yellow"


def test_caution_was_shown_asks_before_a_second_yellow_without_a_first(desk: Any) -> None:
    assert desk.refused("card", entry="A", person="khan", colour="second_yellow") == (
        "caution_was_shown",
        "khan has no caution. Record a yellow, or a straight red.",
    )
    desk.card("A", "khan", "second_yellow", confirm=["caution_was_shown"])
    assert desk.person("khan") == {"second_yellows": 1, "red_cards": 1, "fair_play": -3}
    assert desk.state["conflicts"] == []


@pytest.mark.parametrize(
    ("off", "on", "sentence"),
    [
        ("a2", "a2", "a2 cannot come on for himself."),
        ("a12", "a13", "a12 is on the bench."),
        ("x", "a13", "x is not in the squad."),
        ("a2", "x", "x is not in the squad."),
        ("a2", "a3", "a3 is on the field already."),
        ("a9", "a13", "a9 was substituted."),
        ("a2", "a8", "a8 was sent off."),
    ],
)
def test_players_may_change(squads: Any, off: str, on: str, sentence: str) -> None:
    squads("substitution", entry="A", off="a9", on="a15", minute=20)
    squads.card("A", "a8", "red")
    assert squads.refused("substitution", entry="A", off=off, on=on) == ("players_may_change", sentence)


def test_sent_off_is_not_replaced_once_the_match_is_on(squads: Any) -> None:
    squads.card("A", "a8", "red")
    assert squads.refused("substitution", entry="A", off="a8", on="a12") == (
        "sent_off_is_not_replaced",
        "A sent-off player cannot be replaced.",
    )
    squads("half_end")
    assert squads.refused("substitution", entry="A", off="a8", on="a12")[0] == "sent_off_is_not_replaced"


def test_substitutions_left_asks_and_extra_time_adds_one(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", subs=1, subWindows=0)
    desk.start()
    desk("substitution", entry="A", off="p1", on="q1", minute=5)
    told = {"entry": "A", "off": "p2", "on": "q2", "minute": 9}
    assert desk.refused("substitution", **told) == (
        "substitutions_left",
        "Aris has used 1 substitutions.",
    )
    desk.play_to("ET1")
    desk("substitution", **{**told, "minute": 95})
    assert desk.refused("substitution", entry="A", off="p3", on="q3")[1] == "Aris has used 2 substitutions."
    desk("substitution", entry="A", off="p3", on="q3", confirm=["substitutions_left"])
    assert (desk.state["subs"]["A"]["used"], desk.state["subs"]["A"]["left"]) == (3, 0)


def test_substitutions_left_counts_concussion_apart(desk: Any) -> None:
    desk("substitution", entry="A", off="p1", on="q1", kind="concussion")
    told = {"entry": "A", "off": "p2", "on": "q2", "kind": "concussion"}
    assert desk.refused("substitution", **told) == (
        "substitutions_left",
        "Aris has used 1 concussion substitutions.",
    )
    assert desk.state["subs"]["A"]["left"] == 5


def test_windows_left_asks_for_a_fourth_stoppage_but_not_in_the_break(desk: Any) -> None:
    for number in range(1, 4):
        desk("substitution", entry="A", off=f"p{number}", on=f"q{number}", minute=number)
    told = {"entry": "A", "off": "p4", "on": "q4"}
    assert desk.refused("substitution", **told, minute=20) == (
        "windows_left",
        "Aris has used its 3 windows; wait for half-time.",
    )
    desk("substitution", **told, minute=3)
    desk("half_end")
    desk("substitution", entry="A", off="p5", on="q5")
    assert desk.state["subs"]["A"]["windowsLeft"] == 0
    assert desk.state["subs"]["A"]["used"] == 5


def test_windows_left_goes_by_the_name_of_the_stoppage(desk: Any) -> None:
    for number in range(1, 4):
        desk("substitution", entry="A", off=f"p{number}", on=f"q{number}", window=f"w{number}")
    desk("substitution", entry="A", off="p4", on="q4", window="w3")
    assert desk.refused("substitution", entry="A", off="p5", on="q5", window="w4")[0] == "windows_left"


@pytest.mark.parametrize("returns", [False, True])
def test_has_not_left_unless_the_format_lets_players_return(new_desk: Any, returns: bool) -> None:
    desk = new_desk(returnSubs=returns)
    desk.lineups()
    desk.start()
    desk("substitution", entry="A", off="a9", on="a12", minute=5)
    back = {"entry": "A", "off": "a12", "on": "a9", "minute": 9}
    if returns:
        desk("substitution", **back)
        assert "a9" in desk.state["onField"]["A"]
        return
    assert desk.refused("substitution", **back) == (
        "has_not_left",
        "a9 has already left the field and may not return.",
    )


def test_has_not_left_binds_a_side_without_a_lineup_too(desk: Any) -> None:
    desk("substitution", entry="A", off="p1", on="q1", minute=5)
    assert desk.refused("substitution", entry="A", off="q1", on="p1", minute=9)[0] == "has_not_left"


def test_shootout_is_played_once(kicks_desk: Any) -> None:
    assert kicks_desk.refused("shootout_start", first="B") == (
        "shootout_is_played",
        "The shoot-out has already started.",
    )


def test_periods_are_over_before_the_kicks(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    assert desk.refused("shootout_start", first="A") == (
        "periods_are_over",
        "The first half is still open. End it first.",
    )
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("shootout_start", first="A") == (
        "periods_are_over",
        "Extra time comes first: start the first half of extra time.",
    )


def test_tie_is_level_before_the_kicks(desk: Any) -> None:
    desk.goal("A")
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("shootout_start", first="A") == (
        "tie_is_level",
        "The shoot-out starts only when the match (or the tie on aggregate) is level.",
    )


def test_shootout_was_started_before_a_kick(desk: Any) -> None:
    assert desk.refused("shootout_kick", entry="A", outcome="scored") == (
        "shootout_was_started",
        "The shoot-out has not started.",
    )


def test_exclusion_evens_and_no_more(squad_kicks: Any) -> None:
    assert squad_kicks.refused("shootout_exclude", entry="A", player="a2") == (
        "exclusion_evens",
        "Aris has no more players than its opponents: nobody is left out.",
    )


def test_shootout_turn_names_whose_kick_it_is(kicks_desk: Any) -> None:
    kicks_desk.kick("A", "x")
    assert kicks_desk.refused("shootout_kick", entry="A", outcome="scored") == (
        "shootout_turn",
        "It is Byes's kick.",
    )


def test_shootout_turn_stays_with_a_kick_to_be_retaken(kicks_desk: Any) -> None:
    kicks_desk("shootout_kick", entry="A", kicker="p", outcome="retake")
    kicks_desk("shootout_kick", entry="A", kicker="p", outcome="scored")
    assert kicks_desk.state["shootout"]["taken"] == {"A": 1, "B": 0}


def test_kicker_is_eligible_only_from_the_field(squad_kicks: Any) -> None:
    squad_kicks("shootout_start", first="A")
    assert squad_kicks.refused("shootout_kick", entry="A", kicker="a12", outcome="scored") == (
        "kicker_is_eligible",
        "a12 is not eligible: not on the field at the end.",
    )


def test_kicker_is_due_again_only_after_all_team_mates(squad_kicks: Any) -> None:
    squad_kicks("shootout_start", first="A")
    squad_kicks.kick("A", "x", "a1")
    squad_kicks.kick("B", "x", "b1")
    assert squad_kicks.refused("shootout_kick", entry="A", kicker="a1", outcome="scored") == (
        "kicker_is_due",
        "a1 has kicked; 10 team-mates still have to.",
    )
    for number in range(2, 12):
        squad_kicks.kick("A", "x", f"a{number}")
        squad_kicks.kick("B", "x", f"b{number}")
    squad_kicks.kick("A", "x", "a1")
    assert squad_kicks.state["shootout"]["score"] == {"A": 12, "B": 11}


def test_sides_were_named_before_an_award() -> None:
    bare = context(fixture(Football, sides=()), {"sides": []})
    assert not Football().sides_were_named({}, bare).ok


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ({"winner": "C"}, "C is not a side of this match."),
        ({"winner": "A", "home": 0, "away": 3}, "Aris is given the match: its goals must be more than 3."),
        ({"winner": "B", "home": 1, "away": 1}, "Byes is given the match: its goals must be more than 1."),
    ],
)
def test_award_fits(new_desk: Any, told: dict[str, Any], sentence: str) -> None:
    assert new_desk().refused("award", **told) == ("award_fits", sentence)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("match_start", {"home": "A", "away": "B"}),
        ("card", {"entry": "A", "person": "p", "colour": "red"}),
        ("award", {"winner": "A"}),
    ],
)
def test_not_official(name: str, told: dict[str, Any]) -> None:
    ctx = context(fixture(Football, official=True))
    assert Football().not_official(told, ctx).message == "Official: reopen the match to change it."
    assert "not_official" in Football.components[name].spec.validations
    assert Football().not_official(told, context(fixture(Football))).ok


def test_every_command_that_changes_a_match_stops_at_an_official_result() -> None:
    commands = [c.spec for c in Football.components.values() if c.spec.input_model is not None]
    assert {c.name for c in commands if "not_official" not in c.validations} == set()


def test_sides_are_equal_binds_only_sides_that_gave_lineups(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.lineups("A")
    desk.start()
    desk.card("A", "a9", "red")
    desk.to_shootout()
    desk.kick("A", "x", "a2")
    assert desk.state["shootout"]["score"]["A"] == 1
    assert desk.match.workflow.components["sides_are_equal"].spec.message


def test_shootout_is_open_until_it_is_decided(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o", "x", "o", "x", "o")
    assert kicks_desk.refused("shootout_kick", entry="A", outcome="scored") == (
        "shootout_is_open",
        "The shoot-out is decided 3-0.",
    )
