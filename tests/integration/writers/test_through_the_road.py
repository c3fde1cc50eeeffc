"""Commands of results and games, from the rules through the road into the tables."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from structlog.testing import capture_logs

from harness import courts
from harness.arena import Arena, open_arena
from harness.postgres import Database
from omnium_flows.games import Games
from omnium_flows.results import Results
from omnium_store import read_models

NEXT = "0.2.0+g000000000002"


@pytest.fixture
async def arena(database: Database) -> AsyncIterator[Arena]:
    """A court match of Home and Away, and a release with its rules, results and games."""
    async with open_arena(database, courts.court(), Results, Games) as opened:
        yield opened
        await opened.road.settle()


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """What was logged: kept, not printed."""
    with capture_logs() as lines:
        yield lines


async def program(arena: Arena, release: uuid.UUID) -> None:
    """The release's rules for the court."""
    await arena.connection.execute(
        """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
           VALUES ($1, 'court', 1, '{"code": "court", "scope": []}', '')""",
        release,
    )


async def games(arena: Arena, command: str, /, **input: Any) -> dict[str, Any]:
    """One command on the event; its answer."""
    return await arena.send(f"games.{command}", kind="event", ref="open-2026", input=input)


async def scorecard(arena: Arena, code: str = "card", **unit: Any) -> tuple[str, list[str]]:
    """A scorecard unit: its id, and the entries of its sides A and B."""
    answer = await games(
        arena,
        "add_unit",
        **{
            "competition": "singles",
            "code": code,
            "sport": "court",
            "fixtureType": "match",
            "archetype": "duel",
            "scoringMode": "scorecard",
            "scheduledStart": "2026-12-01T10:00:00Z",
            "sides": [{"name": "A", "noc": "JPN"}, {"name": "B", "noc": "KOR"}],
            **unit,
        },
    )
    assert answer["accepted"], answer
    return answer["value"]["fixtureId"], [side["entry"] for side in answer["value"]["sides"]]


async def board(arena: Arena, fixture: str) -> dict[str, Any]:
    """What a screen shows of a fixture."""
    async with arena.connection.transaction():
        reading = await read_models.read(arena.connection, "fixture.board", {"fixture": fixture})
    shown: dict[str, Any] = orjson.loads(reading.value)
    return shown


async def test_the_edit_of_the_documents_example_is_answered_as_there(arena: Arena) -> None:
    answer = await arena.send("results.edit_side", input={"side": arena.home, "medal": "Gold", "rank": 1})
    assert answer["accepted"] is True
    assert answer["value"] == {"fixtureId": str(arena.fixture)}
    assert answer["counts"] == {"updated": 1}
    assert answer["fixtureStatus"] == "SCHEDULED"
    [home, _] = (await board(arena, str(arena.fixture)))["sides"]
    assert (home["rank"], home["result"]) == (1, {"medal": "Gold"})


async def test_a_unit_that_was_added_is_played_at_once(arena: Arena) -> None:
    fixture, _ = await scorecard(arena, code="M2", scoringMode="events")
    assert (await arena.send("court.start", ref=fixture))["fixtureStatus"] == "LIVE"
    shown = await board(arena, fixture)
    assert (shown["release"], shown["code"], shown["status"]) == (arena.host.identity.version, "M2", "LIVE")


async def test_a_scorecard_goes_from_typed_results_to_an_official_revision(arena: Arena) -> None:
    fixture, (first, second) = await scorecard(arena)
    for entry, rank, score in ((first, 1, "2"), (second, 2, "1")):
        typed = await arena.send(
            "results.edit_side", ref=fixture, input={"side": entry, "rank": rank, "score": score}
        )
        assert typed["accepted"], typed
    made = await arena.send("results.set_status", ref=fixture, input={"status": "OFFICIAL"})
    assert (made["fixtureStatus"], made["value"]["official"], made["value"]["revision"]) == (
        "COMPLETED",
        True,
        1,
    )
    change = {"side": first, "score": "3"}
    refused = await arena.send("results.edit_side", ref=fixture, input=change)
    assert (refused["refusal"], refused["reason"]) == ("rejected", "official_needs_a_reason")
    revised = await arena.send("results.edit_side", ref=fixture, input=change | {"reason": "Review"})
    assert revised["accepted"], revised
    shown = await board(arena, fixture)
    assert (shown["official"], shown["revision"], shown["sides"][0]["result"]) == (True, 2, {"score": "3"})


