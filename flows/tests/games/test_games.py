"""Each rule and action of games, called as a plain method and through the kit."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.flows.components import ComponentKind
from omnium_contract.flows.program import publish_problems
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.types import Record, reject
from omnium_contract.testing import Desk, record_context
from omnium_flows.games import Games
from omnium_flows.games.commands import AddUnitInput, MoveUnitInput, SetMedalsInput

GAMES = Games()
CTX = record_context()
JAPAN = "00000000-0000-4000-8000-0000000000aa"


def unit(**sent: Any) -> dict[str, Any]:
    """A football match scored by events."""
    return {
        "competition": "FBLM",
        "code": "FBLM-01",
        "sport": "football",
        "fixtureType": "match",
        "archetype": "duel",
        "scoringMode": "events",
        "sides": [{"name": "United"}, {"name": "City"}],
    } | sent


def adding(**sent: Any) -> AddUnitInput:
    return AddUnitInput.model_validate(unit(**sent))


def desk() -> Desk:
    return Desk(Games, CTX)


def test_games_has_these_commands_and_they_can_be_published() -> None:
    assert [c.key for c in Games.of(ComponentKind.COMMAND)] == [
        "games.add_competition",
        "games.add_unit",
        "games.cancel_unit",
        "games.move_unit",
        "games.set_medals",
    ]
    registry = Registry()
    registry.add_workflow(Games)
    assert publish_problems(registry) == []


@pytest.mark.parametrize(
    ("archetype", "sides", "may"),
    [("duel", 0, True), ("duel", 1, False), ("duel", 2, True), ("duel", 3, False), ("ranking", 8, True)],
)
def test_duel_has_two_sides_or_none_before_the_draw(archetype: str, sides: int, may: bool) -> None:
    listed = [{"name": f"Side {number}"} for number in range(sides)]
    assert GAMES.duel_has_two_sides(adding(archetype=archetype, sides=listed), CTX).ok is may


def test_sides_have_noc_codes_or_none() -> None:
    assert GAMES.sides_have_noc_codes(adding(sides=[{"name": "A", "noc": "JPN"}, {"name": "B"}]), CTX).ok
    assert GAMES.sides_have_noc_codes(
        adding(sides=[{"name": "United", "noc": "Japan"}, {"name": "City"}]), CTX
    ) == reject("'Japan' of United is not a country's code. Give three capital letters, like JPN.")


def test_sides_are_listed_once_by_code_and_participant_but_not_by_name() -> None:
    twice = [{"name": "A", "code": "x"}, {"name": "B", "code": "x"}]
    assert GAMES.sides_are_listed_once(adding(sides=twice), CTX) == reject("x is listed twice.")
    person = [{"name": "A", "participantId": JAPAN}, {"name": "B", "participantId": JAPAN}]
    assert not GAMES.sides_are_listed_once(adding(sides=person), CTX).ok
    assert GAMES.sides_are_listed_once(adding(sides=[{"name": "Kim"}, {"name": "Kim"}]), CTX).ok


def test_moves_something_or_is_refused() -> None:
    assert not GAMES.moves_something(MoveUnitInput(fixture="FBLM-01", reason="Rain"), CTX).ok
    assert GAMES.moves_something(MoveUnitInput.model_validate({"fixture": "F", "venue": None}), CTX).ok
    assert GAMES.moves_something(
        MoveUnitInput.model_validate({"fixture": "F", "scheduledStart": "2026-12-02T10:00:00Z"}), CTX
    ).ok


@pytest.mark.parametrize(
    ("noc", "may"), [("JPN", True), ("AIN", True), ("Japan", False), ("jp", False), ("JP1", False)]
)
def test_noc_is_a_code_of_three_capital_letters(noc: str, may: bool) -> None:
    assert GAMES.noc_is_a_code(SetMedalsInput(noc=noc, gold=1), CTX).ok is may


def test_sets_a_number_or_is_refused() -> None:
    assert not GAMES.sets_a_number(SetMedalsInput(noc="JPN"), CTX).ok
    for sent in ({"gold": 0}, {"place": 3}, {"silver": None}):
        assert GAMES.sets_a_number(SetMedalsInput.model_validate({"noc": "JPN", **sent}), CTX).ok


def test_competition_added_passes_on_what_was_sent() -> None:
    sent = desk()
    sent.must("games.add_competition", code="FBLM", name="Football, men", sport="football")
    assert sent.records == [
        Record(kind="competition.add", data={"code": "FBLM", "name": "Football, men", "sport": "football"})
    ]
    assert sent.send("add_competition", code="FBL M", name="Football").refusal == "input"


def test_unit_added_passes_on_what_was_sent() -> None:
    sent = desk()
    sent.must(
        "add_unit",
        **unit(
            formatCode="cup",
            format={"extraTime": True},
            scheduledStart="2026-12-01T18:00:00+01:00",
            venue="Stadium",
            sides=[{"code": "united", "name": "United", "noc": "GBR"}, {"name": "City"}],
        ),
    )
    [record] = sent.records
    assert record.kind == "fixture.add"
    assert record.data == unit(
        formatCode="cup",
        format={"extraTime": True},
        scheduledStart="2026-12-01T18:00:00+01:00",
        venue="Stadium",
        sides=[{"code": "united", "name": "United", "noc": "GBR"}, {"name": "City"}],
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("archetype", "triathlon"),
        ("scoringMode", "guess"),
        ("scheduledStart", "2026-12-01T18:00:00"),
        ("code", "FBL M 01"),
        ("sides", [{"nome": "United"}]),
        ("sport", None),
    ],
)
def test_a_unit_that_cannot_be_read_is_refused_with_the_field(field: str, value: object) -> None:
    answer = desk().send("add_unit", **unit(**{field: value}))
    assert (answer.refusal, answer.problems[0]["field"].split(".")[0]) == ("input", field)


def test_a_third_side_of_a_duel_is_refused_with_the_way_out() -> None:
    answer = desk().send("add_unit", **unit(sides=[{"name": name} for name in "ABC"]))
    assert (answer.reason, answer.message) == (
        "duel_has_two_sides",
        "A duel has two sides. Choose the archetype ranking for more.",
    )


def test_unit_moved_passes_on_what_was_sent_and_what_is_taken_away() -> None:
    sent = desk()
    sent.must(
        "move_unit", fixture="FBLM-01", scheduledStart="2026-12-02T10:00:00Z", venue=None, reason="Rain"
    )
    assert sent.records == [
        Record(
            kind="fixture.move",
            data={
                "fixture": "FBLM-01",
                "scheduledStart": "2026-12-02T10:00:00Z",
                "reason": "Rain",
                "clears": ["venue"],
            },
        )
    ]


def test_unit_cancelled_needs_a_reason() -> None:
    sent = desk()
    for told in ({}, {"reason": " "}):
        answer = sent.send("cancel_unit", fixture="FBLM-01", **told)
        assert (answer.refusal, answer.problems[0]["field"]) == ("input", "reason")
    sent.must("cancel_unit", fixture="FBLM-01", reason="Storm")
    assert sent.records == [Record(kind="fixture.cancel", data={"fixture": "FBLM-01", "reason": "Storm"})]


def test_medals_changed_passes_on_the_numbers_that_were_sent() -> None:
    sent = desk()
    sent.must("set_medals", noc="JPN", gold=3, bronze=None)
    assert sent.records == [Record(kind="medals.set", data={"noc": "JPN", "gold": 3, "clears": ["bronze"]})]
    assert sent.send("set_medals", noc="JPN", gold=-1).refusal == "input"
    assert sent.send("set_medals", noc="JPN", place=0).refusal == "input"
