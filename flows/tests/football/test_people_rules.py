"""The rules about goals, cards and people, by name: what each refuses, with which sentence."""

from __future__ import annotations

from typing import Any

import pytest


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