async def test_a_null_takes_a_value_away_through_the_whole_road(arena: Arena) -> None:
    fixture, (first, _) = await scorecard(arena)
    await arena.send("results.edit_side", ref=fixture, input={"side": first, "rank": 1, "score": "2"})
    await arena.send("results.edit_side", ref=fixture, input={"side": first, "rank": None})
    [side, _] = (await board(arena, fixture))["sides"]
    assert ("rank" in side, side["result"]) == (False, {"score": "2"})


async def test_a_disqualification_that_is_taken_back_gives_rank_and_mark_again(arena: Arena) -> None:
    """R13 and case 43: cleared on the board and on the schedule."""
    fixture, (first, _) = await scorecard(arena)
    await arena.send("results.edit_side", ref=fixture, input={"side": first, "rank": 1, "score": "8.12"})
    await arena.send("results.edit_side", ref=fixture, input={"side": first, "status": "DSQ"})
    [side, _] = (await board(arena, fixture))["sides"]
    assert (side["status"], "rank" in side, "result" in side) == ("DSQ", False, False)
    await arena.send("results.edit_side", ref=fixture, input={"side": first, "status": ""})
    [side, _] = (await board(arena, fixture))["sides"]
    assert ("status" in side, side["rank"], side["result"]) == (False, 1, {"score": "8.12"})


async def test_a_cancelled_unit_grows_in_version_and_a_retry_is_a_duplicate(arena: Arena) -> None:
    fixture, _ = await scorecard(arena)
    before = (await board(arena, fixture))["version"]
    told: dict[str, Any] = {
        "kind": "event",
        "ref": "open-2026",
        "key": "k1",
        "input": {"fixture": "card", "reason": "Storm"},
    }
    first = await arena.send("games.cancel_unit", **told)
    again = await arena.send("games.cancel_unit", **told)
    assert (first["accepted"], again["duplicate"], again["value"]) == (True, True, first["value"])
    shown = await board(arena, fixture)
    assert (shown["status"], shown["version"]) == ("CANCELLED", before + 1)
    moved = await games(arena, "move_unit", fixture="card", venue="Court 2")
    assert (moved["refusal"], moved["reason"]) == ("record", "not_movable")


async def test_a_code_given_twice_is_refused_and_leaves_nothing(arena: Arena) -> None:
    await scorecard(arena)
    answer = await games(
        arena,
        "add_unit",
        competition="singles",
        code="card",
        sport="court",
        fixtureType="match",
        archetype="duel",
        scoringMode="scorecard",
    )
    assert (answer["refusal"], answer["reason"], answer["message"]) == (
        "record",
        "code_taken",
        "This event has a unit card already. Choose another code.",
    )
    assert await arena.connection.fetchval("SELECT count(*) FROM timeline_item") == 1


async def test_a_dry_run_of_a_unit_makes_nothing(arena: Arena) -> None:
    answer = await arena.send(
        "games.add_competition",
        kind="event",
        ref="open-2026",
        input={"code": "doubles", "name": "Doubles", "sport": "court"},
        dry_run=True,
    )
    assert (answer["accepted"], answer["dryRun"]) == (True, True)
    assert await arena.connection.fetchval("SELECT count(*) FROM competition WHERE code = 'doubles'") == 0


async def test_a_fixture_moves_to_another_release_until_its_first_event(arena: Arena) -> None:
    other = await arena.other_release(NEXT)
    await program(arena, other.release_id)
    moved = await arena.send("results.set_release", input={"version": NEXT})
    assert (moved["accepted"], moved["value"]["release"]) == (True, NEXT)
    assert (await board(arena, str(arena.fixture)))["release"] == NEXT
    back = await arena.send("results.set_release", input={"version": arena.host.identity.version})
    assert back["accepted"], back
    assert (await arena.send("court.start"))["accepted"]
    late = await arena.send("results.set_release", input={"version": NEXT})
    assert (late["refusal"], late["reason"]) == ("rejected", "has_not_started")


async def test_a_postponed_match_is_put_back_and_then_played(arena: Arena) -> None:
    for word in ("POSTPONED", "SCHEDULED"):
        answer = await arena.send("results.set_status", input={"status": word})
        assert answer["fixtureStatus"] == word
    assert (await arena.send("court.start"))["fixtureStatus"] == "LIVE"
    live = await arena.send("results.set_status", input={"status": "COMPLETED"})
    assert (live["refusal"], live["reason"]) == ("rejected", "log_tells_the_status")


