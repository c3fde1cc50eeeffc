"""Apply commands on the one road: records go to their writers, and a writer's no takes the log row back."""

from __future__ import annotations

import json
import uuid

from harness.arena import Arena


async def test_records_are_written_and_the_answer_says_what_was_done(arena: Arena) -> None:
    answer = await arena.send("desk.edit_side", input={"side": arena.home, "score": "3", "rank": 1}, key="k")
    told = {k: answer[k] for k in ("accepted", "seq", "counts", "fixtureStatus", "version", "release")}
    assert told == {
        "accepted": True,
        "seq": 1,
        "counts": {"updated": 1},
        "fixtureStatus": "SCHEDULED",
        "version": 1,
        "release": "0.1.0+g000000000001",
    }
    assert answer["value"]["fixtureId"] == str(arena.fixture)
    assert "fixture" in answer["touches"]
    row = (await arena.rows("timeline_item"))[0]
    assert (row["unit"], row["seq"], row["state_digest"]) == ("record", 1, None)
    assert json.loads(row["answer"]) == answer
    side = await arena.connection.fetchrow(
        "SELECT * FROM fixture_competitor WHERE id = $1", uuid.UUID(arena.home)
    )
    assert side is not None
    assert side["rank"] == 1
    assert len(arena.bells) == 1


async def test_what_was_sent_is_logged_with_its_nulls(arena: Arena) -> None:
    await arena.send("desk.edit_side", input={"side": arena.home, "rank": None})
    row = (await arena.rows("timeline_item"))[0]
    assert row["payload"] == f'{{"rank":null,"side":"{arena.home}"}}'


async def test_records_and_events_of_a_fixture_share_one_gapless_stream(arena: Arena) -> None:
    await arena.started()
    await arena.send("desk.edit_side", input={"side": arena.home, "score": "1"})
    await arena.point()
    rows = await arena.rows("timeline_item")
    assert [(r["seq"], r["unit"]) for r in rows] == [(1, "event"), (2, "record"), (3, "event")]
    board = await arena.connection.fetchrow("SELECT * FROM scoreboard")
    assert board is not None
    assert (board["seq"], board["events"]) == (3, 2)


async def test_a_duplicate_is_the_stored_answer(arena: Arena) -> None:
    first = await arena.send("desk.edit_side", input={"side": arena.home, "rank": 1}, key="k")
    before = await arena.counts()
    again = await arena.send("desk.edit_side", input={"side": arena.home, "rank": 1}, key="k")
    assert again == {**first, "duplicate": True}
    assert await arena.counts() == before


async def test_a_rule_guards_records_too(arena: Arena) -> None:
    answer = await arena.send("desk.edit_side", input={"side": str(uuid.uuid4()), "rank": 1})
    assert (answer["refusal"], answer["reason"]) == ("rejected", "side_is_in_fixture")
    assert answer["message"] == "That side is not part of this fixture"


async def test_a_writers_no_takes_back_all_of_it_and_is_kept_as_evidence(arena: Arena) -> None:
    before = await arena.counts()
    answer = await arena.send("desk.edit_two", input={"side": arena.home, "rank": 1})
    assert answer["refusal"] == "record"
    assert answer["reason"]
    assert answer["message"]
    assert await arena.counts() == {**before, "refused_command": 1}
    side = await arena.connection.fetchval(
        "SELECT rank FROM fixture_competitor WHERE id = $1", uuid.UUID(arena.home)
    )
    assert side is None
    refused = (await arena.rows("refused_command"))[0]
    assert (refused["refusal"], refused["reason"], refused["after_seq"]) == ("record", answer["reason"], 0)
    assert len(arena.bells) == 0


async def test_a_record_that_nobody_writes_is_refused(arena: Arena) -> None:
    answer = await arena.send("desk.scribble", input={"side": arena.home})
    assert (answer["refusal"], answer["reason"]) == ("record", "unknown_record")
    assert answer["message"] == "This platform has no writer for fixture.nonsense.set."


async def test_a_dry_run_of_records_leaves_nothing(arena: Arena) -> None:
    before = await arena.counts()
    answer = await arena.send("desk.edit_side", input={"side": arena.home, "rank": 1}, dry_run=True)
    assert (answer["accepted"], answer["dryRun"], answer["counts"]) == (True, True, {"updated": 1})
    refused = await arena.send("desk.edit_two", input={"side": arena.home, "rank": 1}, dry_run=True)
    assert (refused["refusal"], refused["dryRun"]) == ("record", True)
    assert await arena.counts() == before


async def test_an_event_has_a_stream_and_a_version_of_its_own(arena: Arena) -> None:
    answers = [
        await arena.send(
            "office.add_unit", kind="event", ref="open-2026", input={"competition": "singles", "code": code}
        )
        for code in ("m1", "m2")
    ]
    assert [(a["accepted"], a["seq"], a["version"], a["fixtureStatus"]) for a in answers] == [
        (True, 1, 1, None),
        (True, 2, 2, None),
    ]
    event = await arena.connection.fetchrow("SELECT * FROM competition WHERE code = 'open-2026'")
    assert event is not None
    assert (event["version"], event["next_seq"]) == (2, 3)
    first, second = await arena.rows("timeline_item")
    assert (first["stream_id"], first["fixture_id"]) == (arena.event, None)
    assert second["previous_hash"] == first["row_hash"]
    made = uuid.UUID(answers[0]["value"]["fixtureId"])
    fixture = await arena.connection.fetchrow("SELECT * FROM fixture WHERE id = $1", made)
    assert fixture is not None
    outbox = (await arena.rows("domain_event"))[0]
    assert (fixture["version"], fixture["changed_seq"]) == (1, outbox["id"])
    assert (outbox["fixture_id"], outbox["competition_id"]) == (None, arena.event)
    assert json.loads(outbox["payload"])["records"] == [
        {"kind": "event", "id": str(arena.event), "version": 1},
        {"kind": "fixture", "id": str(made), "version": 1},
    ]


async def test_a_made_fixture_can_be_scored(arena: Arena) -> None:
    made = await arena.send(
        "office.add_unit", kind="event", ref="open-2026", input={"competition": "singles", "code": "m1"}
    )
    answer = await arena.send("court.start", ref=made["value"]["fixtureId"])
    assert (answer["accepted"], answer["version"]) == (True, 2)


async def test_an_event_command_raises_the_version_of_the_fixture_that_it_changes(arena: Arena) -> None:
    answer = await arena.send(
        "office.cancel_unit", kind="event", ref="open-2026", input={"fixture": str(arena.fixture)}
    )
    assert answer["accepted"], answer
    fixture = await arena.connection.fetchrow("SELECT * FROM fixture WHERE id = $1", arena.fixture)
    assert fixture is not None
    assert (fixture["status"], fixture["version"], fixture["next_seq"]) == ("CANCELLED", 1, 1)
    records = json.loads((await arena.rows("domain_event"))[0]["payload"])["records"]
    assert {"kind": "fixture", "id": str(arena.fixture), "version": 1} in records
