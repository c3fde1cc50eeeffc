"""What corrections do: the log is folded without an event, and what no longer fits becomes a conflict."""

from __future__ import annotations

from typing import Any


def _sentences(desk: Any) -> list[str]:
    return [conflict["sentence"] for conflict in desk.state["conflicts"]]


def test_voiding_a_goal_takes_back_score_scorer_and_result(desk: Any) -> None:
    number = desk.goal("A", "khan", assist="ali")
    desk.finish()
    assert desk.places() == [("A", 1, False), ("B", 2, False)]
    again = desk.without(number)
    assert (again.score, again.person("khan"), again.person("ali")) == ([0, 0], {}, {})
    assert again.places() == [("A", 1, True), ("B", 1, True)]
    assert again.state["conflicts"] == []


def test_voiding_a_goal_leaves_a_cancelling_that_has_nothing_to_cancel(desk: Any) -> None:
    number = desk.goal("A")
    desk("goal_cancel", seq=number, reason="foul")
    again = desk.without(number)
    assert (again.score, _sentences(again)) == ([0, 0], [f"There is no standing goal {number} to cancel."])


def test_voiding_the_first_yellow_makes_the_second_a_plain_one(squads: Any) -> None:
    first = squads.card("A", "a4", minute=20)
    second = squads.card("A", "a4", minute=70, confirm=["caution_is_first"])
    again = squads.without(first)
    assert again.state["conflicts"] == [
        {"seq": second, "sentence": "a4 is shown off the field for a first caution. Put a4 back?"}
    ]
    assert again.state["cards"][0]["colour"] == "yellow"
    assert "a4" in again.state["onField"]["A"]
    assert again.person("a4") == {"yellow_cards": 1, "fair_play": -1, "starts": 1}


def test_cancelling_a_second_yellow_puts_the_player_back_with_his_minutes(squads: Any) -> None:
    squads.card("A", "a4", minute=20)
    second = squads.card("A", "a4", "second_yellow", minute=30)
    assert (squads.state["playersLeft"]["A"], squads.person("a4")["minutes"]) == (10, 29)
    squads("card_cancel", seq=second)
    assert squads.state["playersLeft"]["A"] == 11
    squads.finish()
    assert squads.person("a4") == {"yellow_cards": 1, "fair_play": -1, "starts": 1, "minutes": 90}


def test_moving_a_card_moves_the_dismissal_too(squads: Any) -> None:
    number = squads.card("A", "a4", "red", minute=20)
    squads("card_move", seq=number, to="a5")
    assert [row["person"] for row in squads.state["sentOff"]["A"]] == ["a5"]
    assert "a4" in squads.state["onField"]["A"]
    assert (squads.person("a4"), squads.person("a5")["straight_reds"]) == ({"starts": 1}, 1)


def test_moving_a_yellow_to_a_cautioned_player_is_asked_and_sends_him_off(squads: Any) -> None:
    squads.card("A", "a5")
    number = squads.card("A", "a4")
    assert squads.refused("card_move", seq=number, to="a5") == (
        "caution_is_first",
        "a5 has been cautioned. This is a second yellow: he is sent off.",
    )
    squads("card_move", seq=number, to="a5", confirm=["caution_is_first"])
    assert squads.person("a5")["second_yellows"] == 1
    assert squads.refused("goal", entry="A", kind="header", scorer="a5")[1] == "a5 was sent off."


def test_voiding_a_substitution_makes_what_the_substitute_did_conflicts(squads: Any) -> None:
    squads("substitution", entry="A", off="a9", on="a12", minute=20)
    number = len(squads.match.log)
    goal = squads.goal("A", "a12", minute=30)
    again = squads.without(number)
    assert again.state["conflicts"] == [{"seq": goal, "sentence": "a12 is on the bench."}]
    assert again.score == [1, 0]


def test_a_substitution_of_somebody_who_never_came_on_changes_nobody(squads: Any) -> None:
    squads("substitution", entry="A", off="a9", on="a12", minute=20)
    number = len(squads.match.log)
    squads("substitution", entry="A", off="a12", on="a13", minute=30)
    again = squads.without(number)
    assert _sentences(again) == ["a12 is on the bench."]
    assert len(again.state["onField"]["A"]) == 11