async def test_typed_medals_are_in_the_table(arena: Arena) -> None:
    answer = await games(arena, "set_medals", noc="JPN", gold=3, silver=2)
    assert (answer["accepted"], answer["touches"]) == (True, ["medals"])
    async with arena.connection.transaction():
        reading = await read_models.read(arena.connection, "games.medals", {"event": "open-2026"})
    rows = [orjson.loads(row.value) for row in reading.rows]
    assert [(r["noc"], r["gold"], r["silver"], r["rank"]) for r in rows] == [("JPN", 3, 2, 1)]


async def finished(arena: Arena) -> Arena:
    """The match, won by Home with 1000 points."""
    await arena.started()
    for worth, confirm in ((99, ("is_ordinary",)),) * 11:
        answer = await arena.point(worth=worth, confirm=confirm)
        if answer["fixtureStatus"] == "COMPLETED":
            return arena
    raise AssertionError("the match goes on")


async def table(arena: Arena) -> dict[str, tuple[int, int, int]]:
    """The medal table by country."""
    async with arena.connection.transaction():
        reading = await read_models.read(arena.connection, "games.medals", {"event": "open-2026"})
    rows = [orjson.loads(row.value) for row in reading.rows]
    return {row["noc"]: (row["gold"], row["silver"], row["bronze"]) for row in rows}


async def decided(arena: Arena, *medals: str) -> dict[str, Any]:
    """The answer to making the match official, with these medals for Home and Away."""
    for entry, medal in zip((arena.home, arena.away), medals, strict=True):
        typed = await arena.send("results.edit_side", input={"side": entry, "medal": medal})
        assert typed["accepted"], typed
    return await arena.send("results.set_status", input={"status": "OFFICIAL"})


async def test_medals_of_a_match_that_was_scored_by_events_must_fit_the_places_of_its_log(
    arena: Arena,
) -> None:
    """No rank was typed: Home is first because its log says so."""
    await finished(arena)
    wrong = await decided(arena, "Silver", "Gold")
    assert (wrong["refusal"], wrong["reason"], wrong["message"]) == (
        "rejected",
        "medals_fit_the_ranks",
        "Medals do not fit the ranks: rank 1 is gold.",
    )
    right = await decided(arena, "Gold", "Silver")
    assert (right["accepted"], right["touches"]) == (True, ["fixture", "medals"])
    assert await table(arena) == {"HOM": (1, 0, 0), "AWA": (0, 1, 0)}
    assert await arena.problems() == ()


async def test_the_places_of_a_log_are_no_facts_of_its_fold(arena: Arena) -> None:
    await finished(arena)
    facts = await arena.connection.fetchval("SELECT fixture_facts_v1($1)", arena.fixture)
    assert [side["rank"] for side in orjson.loads(facts)["sides"]] == [None, None]
    placed = await arena.connection.fetchval("SELECT placed_facts_v1($1)", arena.fixture)
    assert [side["rank"] for side in orjson.loads(placed)["sides"]] == [1, 2]
    before, after = orjson.loads(facts), orjson.loads(placed)
    assert {**before, "sides": None} == {**after, "sides": None}


async def test_a_draw_is_a_shared_place_and_gives_two_golds(arena: Arena) -> None:
    await finished(arena)
    await arena.connection.execute("UPDATE fixture_competitor_rank SET rank = 1, shared = true")
    assert (await decided(arena, "Gold", "Silver"))["reason"] == "medals_fit_the_ranks"
    assert (await decided(arena, "Gold", "Gold"))["accepted"]
    assert await table(arena) == {"HOM": (1, 0, 0), "AWA": (1, 0, 0)}


async def test_a_typed_rank_stands_before_the_place_and_a_mark_leaves_none(arena: Arena) -> None:
    await finished(arena)
    await arena.send("results.edit_side", input={"side": arena.home, "status": "DSQ"})
    assert (await arena.send("results.set_status", input={"status": "OFFICIAL"}))["reason"] == "ranks_run"
    await arena.send("results.edit_side", input={"side": arena.away, "rank": 1})
    assert (await decided(arena, "", "Gold"))["accepted"]
    assert await table(arena) == {"AWA": (1, 0, 0)}


async def test_medals_leave_the_table_with_the_official_mark_whoever_takes_it(arena: Arena) -> None:
    await finished(arena)
    assert (await decided(arena, "Gold", "Silver"))["accepted"]
    taken = await arena.send("results.set_status", input={"status": "COMPLETED", "reason": "Protest"})
    assert (taken["accepted"], taken["touches"]) == (True, ["fixture", "medals"])
    assert await table(arena) == {}
    assert await arena.problems() == ()


