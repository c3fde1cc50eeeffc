"""Football as a whole: what it registers, what a form is told, its board, numbers and stats."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.flows.components import ComponentKind
from omnium_contract.flows.program import program_of, publish_problems
from omnium_contract.flows.registry import Registry
from omnium_contract.stats import StatSpec
from omnium_contract.testing import Match, context, event, fixture
from omnium_flows.football import Football

COMMANDS = (
    "abandon", "award", "card", "card_cancel", "card_move", "goal", "goal_cancel", "half_end", "half_start",
    "injury_time", "interrupt", "lineup", "match_end", "match_start", "penalty", "resume", "shootout_exclude",
    "shootout_kick", "shootout_start", "stat", "substitution",
)  # fmt: skip
STATS = ("goals_node", "table")
ACTIONS = ("placings", "state", "tallies")


def test_its_keys_are_permanent() -> None:
    of = {kind: tuple(c.spec.name for c in Football.of(kind)) for kind in ComponentKind}
    assert of[ComponentKind.COMMAND] == COMMANDS
    assert of[ComponentKind.ACTION] == ACTIONS
    assert of[ComponentKind.STAT] == STATS
    assert Football.components["goal"].key == "football.goal"
    assert Football.components["state"].spec.reads == ("event",)


def test_it_can_be_published() -> None:
    registry = Registry()
    registry.add_workflow(Football)
    assert publish_problems(registry) == []


def test_a_form_is_told_every_field_its_limits_and_its_labels() -> None:
    commands = {c["name"]: c["input"] for c in program_of(Football)["commands"]}
    for name, schema in commands.items():
        assert schema["additionalProperties"] is False, name
        for field, shape in schema.get("properties", {}).items():
            named = schema.get("$defs", {}).get(shape.get("$ref", "").rpartition("/")[2], {})
            assert shape.get("title") or named["title"], (name, field)
            assert shape["description"], (name, field)
    kinds = commands["goal"]["$defs"]["GoalKind"]["oneOf"]
    assert {"const": "own_goal", "title": "Own goal"} in kinds
    assert commands["goal"]["properties"]["entry"]["maxLength"] == 64
    assert "kickOff" in commands["match_start"]["properties"]


@pytest.mark.parametrize(
    ("name", "told", "field"),
    [
        ("goal", {"entry": "A", "kind": "bicycle"}, "kind"),
        ("goal", {"entry": "A", "kind": "header", "minute": 0}, "minute"),
        ("goal", {"entry": "A", "kind": "header", "stoppage": 2}, ""),
        ("goal", {"entry": "A", "kind": "header", "scorer": "  "}, "scorer"),
        ("goal", {"entry": "A", "kind": "header", "minute": 3.5}, "minute"),
        ("goal", {"entry": "A", "kind": "header", "scorrer": "x"}, "scorrer"),
        ("award", {"winner": "A", "home": 3}, ""),
        ("award", {"keepCards": True}, ""),
        ("lineup", {"entry": "A", "starters": []}, "starters"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_field(
    desk: Any, name: str, told: dict[str, Any], field: str
) -> None:
    answer = desk.match.send(name, **told)
    assert (answer.refusal, answer.problems[0]["field"]) == ("input", field)


def test_settings_are_read_under_both_spellings_and_a_typo_is_refused() -> None:
    assert fixture(Football, format={"halfMinutes": 40}).format.half_minutes == 40
    assert fixture(Football, format={"half_minutes": 40}).format.half_minutes == 40
    with pytest.raises(ValueError, match="halfMinute"):
        fixture(Football, format={"halfMinute": 40})
    defaults = fixture(Football).format
    assert (defaults.halves, defaults.subs, defaults.sub_windows, defaults.bench) == (2, 5, 3, 12)
    assert (defaults.extra_time, defaults.shootout_kicks, defaults.away_goals) == ("none", 5, False)
    assert (defaults.award_score, defaults.min_players, defaults.concussion_subs) == ((3, 0), 7, 1)


def test_the_board_has_the_keys_that_screens_read(desk: Any) -> None:
    assert set(desk.state) >= {
        "abandoned", "byPlayer", "cards", "clock", "conflicts", "done", "drawn", "goals", "halfOpen",
        "halves", "halvesPlayed", "playedInFull", "scorers", "sides", "started", "status", "subs",
    }  # fmt: skip
    assert (desk.state["status"], desk.state["halfOpen"], desk.state["halvesPlayed"]) == ("live", True, 1)
    assert "winner" not in desk.state
    desk.finish()
    assert (desk.state["status"], desk.state["done"], desk.state["playedInFull"]) == ("finished", True, True)
    assert (desk.state["drawn"], desk.state["result"]["how"]) == (True, "regular")


def test_before_kickoff_there_is_no_score_and_no_number(new_desk: Any) -> None:
    desk = new_desk()
    assert (desk.state["status"], desk.state["sides"], desk.state["goals"]) == ("scheduled", ["A", "B"], {})
    desk.lineups()
    assert (desk.match.lines(), desk.match.places()) == ([], [])


def test_tallies_and_placings_are_plain_methods() -> None:
    state = Football().initial(context(fixture(Football)))
    ctx = context(fixture(Football), state)
    assert (Football().tallies((), ctx), Football().placings((), ctx)) == ([], [])
    again = Football().state(state, event("football.nothing_known"), ctx)
    assert again == Football().initial(ctx)


def test_a_side_s_goals_are_its_players_and_the_own_goals_of_the_others(desk: Any) -> None:
    desk.goal("A", "p")
    desk.goal("A")
    desk.goal("A", "q", kind="own_goal")
    desk.goal("B", "p", kind="own_goal")
    desk("penalty", entry="B", taker="q", outcome="scored")
    desk("penalty", entry="B", taker="q", outcome="post")
    for entry, other in (("A", "B"), ("B", "A")):
        own, theirs = desk.side(entry), desk.side(other)
        assert own["goals_for"] == own["goals_scored"] + theirs["own_goals"]
        assert own["goals_for"] == theirs["goals_against"]
    assert desk.side("B")["penalties_missed"] == 1
    assert desk.person("q") == {"goals": 1, "own_goals": 1, "penalties_scored": 1, "penalties_missed": 1}


def test_stat_counts_for_side_and_player(desk: Any) -> None:
    for kind in ("shot", "on_target", "corner", "offside", "foul", "save", "block"):
        desk("stat", entry="A", player="p", kind=kind)
    counted = {"shots": 2, **dict.fromkeys(("shots_on_target", "corners", "offsides", "fouls"), 1)}
    counted |= {"saves": 1, "blocks": 1}
    assert desk.person("p") == counted
    assert {key: desk.side("A")[key] for key in counted} == counted
    assert {key: desk.side("B")[key] for key in counted} == dict.fromkeys(counted, 0)


def test_an_award_may_leave_the_cards_out(desk: Any) -> None:
    desk.card("A", "p", "red")
    desk("award", home=0, away=0, keepCards=False)
    assert (desk.state["drawn"], desk.places()) == (True, [("A", 1, True), ("B", 1, True)])
    assert desk.person("p") == {}
    assert "yellow_cards" not in desk.side("A")


def test_a_match_that_never_began_can_be_awarded_as_a_walkover(new_desk: Any) -> None:
    desk = new_desk()
    desk("award", winner="B")
    assert (desk.state["status"], desk.state["winner"]) == ("walkover", "B")
    assert desk.places() == [("A", 2, False), ("B", 1, False)]
    assert (desk.side("B")["goals_for"], desk.side("A")["goals_for"]) == (3, 0)


def test_a_second_leg_is_won_on_aggregate(new_desk: Any) -> None:
    desk = new_desk(firstLegHome=3, firstLegAway=0)
    desk.start()
    desk.goal("B")
    desk.finish()
    assert (desk.state["winner"], desk.state["result"]["how"]) == ("A", "aggregate")
    assert desk.state["result"] == {
        "score": {"A": 0, "B": 1},
        "aggregate": {"A": 3, "B": 1},
        "how": "aggregate",
        "winner": "A",
    }


def test_four_periods_are_a_setting(new_desk: Any) -> None:
    desk = new_desk(halves=4, halfMinutes=10)
    desk.start()
    for period in ("2H", "3H", "4H"):
        assert not desk.state["playedInFull"]
        desk("half_end")
        desk("half_start", period=period)
    desk.goal("A", minute=31)
    desk("half_end")
    desk("match_end")
    segments = [line.segment for line in desk.match.lines() if line.entry == "A" and line.segment]
    assert segments == ["half-1", "half-2", "half-3", "half-4"]


def test_extra_time_has_segments_of_its_own(new_desk: Any) -> None:
    desk = new_desk(extraTime="2x15")
    desk.start()
    desk.play_to("ET2")
    desk.goal("A")
    assert desk.match.number("goals", entry="A", segment="extra-2") == 1
    assert desk.match.number("goals", entry="A", segment="extra-1") == 0


def test_the_stats_are_declared_over_facts_that_exist() -> None:
    scoring: StatSpec = Football().goals_node()
    table: StatSpec = Football().table()
    assert (scoring.key, scoring.kind) == ("football.scoring.node", "totals")
    assert (table.key, table.kind, table.subject) == ("football.table.node", "standings", "entry")
    assert scoring.facts() | table.facts() <= set(Football.facts)
    settings = set(table.settings.values())
    assert settings <= set(Football.format_model.model_fields)


def test_every_fact_that_is_declared_is_written_somewhere() -> None:
    match = Match(Football, fixture(Football, sides=("A", "B")))
    match.must("lineup", entry="A", starters=[f"a{n}" for n in range(11)], keeper="a0")
    match.must("match_start", home="A", away="B")
    match.must("half_end")
    match.must("half_start", period="2H")
    match.must("half_end")
    match.must("match_end")
    of_sides = {k for ln in match.lines() if ln.person is None for k in ln.values}
    of_people = {"minutes", "starts", "sub_on", "sub_off"}
    assert of_sides | of_people == set(Football.facts)
