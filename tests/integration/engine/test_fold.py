"""Fold commands on the one road: what an accepted one writes and what a refused one leaves."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from harness.arena import Arena, open_arena
from harness.postgres import Database
from harness.world import SHA
from omnium_worker.instants import instant


async def test_an_accepted_command_is_answered_with_the_fresh_board(arena: Arena) -> None:
    await arena.started()
    answer = await arena.point(worth=2, key="k2")
    state = await arena.connection.fetchval("SELECT state FROM scoreboard")
    assert answer == {
        "accepted": True,
        "duplicate": False,
        "seq": 2,
        "message": None,
        "refusal": None,
        "reason": None,
        "touches": ["fixture"],
        "value": orjson.loads(state),
        "counts": {},
        "notes": [],
        "dryRun": False,
        "fixtureStatus": "LIVE",
        "release": "0.1.0+g000000000001",
        "version": 2,
    }
    assert answer["value"]["points"] == {arena.home: 2, arena.away: 0}


async def test_a_log_row_says_who_what_when_and_under_which_release(arena: Arena) -> None:
    await arena.started()
    await arena.send("court.point", input={"entry": arena.home, "scored_by": "kim"}, key="k2")
    start, point = await arena.rows("timeline_item")
    assert start["previous_hash"] is None
    assert point["previous_hash"] == start["row_hash"]
    kept = {name: point[name] for name in ("seq", "event_type", "unit", "sender", "actor", "idempotency_key")}
    assert kept == {
        "seq": 2,
        "event_type": "court.point",
        "unit": "event",
        "sender": "person:ada",
        "actor": "Ada",
        "idempotency_key": "k2",
    }
    assert point["payload"] == f'{{"entry":"{arena.home}","scoredBy":"kim","worth":1}}'
    assert (point["release_id"], point["code_sha"], point["runtime_sha"]) == (arena.release, SHA, "1" * 64)
    state = await arena.connection.fetchval("SELECT state FROM scoreboard")
    assert point["state_digest"] == hashlib.sha256(state).digest()
    assert orjson.loads(point["answer"])["value"] is None
    assert await arena.rows("timeline_actor", "role", "person") == [{"role": "scorer", "person": "kim"}]


async def test_an_outbox_row_is_written_and_the_version_grows_with_it(arena: Arena) -> None:
    await arena.started()
    await arena.point()
    _, row = await arena.rows("domain_event")
    fixture = await arena.connection.fetchrow("SELECT * FROM fixture")
    assert fixture is not None
    assert (fixture["version"], fixture["next_seq"], fixture["changed_seq"]) == (2, 3, row["id"])
    assert fixture["tag"] != 0
    assert (row["kind"], row["fixture_id"], row["competition_id"], row["event_id"], row["seq"]) == (
        "command.accepted",
        arena.fixture,
        arena.competition,
        arena.event,
        2,
    )
    assert orjson.loads(row["payload"]) == {
        "command": "court.point",
        "workflow": "court",
        "actor": "Ada",
        "event": "open-2026",
        "touches": ["fixture"],
        "records": [{"kind": "fixture", "id": str(arena.fixture), "version": 2}],
    }
    assert len(arena.bells) == 2


async def test_a_command_appends_a_job_for_each_of_its_stats(arena: Arena) -> None:
    await arena.started()
    await arena.point()
    await arena.point()
    jobs = await arena.rows("stat_job", "stat", "scope_id", "release_id")
    assert (
        jobs
        == [{"stat": "court.points.node", "scope_id": arena.competition, "release_id": arena.release}] * 2
    )


async def test_lines_are_replaced_and_those_that_are_gone_are_deleted(arena: Arena) -> None:
    await arena.started()
    await arena.point(worth=9)
    lines = {(r["segment"], r["value"]) for r in await arena.rows("stat_value")}
    assert lines == {(None, 9), ("last", 9)}
    await arena.point(worth=1)  # 10: no line of the segment any more
    lines = {(r["segment"], r["value"]) for r in await arena.rows("stat_value")}
    assert lines == {(None, 10)}


async def test_unchanged_lines_are_not_written_again(arena: Arena) -> None:
    await arena.started()
    await arena.point(arena.home)
    before = await arena.connection.fetchval(
        "SELECT xmin::text FROM stat_value WHERE entry = $1 LIMIT 1", arena.home
    )
    await arena.point(arena.away)
    after = await arena.connection.fetchval(
        "SELECT xmin::text FROM stat_value WHERE entry = $1 LIMIT 1", arena.home
    )
    assert before == after


async def test_a_branch_adds_places_and_the_finish_adds_its_lines(database: Database) -> None:
    async with open_arena(database, format={"target": 3}) as arena:
        await arena.started()
        await arena.point(worth=2)
        assert await arena.rows("fixture_competitor_rank") == []
        answer = await arena.point(worth=1)
        assert answer["fixtureStatus"] == "COMPLETED"
        places = await arena.rows("fixture_competitor_rank")
        assert {(str(p["fixture_competitor_id"]), p["rank"], p["value"]) for p in places} == {
            (arena.home, 1, 3),
            (arena.away, 2, 0),
        }
        wins = [r for r in await arena.rows("stat_value") if r["key"] == "wins"]
        assert [(r["entry"], r["action"]) for r in wins] == [(arena.home, "court.laurels")]
        assert await arena.connection.fetchval("SELECT status FROM fixture") == "COMPLETED"
        assert await arena.problems() == ()


async def test_the_format_is_its_configs_values_overlaid_by_the_fixtures(arena: Arena) -> None:
    await arena.connection.execute(
        """INSERT INTO format_config (code, sport_id, values) VALUES ('short', $1, '{"target": 2}')""",
        arena.sport,
    )
    await arena.connection.execute("UPDATE fixture SET format_code = 'short'")
    await arena.started()
    await arena.point()
    assert (await arena.point())["fixtureStatus"] == "COMPLETED"


async def test_the_first_no_of_the_rules_is_the_answer_and_is_kept_as_evidence(arena: Arena) -> None:
    answer = await arena.point("nobody")
    told = {k: answer[k] for k in ("accepted", "refusal", "reason", "message", "seq", "value", "version")}
    assert told == {
        "accepted": False,
        "refusal": "rejected",
        "reason": "is_open",
        "message": "Nothing is on",
        "seq": None,
        "value": None,
        "version": 0,
    }
    await arena.started()
    answer = await arena.point("nobody")
    assert answer["message"] == "nobody does not play."
    first, second = await arena.rows("refused_command")
    assert (first["refusal"], first["after_seq"], first["event_type"]) == ("rejected", 0, "court.point")
    assert (second["message"], second["after_seq"]) == ("nobody does not play.", 1)
    assert orjson.loads(second["payload"]) == {"entry": "nobody", "worth": 1}
    assert (second["sender"], second["release_id"]) == ("person:ada", arena.release)


async def test_a_warning_can_be_overruled_and_the_row_says_so(arena: Arena) -> None:
    await arena.started()
    answer = await arena.point(worth=11)
    assert (answer["refusal"], answer["reason"], answer["message"]) == (
        "confirm",
        "is_ordinary",
        "More than ten points at once",
    )
    answer = await arena.point(worth=11, confirm=["is_ordinary"])
    assert answer["accepted"]
    assert [r["confirmed"] for r in await arena.rows("timeline_item", "seq", "confirmed")] == [
        [],
        ["is_ordinary"],
    ]


async def test_every_problem_of_an_input_is_told_with_its_field(arena: Arena) -> None:
    await arena.started()
    answer = await arena.send("court.point", input={"worth": 100, "colour": "red"})
    assert answer["refusal"] == "input"
    assert answer["notes"] == [
        {"field": "entry", "message": "is required"},
        {"field": "worth", "message": "Input should be less than or equal to 99"},
        {"field": "colour", "message": "is not a field of this command"},
    ]
    assert answer["message"].startswith("entry: is required; worth: ")
    assert [r["refusal"] for r in await arena.rows("refused_command")] == ["input"]


async def test_an_action_that_raises_writes_nothing_of_the_command(arena: Arena, logged: list[Any]) -> None:
    await arena.started()
    before = await arena.counts()
    for where in ("rule", "step", "lines", "verdict", "exit"):
        answer = await arena.send("court.misbehave", input={"where": where})
        assert answer["refusal"] == "failed", where
        assert answer["reason"].startswith("court.")
        assert f"The log has it as {logged[-1]['id']}." in answer["message"]
        assert (logged[-1]["event"], logged[-1]["key"]) == ("component.failed", answer["reason"])
    assert await arena.counts() == {**before, "refused_command": 5}


async def test_a_component_over_its_budget_costs_its_command_a_refusal(arena: Arena) -> None:
    answer = await arena.send("court.misbehave", input={"where": "loop"})
    assert (answer["refusal"], answer["reason"]) == ("over_budget", "court.trouble")


async def test_a_dry_run_says_what_would_have_been_and_leaves_nothing(arena: Arena) -> None:
    await arena.started()
    before = await arena.counts()
    answer = await arena.point(dry_run=True, key="")
    assert (answer["accepted"], answer["dryRun"], answer["seq"], answer["version"]) == (True, True, 2, 2)
    assert answer["value"]["points"][arena.home] == 1
    refused = await arena.point("nobody", dry_run=True)
    assert (refused["refusal"], refused["dryRun"]) == ("rejected", True)
    assert await arena.counts() == before
    assert len(arena.bells) == 1


async def test_a_rule_that_reads_the_log_gets_it(arena: Arena) -> None:
    await arena.started()
    assert (await arena.send("court.late"))["reason"] == "after_three"
    await arena.point()
    await arena.point()
    assert (await arena.send("court.late"))["accepted"]


async def test_a_rule_reads_masters_stats_and_children_where_it_declares_them(arena: Arena) -> None:
    below = await arena.world.competition("round-1", parent=arena.competition, sport=arena.sport)
    child = await arena.world.fixture("r1", competition=below, sport=arena.sport, workflow="court")
    people = {
        name: await arena.connection.fetchval(
            "INSERT INTO participant (event_id, name) VALUES ($1, $2) RETURNING id", arena.event, name
        )
        for name in ("Kim", "Lee", "Stranger")
    }
    await arena.connection.execute(
        "UPDATE fixture_competitor SET participant_id = $2 WHERE id = $1",
        uuid.UUID(arena.home),
        people["Kim"],
    )
    await arena.connection.execute(
        "INSERT INTO event_entry (competition_id, participant_id) VALUES ($1, $2)",
        arena.competition,
        people["Lee"],
    )
    await arena.connection.execute(
        """INSERT INTO stat_result (stat, scope_id, release_id, value)
           VALUES ('court.points.node', $1, $2, '[7]')""",
        arena.competition,
        arena.release,
    )
    said = (await arena.send("court.census"))["message"]
    assert said == f"['Kim', 'Lee'] {{'court.points.node': [7]}} ['{child}']"


async def test_the_database_writes_moments_as_the_engine_does(arena: Arena) -> None:
    noon = datetime(2026, 10, 7, 12, 0, tzinfo=UTC)
    for micros in (0, 1, 10, 500_000, 120_000, 999_999):
        moment = noon.replace(microsecond=micros)
        assert await arena.connection.fetchval("SELECT rfc3339_v1($1)", moment) == instant(moment)


async def test_events_keep_their_order_in_time_within_bounds(arena: Arena) -> None:
    now = datetime.now(UTC)
    claimed = (now - timedelta(seconds=30)).isoformat(timespec="milliseconds")
    await arena.send("court.start", occurred_at=claimed)
    state = (await arena.point())["value"]
    assert datetime.fromisoformat(state["startedAt"]) == datetime.fromisoformat(claimed)
    early = await arena.point(occurred_at=(now - timedelta(hours=1)).isoformat())
    assert (early["refusal"], early["notes"][0]["field"]) == ("input", "occurredAt")
    assert "before the previous event" in early["message"]
    late = await arena.point(occurred_at=(now + timedelta(minutes=6)).isoformat())
    assert "in the future" in late["message"]
    assert "not a moment" in (await arena.point(occurred_at="yesterday"))["message"]
    ahead = await arena.point(occurred_at=(now + timedelta(minutes=4)).isoformat())
    assert ahead["accepted"]
    assert (await arena.point())["accepted"]  # not before the previous one, though that is ahead of the clock
    moments = [r["occurred_at"] for r in await arena.rows("timeline_item", "seq", "occurred_at")]
    assert moments == sorted(moments)


async def test_a_status_that_a_person_typed_stays_until_the_state_moves_on(arena: Arena) -> None:
    await arena.started()
    await arena.connection.execute("UPDATE fixture SET status = 'POSTPONED'")
    assert (await arena.point())["fixtureStatus"] == "POSTPONED"
    await arena.connection.execute("UPDATE fixture SET status = 'LIVE'")