async def test_an_event_that_changes_where_a_match_with_medals_stands_touches_the_table(arena: Arena) -> None:
    await arena.started()
    await arena.send("results.edit_side", input={"side": arena.home, "medal": "Gold"})
    assert (await arena.point())["touches"] == ["fixture"]
    for _ in range(11):
        answer = await arena.point(worth=99, confirm=("is_ordinary",))
        if answer["fixtureStatus"] == "COMPLETED":
            break
    assert answer["touches"] == ["fixture", "medals"]
    told = await arena.connection.fetchval("SELECT payload FROM domain_event ORDER BY id DESC LIMIT 1")
    assert orjson.loads(told)["touches"] == ["fixture", "medals"]


async def test_a_medal_that_goes_to_another_country_touches_the_table(arena: Arena) -> None:
    await finished(arena)
    await decided(arena, "Gold", "Silver")
    person = await arena.connection.fetchval(
        "INSERT INTO participant (event_id, name, noc) VALUES ($1, 'Ali', 'QAT') RETURNING id", arena.event
    )
    change = {"side": arena.home, "participantId": str(person), "reason": "Protest"}
    answer = await arena.send("results.edit_side", input=change)
    assert answer["touches"] == ["fixture", "medals"]
    assert await table(arena) == {"QAT": (1, 0, 0), "AWA": (0, 1, 0)}


CHANGES: list[list[tuple[str, dict[str, Any]]]] = [
    [("games.cancel_unit", {"fixture": "final", "reason": "Storm"})],
    [("results.set_status", {"status": "CANCELLED"})],
    [("results.set_status", {"status": "POSTPONED"}), ("results.set_status", {"status": "SCHEDULED"})],
    [
        ("results.set_status", {"status": "POSTPONED"}),
        ("games.move_unit", {"fixture": "final", "scheduledStart": "2026-12-02T10:00:00Z"}),
    ],
    [("games.move_unit", {"fixture": "final", "venue": "Court 2"})],
    [("games.cancel_unit", {"fixture": "final", "reason": "Storm"}), ("court.point", {})],
    [
        ("games.cancel_unit", {"fixture": "final", "reason": "Storm"}),
        ("results.edit_side", {"score": "1"}),
        ("results.set_status", {"status": "SCHEDULED"}),
        ("court.point", {}),
    ],
]


@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: ", ".join(code for code, _ in changes))
async def test_a_live_match_verifies_after_records_of_its_own_and_of_its_event(
    arena: Arena, changes: list[tuple[str, dict[str, Any]]]
) -> None:
    await arena.started()
    await arena.point()
    await arena.send(
        "games.move_unit", kind="event", ref="open-2026", input={"fixture": "final", "venue": "C"}
    )
    for code, told in changes:
        match code.partition(".")[0]:
            case "games":
                answer = await arena.send(code, kind="event", ref="open-2026", input=told)
            case "court":
                answer = await arena.point()
            case _:
                side = {"side": arena.home} if code == "results.edit_side" else {}
                answer = await arena.send(code, input=side | told)
        assert answer["accepted"] or answer["reason"] in ("not_movable",), answer
        assert await arena.problems() == ()


async def test_a_postponed_match_that_had_begun_goes_on_where_its_log_stands(arena: Arena) -> None:
    await arena.started()
    await arena.send("results.set_status", input={"status": "POSTPONED"})
    moved = await games(arena, "move_unit", fixture="final", scheduledStart="2026-12-02T10:00:00Z")
    assert moved["value"]["status"] == "LIVE"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("status = 'COMPLETED'", "the fixture is COMPLETED, but its state says live"),
        ("status = 'CANCELLED', official = true", "the fixture is CANCELLED and official"),
        ("status = 'INTERRUPTED'", "the fixture is INTERRUPTED, but its state says live"),
    ],
)
async def test_a_status_that_no_record_gives_is_found_even_after_one(
    arena: Arena, change: str, said: str
) -> None:
    await arena.started()
    await games(arena, "cancel_unit", fixture="final", reason="Storm")
    await arena.connection.execute(f"UPDATE fixture SET {change}")
    assert any(said in problem for problem in await arena.problems())


async def test_a_status_changed_beside_the_road_is_found_after_an_older_record(arena: Arena) -> None:
    await arena.send("results.edit_side", input={"side": arena.home, "label": "Hosts"})
    await arena.started()
    await arena.point()
    await arena.connection.execute("UPDATE fixture SET status = 'CANCELLED'")
    assert await arena.problems() == ("the fixture is CANCELLED, but its state says live",)


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
