"""Commands of results and games, from the rules through the road into the tables."""

from __future__ import annotations

from typing import Any

import orjson

from harness.arena import Arena
from harness.office import board, games, program, scorecard
from omnium_store import read_models

NEXT = "0.2.0+g000000000002"


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


async def test_a_unit_changes_its_type_first_as_a_dry_run_then_with_what_was_confirmed(arena: Arena) -> None:
    fixture, (first, _) = await scorecard(arena, archetype="ranking")
    typed = {"side": first, "rank": 3, "score": "1:52.30"}
    assert (await arena.send("results.edit_side", ref=fixture, input=typed))["accepted"]
    wanted = {"archetype": "duel", "fixtureType": "final"}
    before = await arena.counts()
    looked = await arena.send("results.change_type", ref=fixture, input=wanted, dry_run=True)
    assert (looked["accepted"], looked["dryRun"], await arena.counts()) == (True, True, before)
    listed = looked["value"]["unconfirmed"]
    assert [one["field"] for one in listed] == ["rank", "score"]
    assert [note["message"] for note in looked["notes"]] == [one["message"] for one in listed]

    refused = await arena.send("results.change_type", ref=fixture, input=wanted)
    assert (refused["refusal"], refused["reason"]) == ("record", "unconfirmed")
    confirmed = {**wanted, "confirm": [one["confirm"] for one in listed]}
    done = await arena.send("results.change_type", ref=fixture, input=confirmed)
    assert (done["accepted"], done["value"]["removed"]) == (True, listed)
    shown = await board(arena, fixture)
    assert (shown["archetype"], shown["fixtureType"], len(shown["sides"])) == ("duel", "final", 2)
    assert [side.get("rank") for side in shown["sides"]] == [None, None]
    row = await arena.connection.fetchrow(
        "SELECT * FROM timeline_item WHERE stream_id = $1::uuid ORDER BY seq DESC LIMIT 1", fixture
    )
    assert row is not None
    told = orjson.loads(row["answer"])["value"]
    assert (row["event_type"], orjson.loads(row["payload"])) == ("results.change_type", confirmed)
    assert (told["before"], told["after"]) == ({"archetype": "ranking", "fixtureType": "match"}, wanted)
    assert [one["value"] for one in told["removed"]] == ["3", "1:52.30"]


async def test_a_match_with_a_log_keeps_its_type(arena: Arena) -> None:
    wanted = {"archetype": "ranking", "fixtureType": "final"}
    await arena.send("results.edit_side", input={"side": arena.home, "label": "Home side"})
    answer = await arena.send("results.change_type", input=wanted)
    assert (answer["refusal"], answer["reason"]) == ("record", "events_logged")
    await arena.started()
    answer = await arena.send("results.change_type", input=wanted)
    assert (answer["refusal"], answer["reason"]) == ("rejected", "type_may_change")


async def test_a_match_without_a_log_changes_its_type_and_is_offered_that_types_commands(
    arena: Arena,
) -> None:
    assert (await arena.send("court.anthem"))["reason"] == "other_type"
    changed = await arena.send("results.change_type", input={"archetype": "duel", "fixtureType": "final"})
    assert changed["accepted"], changed
    assert (await arena.send("court.anthem"))["accepted"]
