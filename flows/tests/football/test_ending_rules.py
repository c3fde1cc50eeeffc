"""The rules of shoot-outs, awards and official results, by name: what each refuses, with which sentence."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.testing import context, fixture
from omnium_flows.football import Football


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
