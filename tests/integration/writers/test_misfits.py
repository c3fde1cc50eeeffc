"""Settings of units that do not fit the rules that are going to play them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from harness.arena import Arena
from harness.office import board, games, program, scorecard

NEXT = "0.2.0+g000000000002"


async def test_settings_that_do_not_fit_are_refused_with_every_problem_and_its_field(arena: Arena) -> None:
    unit = {
        "competition": "singles",
        "code": "M9",
        "sport": "court",
        "fixtureType": "match",
        "archetype": "duel",
        "scoringMode": "events",
        "format": {"target": 0, "tagret": 3},
    }
    answer = await games(arena, "add_unit", **unit)
    assert (answer["refusal"], answer["notes"]) == (
        "input",
        [
            {"field": "format.target", "message": "Input should be greater than or equal to 1"},
            {"field": "format.tagret", "message": "is not a setting of this format"},
        ],
    )
    assert answer["message"] == (
        "format.target: Input should be greater than or equal to 1; "
        "format.tagret: is not a setting of this format"
    )
    assert await arena.connection.fetchval("SELECT count(*) FROM fixture WHERE code = 'M9'") == 0
    assert (await games(arena, "add_unit", **{**unit, "format": {"target": 3}}))["accepted"]


async def test_a_stored_format_that_does_not_fit_is_named_and_may_be_overlaid(arena: Arena) -> None:
    await arena.connection.execute(
        """INSERT INTO format_config (code, sport_id, values) VALUES ('short', $1, '{"target": "few"}')""",
        arena.sport,
    )
    unit = {
        "competition": "singles",
        "code": "M9",
        "sport": "court",
        "fixtureType": "match",
        "archetype": "duel",
        "scoringMode": "events",
        "formatCode": "short",
    }
    answer = await games(arena, "add_unit", **unit)
    assert (answer["refusal"], [note["field"] for note in answer["notes"]]) == ("input", ["formatCode"])
    assert answer["notes"][0]["message"].startswith(
        "short does not fit: target input should be a valid integer"
    )
    assert (await games(arena, "add_unit", **unit, format={"target": 7}))["accepted"]
    unknown = await games(arena, "add_unit", **{**unit, "code": "M10", "formatCode": "shrot"})
    assert (unknown["refusal"], unknown["reason"]) == ("record", "no_such_format")


async def test_a_unit_of_another_release_is_judged_by_that_one(arena: Arena) -> None:
    """Its formats are not known here: they may have settings that these have not."""
    other = await arena.other_release(NEXT)
    await program(arena, other.release_id)
    await arena.world.default(other.release_id, sport=arena.sport, at=datetime(2026, 1, 1, tzinfo=UTC))
    fixture, _ = await scorecard(arena, code="M9", scoringMode="events", format={"tiebreak": True})
    assert (await board(arena, fixture))["release"] == NEXT


async def test_a_fixture_whose_settings_do_not_fit_says_so_to_each_command(
    arena: Arena, logged: list[Any]
) -> None:
    await arena.connection.execute("""UPDATE fixture SET format = '{"target": 0}' WHERE code = 'final'""")
    answer = await arena.send("court.start")
    assert (answer["refusal"], answer["reason"]) == ("not_offered", "format_misfit")
    assert answer["message"] == (
        "The settings of this fixture do not fit Court in 0.1.0+g000000000001: "
        "format.target: Input should be greater than or equal to 1. Before its first event: pin a release "
        "that they fit, or cancel it and add it with other settings."
    )
    assert answer["notes"] == [
        {"field": "format.target", "message": "Input should be greater than or equal to 1"}
    ]
    assert not [line for line in logged if line["event"] == "component.failed"]
    assert (await arena.send("results.edit_side", input={"side": arena.home, "rank": 1}))["accepted"]
    cancelled = await games(arena, "cancel_unit", fixture="final", reason="Settings")
    assert cancelled["accepted"], cancelled
