"""The edge cases of football, numbered as on the rules page: each input with its right value."""

from __future__ import annotations

from typing import Any

import pytest


def test_f1_two_cautions_are_a_second_yellow_and_no_straight_red(desk: Any) -> None:
    desk.card("A", "khan", minute=20)
    desk.play_to("2H")
    desk.card("A", "khan", minute=70, confirm=["caution_is_first"])
    assert desk.person("khan") == {"yellow_cards": 1, "second_yellows": 1, "red_cards": 1, "fair_play": -3}
    assert desk.side("A")["straight_reds"] == 0
    assert desk.state["sentOff"]["A"][0]["person"] == "khan"
    assert [(c["colour"], c["label"]) for c in desk.state["cards"]] == [
        ("yellow", "20"),
        ("second_yellow", "70"),
    ]


def test_f2_a_caution_and_a_direct_red_cost_five_points(desk: Any) -> None:
    desk.card("A", "khan")
    desk.card("A", "khan", "red")
    assert desk.person("khan") == {"yellow_cards": 1, "straight_reds": 1, "red_cards": 1, "fair_play": -5}
    assert desk.side("A")["fair_play"] == -5


def test_f3_an_own_goal_counts_for_the_other_side_and_is_no_goal_of_the_player(desk: Any) -> None:
    desk.goal("A", "defender", kind="own_goal", minute=30)
    assert desk.score == [1, 0]
    assert desk.person("defender") == {"own_goals": 1}
    scorer = desk.state["scorers"][0]
    assert (scorer["entry"], scorer["scorer"], scorer["mark"]) == ("A", "defender", "OG")
    line = next(line for line in desk.match.lines() if line.person == "defender")
    assert line.entry == "B"
    assert desk.refused("goal", entry="A", kind="own_goal", scorer="x", assist="y") == (
        "assist_fits",
        "An own goal or a direct penalty has no assist.",
    )


def test_f4_a_shootout_gives_the_winner_and_no_goals(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "x", "x", "o", "x", "x", "x", "o")
    kicks_desk("match_end")
    state = kicks_desk.state
    assert kicks_desk.score == [1, 1]
    assert state["shootout"]["score"] == {"A": 4, "B": 2}
    assert (state["winner"], state["result"]["how"]) == ("A", "penalties")
    assert state["result"]["note"] == "4-2 on penalties"
    assert state["result"]["score"] == {"A": 1, "B": 1}
    assert kicks_desk.places() == [("A", 1, False), ("B", 2, False)]
    for entry in "AB":
        numbers = kicks_desk.side(entry)
        assert (numbers["goals_for"], numbers["goals_against"]) == (1, 1)
    assert kicks_desk.person("p") == {"goals": 1}