def test_voiding_the_last_kick_leaves_the_shootout_undecided(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o", "x", "o", "x", "o")
    again = kicks_desk.without(len(kicks_desk.match.log))
    assert not again.state["shootout"]["decided"]
    assert again.state["shootout"]["next"] == "B"
    assert "winner" not in again.state["shootout"]


def test_changing_a_kick_may_make_a_later_one_come_after_the_decision(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "x", "x", "o", "x", "o", "o", "x", "x")
    last = len(kicks_desk.match.log)
    assert kicks_desk.state["shootout"]["score"] == {"A": 4, "B": 2}
    again = kicks_desk.amended(last - 1, outcome="missed")
    assert again.state["shootout"]["score"] == {"A": 3, "B": 1}
    assert again.state["conflicts"] == [
        {"seq": last, "sentence": "Kick after the decision: the shoot-out is decided 3-1."}
    ]


def test_changing_a_cancelled_goal_s_side_changes_nothing_that_counts(desk: Any) -> None:
    number = desk.goal("A", "p")
    desk("goal_cancel", seq=number, reason="error")
    assert desk.amended(number, entry="B").score == [0, 0]


def test_a_kick_out_of_turn_counts_for_the_side_it_names(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "x", "x")
    again = kicks_desk.without(len(kicks_desk.match.log) - 1)
    assert again.state["shootout"]["score"] == {"A": 2, "B": 0}
    assert _sentences(again) == ["It was Byes's kick."]


def test_without_a_kickoff_nothing_counts_and_nothing_raises(desk: Any) -> None:
    desk.goal("A", "khan")
    desk.card("A", "khan")
    desk.finish()
    again = desk.without(1)
    assert (again.state["started"], again.state["done"], again.state["goals"]) == (False, False, {})
    assert again.match.lines() == []
    assert len(again.state["conflicts"]) == 5


def test_a_missing_end_of_a_half_is_made_up_and_named(desk: Any) -> None:
    desk.play_to("2H")
    desk.goal("B")
    again = desk.without(2)
    assert _sentences(again) == ["The first half was still open."]
    assert [half["closed"] for half in again.state["halves"]] == [True, False]
    assert again.state["halves"][1]["goals"] == {"A": 0, "B": 1}


def test_a_goal_without_an_open_half_is_not_counted(desk: Any) -> None:
    desk.play_to("2H")
    number = desk.goal("B")
    again = desk.without(3)
    assert again.score == [0, 0]
    assert again.state["conflicts"] == [
        {"seq": number, "sentence": "Nothing is in play: this does not count."}
    ]


def test_doing_and_undoing_across_each_border_leaves_what_was_before(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.lineups()
    desk.start()
    steps: list[tuple[str, dict[str, Any]]] = [
        ("half_end", {}),
        ("half_start", {"period": "2H"}),
        ("half_end", {}),
        ("half_start", {"period": "ET1"}),
        ("half_end", {}),
        ("half_start", {"period": "ET2"}),
        ("half_end", {}),
        ("shootout_start", {"first": "A"}),
    ]
    for name, told in steps:
        before = desk.match.state_bytes
        desk(name, **told)
        assert desk.without(len(desk.match.log)).match.state_bytes == before


def test_voiding_the_equaliser_leaves_extra_time_and_kicks_that_were_not_needed(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.goal("A")
    equaliser = desk.goal("B")
    desk.to_shootout()
    desk.kicks("o", "x", "o", "x", "o", "x")
    desk("match_end")
    assert (desk.state["winner"], desk.state["result"]["how"]) == ("B", "penalties")
    again = desk.without(equaliser)
    assert _sentences(again) == [
        "Extra time was not needed: the score was 1-0.",
        "The shoot-out was not needed: the score was 1-0.",
    ]
    assert (again.state["winner"], again.state["result"]["how"]) == ("A", "extra")


def test_a_goal_cancelled_during_the_kicks_ends_them(kicks_desk: Any) -> None:
    kicks_desk.kicks("x", "o")
    goal = kicks_desk.state["scorers"][1]["seq"]
    kicks_desk("goal_cancel", seq=goal, reason="error")
    kicks_desk("match_end")
    assert (kicks_desk.state["winner"], kicks_desk.state["result"]["how"]) == ("A", "extra")
    assert kicks_desk.state["drawn"] is False


def test_what_belongs_before_the_kicks_is_not_typed_during_them(kicks_desk: Any) -> None:
    for told in ({}, {"period": "2H"}):
        assert kicks_desk.refused("goal", entry="A", kind="header", **told) == (
            "half_is_open",
            "The shoot-out has started: what belongs before it is a correction of the log.",
        )