def test_f5_three_clear_with_two_left_is_over_after_six_kicks(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o", "x", "o", "x")
    assert not kicks_desk.state["shootout"]["decided"]
    kicks_desk.kick("B", "o")
    shootout = kicks_desk.state["shootout"]
    assert shootout["decided"]
    assert (shootout["winner"], shootout["score"]) == ("A", {"A": 3, "B": 0})


def test_f6_four_two_after_eight_kicks_leaves_the_ninth_untaken(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "x", "x", "x", "x", "o", "x", "o")
    assert kicks_desk.state["shootout"]["score"] == {"A": 4, "B": 2}
    assert kicks_desk.refused("shootout_kick", entry="B", outcome="scored") == (
        "shootout_is_open",
        "The shoot-out is decided 4-2.",
    )


def test_f7_a_miss_in_sudden_death_decides_only_once_the_other_has_kicked(kicks_desk: Any) -> None:
    kicks_desk.kicks(*"xx" * 5)
    assert kicks_desk.state["shootout"]["suddenDeath"]
    kicks_desk.kick("A", "o")
    assert not kicks_desk.state["shootout"]["decided"]
    kicks_desk.kick("B", "x")
    shootout = kicks_desk.state["shootout"]
    assert (shootout["decided"], shootout["winner"], shootout["suddenDeath"]) == (True, "B", True)


def test_f8_a_caution_of_the_match_does_not_carry_into_the_kicks(squad_kicks: Any) -> None:
    squad_kicks.card("A", "a1", minute=100, period="ET1")
    squad_kicks("shootout_start", first="A")
    squad_kicks.card("A", "a1")
    assert squad_kicks.person("a1")["yellow_cards"] == 2
    assert "second_yellows" not in squad_kicks.person("a1")
    assert "a1" in squad_kicks.state["onField"]["A"]
    squad_kicks.card("A", "a1", confirm=["caution_is_first"])
    assert squad_kicks.person("a1")["second_yellows"] == 1
    assert "a1" not in squad_kicks.state["onField"]["A"]


def test_f9_the_side_with_more_players_excludes_one_and_again_after_a_loss(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.lineups()
    desk.start()
    desk.card("A", "a9", "red")
    desk.to_shootout("B")
    sentence = "Byes must first exclude one player: Byes has 11 and Aris has 10 (Law 10.3)."
    assert desk.refused("shootout_kick", entry="B", kicker="b2", outcome="scored") == (
        "sides_are_equal",
        sentence,
    )
    desk("shootout_exclude", entry="B", player="b9")
    assert desk.state["excluded"] == {"B": ["b9"]}
    assert desk.refused("shootout_kick", entry="B", kicker="b9", outcome="scored") == (
        "kicker_is_eligible",
        "b9 is not eligible: left out of the shoot-out.",
    )
    desk.kick("B", "x", "b2")
    desk.card("A", "a8", "red")
    assert desk.refused("shootout_kick", entry="A", kicker="a2", outcome="scored")[1] == (
        "Byes must first exclude one player: Byes has 10 and Aris has 9 (Law 10.3)."
    )
    desk("shootout_exclude", entry="B", player="b8")
    desk.kick("A", "x", "a2")
    assert desk.state["shootout"]["score"] == {"A": 1, "B": 1}


def test_f10_a_red_after_the_whistle_keeps_the_player_from_the_kicks(squad_kicks: Any) -> None:
    squad_kicks.card("A", "a7", "red")
    card = squad_kicks.state["cards"][0]
    assert (card["phase"], card["label"]) == ("after", "FT")
    squad_kicks("shootout_start", first="A")
    squad_kicks("shootout_exclude", entry="B", player="b7")
    assert squad_kicks.refused("shootout_kick", entry="A", kicker="a7", outcome="scored") == (
        "kicker_is_eligible",
        "a7 is not eligible: not on the field at the end.",
    )


def test_f11_a_red_after_full_time_counts_for_fair_play_and_changes_no_score(squads: Any) -> None:
    squads.goal("A", "a9")
    squads.finish()
    squads.card("B", "b4", "red")
    card = squads.state["cards"][0]
    assert card["label"] == "FT"
    assert squads.person("b4")["fair_play"] == -4
    assert squads.score == [1, 0]
    assert (squads.person("a9")["goals"], squads.person("b4")["minutes"]) == (1, 90)
    assert squads.places() == [("A", 1, False), ("B", 2, False)]


def test_f12_a_red_before_kickoff_is_replaced_without_using_a_substitution(new_desk: Any) -> None:
    desk = new_desk()
    desk.lineups()
    desk.card("A", "a3", "red")
    assert desk.state["cards"][0]["label"] == "Pre"
    assert desk.state["playersLeft"]["A"] == 10
    desk("substitution", entry="A", off="a3", on="a12")
    desk.start()
    assert desk.state["playersLeft"]["A"] == 11
    assert "a12" in desk.state["onField"]["A"]
    assert desk.state["bench"]["A"] == ["a13", "a14", "a15"]
    assert (desk.state["subs"]["A"]["used"], desk.state["subs"]["A"]["left"]) == (0, 5)
    assert desk.person("a12") == {"starts": 1}


def test_f13_a_cancelled_goal_is_taken_back_kept_in_the_list_and_said_aloud(desk: Any) -> None:
    number = desk.goal("A", "khan", minute=23, assist="ali")
    desk("goal_cancel", seq=number, reason="offside")
    assert desk.score == [0, 0]
    assert desk.state["halves"][0]["goals"] == {"A": 0, "B": 0}
    assert desk.state["scorers"][0]["cancelled"] == "offside"
    assert [n["sentence"] for n in desk.state["notices"]] == ["Goal cancelled: Aris, khan, 23' (offside)."]
    assert (desk.person("khan"), desk.person("ali")) == ({}, {})
    assert [event.code for event in desk.match.log][-2:] == ["football.goal", "football.goal_cancel"]


def test_f14_a_retaken_penalty_is_one_penalty_and_one_goal(desk: Any) -> None:
    desk("penalty", entry="A", taker="khan", outcome="retake")
    desk("penalty", entry="A", taker="khan", outcome="scored")
    assert desk.person("khan") == {"goals": 1, "penalties_scored": 1}
    numbers = desk.side("A")
    assert (numbers["goals"], numbers["penalties_scored"], numbers["penalties_missed"]) == (1, 1, 0)


@pytest.mark.parametrize(
    ("restart", "recorded", "score", "corners"),
    [
        ("own net from a corner, free kick, goal kick or throw-in", "corner", [0, 0], 1),
        ("opponents' net from a direct free kick", "free_kick", [1, 0], 0),
        ("opponents' net from a corner, goal kick or kick-off", "open_play", [1, 0], 0),
        ("opponents' net from a throw-in or an indirect free kick: goal kick", None, [0, 0], 0),
    ],
)
def test_f15_what_goes_into_a_net_from_a_restart_is_recorded_as_what_it_is(
    desk: Any, restart: str, recorded: str | None, score: list[int], corners: int
) -> None:
    # The laws decide what it is; the desk types that: a corner to the opponents, a goal, or nothing at all.
    if recorded == "corner":
        desk("stat", entry="A", kind="corner")
    elif recorded is not None:
        desk.goal("A", "khan", kind=recorded)
    assert (desk.score, desk.side("A")["corners"]) == (score, corners), restart
    assert desk.side("B")["own_goals"] == 0


def test_f16_a_side_down_to_six_cannot_go_on_and_the_score_is_frozen(squads: Any) -> None:
    squads.goal("B", "b9")
    for number in range(2, 7):
        squads.card("A", f"a{number}", "red")
    sentence = "Aris has fewer than seven players. The match cannot go on (Law 3)."
    assert squads.state["playersLeft"]["A"] == 6
    assert squads.refused("goal", entry="A", kind="open_play") == ("enough_players", sentence)
    squads("abandon", reason="players")
    assert (squads.state["status"], squads.score) == ("abandoned", [0, 1])
    assert "result" not in squads.state
    assert squads.places() == []
    squads("award", winner="B")
    assert squads.state["result"]["score"] == {"A": 0, "B": 3}
    assert squads.places() == [("A", 2, False), ("B", 1, False)]


def test_f17_an_abandoned_match_has_no_result_and_resumes_as_it_was(squads: Any) -> None:
    squads.goal("A", "a9", minute=10)
    squads.goal("A", "a9", minute=20)
    squads.card("B", "b4", minute=30)
    squads.play_to("2H")
    squads("substitution", entry="A", off="a9", on="a12", minute=55)
    before = squads.state
    squads("abandon", reason="weather")
    assert (squads.state["status"], squads.state["abandoned"]) == ("abandoned", True)
    assert (squads.match.lines(), squads.places()) == ([], [])
    assert squads.refused("goal", entry="A", kind="header") == (
        "not_suspended",
        "The match was abandoned. Resume it first, or record an award.",
    )
    squads("resume")
    after = squads.state
    for kept in ("onField", "bench", "cards", "subs", "goals", "halves", "byPlayer"):
        assert after[kept] == before[kept]
    squads.goal("B", "b4", minute=61)
    assert squads.score == [2, 1]


def test_f18_a_better_score_on_the_field_stands_in_an_award(desk: Any) -> None:
    for _ in range(5):
        desk.goal("A")
    desk("award", winner="A", home=3, away=0)
    assert desk.state["result"] == {
        "score": {"A": 5, "B": 0},
        "how": "award",
        "winner": "A",
        "keepCards": True,
    }


def test_f18_a_worse_score_on_the_field_gives_way_to_the_award(desk: Any) -> None:
    desk.goal("B")
    desk("award", winner="A")
    assert desk.state["result"]["score"] == {"A": 3, "B": 0}
    assert (desk.side("A")["goals_for"], desk.side("B")["goals_for"]) == (3, 0)
    assert desk.side("A")["clean_sheets"] == 0


def test_f19_two_substitutions_in_one_stoppage_use_one_window(squads: Any) -> None:
    squads("substitution", entry="A", off="a9", on="a12", minute=30)
    squads("substitution", entry="A", off="a10", on="a13", minute=30)
    used = squads.state["subs"]["A"]
    assert (used["used"], len(used["windows"]), used["left"], used["windowsLeft"]) == (2, 1, 3, 2)


def test_f20_a_substitution_in_the_break_before_extra_time_uses_no_window(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.play_to("2H")
    desk("half_end")
    desk("substitution", entry="A", off="x", on="y")
    used = desk.state["subs"]["A"]
    assert (used["used"], used["windows"]) == (1, [])


def test_f21_a_goal_in_stoppage_time_sorts_before_the_second_half(desk: Any) -> None:
    late = desk.goal("B", "q", minute=44)
    first = desk.goal("A", "p", minute=45, stoppage=4)
    desk.play_to("2H")
    second = desk.goal("B", "q", minute=46)
    forgotten = desk.goal("A", "r", minute=45, stoppage=1, period="1H")
    assert [g["seq"] for g in desk.state["scorers"]] == [late, forgotten, first, second]
    assert [g["label"] for g in desk.state["scorers"]] == ["44", "45+1", "45+4", "46"]
    segments = {(ln.entry, ln.segment): ln.values["goals"] for ln in desk.match.lines() if ln.segment}
    assert segments == {("A", "half-1"): 2, ("B", "half-1"): 1, ("A", "half-2"): 0, ("B", "half-2"): 1}


def test_f22_the_table_follows_the_tie_break_list_of_the_format(new_desk: Any) -> None:
    # Comparing three level sides is the compiled standings' work; here is what they are told.
    default = new_desk().match.fixture.format
    assert (default.h2h_reapply, default.points) == (True, (3, 1, 0))
    asia = new_desk(tableOrder="h2h_first").match.fixture.format
    assert [str(step) for step in asia.table_order][:4] == [
        "points",
        "h2h_points",
        "h2h_goal_difference",
        "h2h_goals_for",
    ]
    own = new_desk(tableOrder=["points", "wins", "lots"], h2hReapply=False).match.fixture.format
    assert ([str(step) for step in own.table_order], own.h2h_reapply) == (["points", "wins", "lots"], False)


@pytest.mark.parametrize(("counts", "points"), [(True, -4), (False, 0)])
def test_f23_a_coach_sent_off_counts_by_setting_and_costs_no_player(
    new_desk: Any, counts: bool, points: int
) -> None:
    desk = new_desk(fairPlay={"officials": counts})
    desk.lineups()
    desk.start()
    desk.card("A", "coach", "red", role="official")
    assert desk.side("A")["fair_play"] == points
    assert desk.state["playersLeft"]["A"] == 11
    assert desk.side("A")["straight_reds"] == 1


def test_f24_a_concussion_substitution_gives_the_opponents_one_and_says_so(squads: Any) -> None:
    sub = {"entry": "B", "off": "b9", "on": "b12", "kind": "opponent_concussion"}
    assert squads.refused("substitution", **sub)[0] == "substitutions_left"
    squads("substitution", entry="A", off="a9", on="a12", kind="concussion", minute=30)
    assert squads.state["subs"]["A"]["used"] == 0
    assert squads.state["notices"] == [
        {"seq": len(squads.match.log), "sentence": "Byes may make one additional substitution."}
    ]
    squads("substitution", minute=31, **sub)
    assert (squads.state["subs"]["B"]["additional"], squads.state["subs"]["B"]["left"]) == (1, 5)


def test_f25_a_tie_level_on_aggregate_goes_to_extra_time_without_away_goals(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15", firstLegHome=0, firstLegAway=1)
    desk.start()
    desk.goal("A")
    desk.play_to("2H")
    assert desk.state["aggregate"] == {"A": 1, "B": 1}
    desk("half_end")
    desk("half_start", period="ET1")
    desk.play_to("ET2")
    desk("half_end")
    desk("shootout_start", first="B")
    for _ in range(3):
        desk.kick("B", "o")
        desk.kick("A", "x")
    desk("match_end")
    assert (desk.state["winner"], desk.score) == ("A", [1, 0])


def test_f25_away_goals_decide_only_where_the_format_says_so(new_desk: Any) -> None:
    # First leg 1-2 at B's: A lost it but scored once away; now A wins 1-0.
    desk = new_desk(extraTime="2x15", firstLegHome=1, firstLegAway=2, awayGoals=True)
    desk.start()
    desk.goal("A")
    desk.play_to("2H")
    desk("half_end")
    assert desk.refused("half_start", period="ET1")[0] == "score_is_level"
    desk("match_end")
    assert (desk.state["winner"], desk.state["result"]["how"]) == ("A", "away_goals")
    assert desk.state["result"]["aggregate"] == {"A": 2, "B": 2}
