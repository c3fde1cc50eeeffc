"""A move is one transaction: pin, fold, log row, audit row, outbox row; and then the new rules judge."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any

import pytest

from harness import courts
from harness.arena import Arena, open_arena
from harness.postgres import Database
from harness.rival_courts import (
    CallsToo,
    NeverEnds,
    NoThrees,
    Rival,
    ThreesCountFour,
    court,
    rival,
)
from omnium_proto import move_pb2
from omnium_store.errors import BadRequest, NeedsBulk, Refused, WrongRelease
from omnium_worker.checkpoints import EVERY


async def fixture_row(arena: Arena) -> dict[str, Any]:
    row = await arena.connection.fetchrow("SELECT * FROM fixture WHERE id = $1", arena.fixture)
    assert row is not None
    return dict(row)


async def refusal(asked: Awaitable[Any]) -> Refused:
    with pytest.raises(Refused) as raised:
        await asked
    return raised.value


async def test_a_move_writes_pin_fold_log_audit_and_outbox_at_once(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    seen = await mended.preview()
    before, bells = await arena.counts(), len(arena.bells)
    answer = await mended.ask(expect=seen["digest"], reason="A three was a point short")
    after = await arena.counts()
    assert {name: after[name] - before[name] for name in before} == {
        **dict.fromkeys(before, 0), "timeline_item": 1, "domain_event": 1, "stat_job": 1, "version": 1,
    }  # fmt: skip
    assert len(arena.bells) == bells + 1
    assert (answer["seq"], answer["version"], answer["changed"], answer["dryRun"]) == (4, 4, True, False)
    assert answer["differences"] == seen["differences"]

    row = await fixture_row(arena)
    assert (row["release_id"], row["version"], row["next_seq"], row["status"]) == (
        mended.host.identity.release_id, 4, 5, "LIVE",
    )  # fmt: skip
    [log] = await arena.connection.fetch("SELECT * FROM timeline_item WHERE seq = 4")
    assert (log["unit"], log["event_type"], log["sender"], log["actor"], log["release_id"]) == (
        "record", "releases.move", "person:max", "Max", mended.host.identity.release_id,
    )  # fmt: skip
    assert json.loads(log["payload"]) == {
        "from": arena.host.identity.version,
        "to": mended.host.identity.version,
        "digest": seen["digest"],
        "counts": seen["counts"],
        "reason": "A three was a point short",
    }
    outbox = json.loads(await arena.connection.fetchval("SELECT payload FROM domain_event ORDER BY id DESC"))
    assert (outbox["command"], outbox["touches"], outbox["records"]) == (
        "releases.move", ["fixture"], [{"kind": "fixture", "id": str(arena.fixture), "version": 4}],
    )  # fmt: skip
    assert await mended.problems() == ()


async def test_the_audit_says_who_moved_what_why_and_what_changed(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour, NoThrees))
    await mended.take_over(reason="A three was a point short")
    [audit] = await arena.connection.fetch("SELECT * FROM release_audit")
    assert (audit["who"], audit["verb"], audit["release_id"], audit["fixture_id"], audit["reason"]) == (
        "Max", "move", mended.host.identity.release_id, arena.fixture, "A three was a point short",
    )  # fmt: skip
    assert (audit["request_id"], json.loads(audit["build"])) == ("req-1", {"commit": "abc"})
    seen = json.loads(audit["seen"])
    assert (seen["from"], seen["to"], seen["fixture"], seen["event"], seen["seq"]) == (
        arena.host.identity.version, mended.host.identity.version, "final", "open-2026", 4,
    )  # fmt: skip
    state = [one for one in seen["differences"] if one["part"] == "state"]
    assert state == [{"part": "state", "key": f"points.{arena.home}", "before": 3, "after": 4}]
    assert [one["seq"] for one in seen["conflicts"]] == [2]


async def test_the_next_command_is_judged_by_the_new_rules_and_the_old_worker_knows_whose_it_is(
    arena: Arena,
) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    await mended.take_over()
    request = arena.request("court.point", input={"entry": arena.home, "worth": 3})
    with pytest.raises(WrongRelease) as wrong:
        await arena.road.execute(request, timeout=20)
    assert wrong.value.metadata == {"release": mended.host.identity.version}
    answer = json.loads((await mended.road.execute(request, timeout=20)).answer)
    assert answer["value"]["points"] == {arena.home: 8, arena.away: 1}
    assert (answer["release"], answer["seq"]) == (mended.host.identity.version, 5)
    assert await mended.problems() == ()


async def test_events_that_came_since_the_preview_are_folded_on_top(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    seen = await mended.preview()
    for _ in range(3):
        await arena.point(worth=1)
    answer = await mended.ask(expect=seen["digest"])
    assert answer["events"] == 6
    board = json.loads(await arena.connection.fetchval("SELECT state FROM scoreboard"))
    assert board["points"] == {arena.home: 7, arena.away: 1}
    assert await mended.problems() == ()


async def test_a_difference_that_the_preview_did_not_show_refuses_the_move(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    seen = await mended.preview()
    await arena.point(worth=3)
    before = await arena.counts()
    no = await refusal(mended.ask(expect=seen["digest"]))
    assert (no.reason, no.metadata["digest"]) == ("differences_changed", (await mended.preview())["digest"])
    assert await arena.counts() == before
    assert (await fixture_row(arena))["release_id"] == arena.release
    assert (await mended.ask(expect=no.metadata["digest"]))["changed"]


async def test_a_digest_of_something_else_refuses_the_move(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    assert (await refusal(mended.ask(expect="0" * 64))).reason == "differences_changed"
    with pytest.raises(BadRequest) as bad:
        await mended.ask()
    assert bad.value.reason == "expect_required"


async def test_a_match_that_is_there_already_is_left_alone(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    digest = (await mended.preview())["digest"]
    await mended.ask(expect=digest)
    before = await arena.counts()
    again = await mended.ask(expect=digest)
    assert (again["changed"], again["seq"], again["differences"]) == (False, None, [])
    assert not (await mended.preview())["changed"]
    assert await arena.counts() == before


async def test_a_match_can_be_moved_back(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    await mended.take_over()
    home = Rival(arena, arena.host, type(mended.moves)(arena.host, arena.pool, lambda: None), arena.road)
    answer = await home.take_over()
    assert (answer["from"], answer["to"]) == (mended.host.identity.version, arena.host.identity.version)
    assert (await arena.point())["value"]["points"][arena.home] == 4
    assert await arena.problems() == ()


@pytest.mark.parametrize("status", ["proven", "staging", "retired"])
async def test_only_a_prod_release_takes_a_match(arena: Arena, status: str) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    digest = (await mended.preview())["digest"]
    await arena.connection.execute(
        "UPDATE plugin_release SET status = $2 WHERE id = $1", mended.host.identity.release_id, status
    )
    for asked in (mended.preview(), mended.ask(expect=digest)):
        no = await refusal(asked)
        assert (no.reason, f"is {status}." in no.message) == ("release_not_prod", True)
    assert (await fixture_row(arena))["release_id"] == arena.release


async def test_rules_that_would_have_refused_stay_beside_the_board_as_conflicts(arena: Arena) -> None:
    stricter = await rival(arena, court(validations=NoThrees))
    await stricter.take_over()
    conflicts = json.loads(await arena.connection.fetchval("SELECT conflicts FROM scoreboard"))
    assert conflicts == [{"seq": 2, "sentence": "A point is worth one or two."}]
    request = arena.request("court.point", input={"entry": arena.home, "worth": 3})
    assert json.loads((await stricter.road.execute(request, timeout=20)).answer)["refusal"] == "rejected"
    assert await stricter.problems() == ()


async def test_numbers_that_the_new_release_does_not_give_are_gone(arena: Arena) -> None:
    richer = await rival(arena, court(CallsToo))
    await richer.take_over()
    keys = "SELECT DISTINCT key FROM stat_value ORDER BY key"
    assert [row["key"] for row in await arena.connection.fetch(keys)] == ["calls", "points"]
    back = Rival(arena, arena.host, type(richer.moves)(arena.host, arena.pool, lambda: None), arena.road)
    await back.take_over()
    assert [row["key"] for row in await arena.connection.fetch(keys)] == ["points"]
    assert await arena.problems() == ()


async def test_a_match_that_the_new_rules_end_is_over_with_its_places(arena: Arena) -> None:
    await arena.point(worth=6)  # nine: one short of the target
    mended = await rival(arena, court(ThreesCountFour))
    answer = await mended.take_over()
    assert answer["counts"]["status"] == 1
    places = [one for one in answer["differences"] if one["part"] == "places"]
    assert {one["entry"]: one["after"]["rank"] for one in places} == {arena.home: 1, arena.away: 2}
    assert (await fixture_row(arena))["status"] == "COMPLETED"
    assert await arena.connection.fetchval("SELECT count(*) FROM fixture_competitor_rank") == 2
    assert await arena.connection.fetchval("SELECT count(*) FROM stat_job WHERE release_id = $1",
                                           mended.host.identity.release_id) == 1  # fmt: skip
    assert await mended.problems() == ()


async def test_an_official_result_is_changed_for_a_reason_and_is_a_revision_then(arena: Arena) -> None:
    await arena.point(worth=8)
    await arena.world.official(arena.fixture)
    endless = await rival(arena, court(NeverEnds))
    assert (await refusal(endless.take_over())).reason == "official"
    await endless.take_over(reason="The target was wrong")
    row = await fixture_row(arena)
    assert (row["status"], row["official"], row["revision"]) == ("LIVE", False, 0)

    mended = await rival(arena, court(ThreesCountFour), version="0.3.0+g000000000003", code_sha="3" * 64)
    await mended.take_over()
    await arena.world.official(arena.fixture)
    twin = await rival(arena, court(), version="0.4.0+g000000000004", code_sha="4" * 64)
    await twin.take_over(reason="A three is three")
    row = await fixture_row(arena)
    assert (row["status"], row["official"], row["revision"]) == ("COMPLETED", True, 1)


async def test_what_a_person_typed_over_the_log_stands(arena: Arena) -> None:
    await arena.point(worth=6)
    await arena.connection.execute("UPDATE fixture SET status = 'POSTPONED' WHERE id = $1", arena.fixture)
    mended = await rival(arena, court(ThreesCountFour))
    await mended.take_over()
    assert (await fixture_row(arena))["status"] == "POSTPONED"


async def test_a_match_without_events_moves_as_well(database: Database) -> None:
    async with open_arena(database) as arena:
        mended = await rival(arena, court(ThreesCountFour))
        answer = await mended.take_over()
        assert (answer["events"], answer["differences"]) == (0, [])
        row = await fixture_row(arena)
        assert (row["release_id"], row["status"]) == (mended.host.identity.release_id, "SCHEDULED")
        assert await arena.connection.fetchval("SELECT count(*) FROM scoreboard") == 0
        assert await mended.problems() == ()
        assert (await mended.road.execute(arena.request("court.start"), timeout=20)).accepted


async def test_a_finished_match_of_a_retired_release_moves_as_well(arena: Arena) -> None:
    await arena.point(worth=8)
    await arena.connection.execute(
        "UPDATE plugin_release SET status = 'retired' WHERE id = $1", arena.release
    )
    mended = await rival(arena, court(ThreesCountFour))
    await mended.take_over()
    row = await fixture_row(arena)
    assert (row["release_id"], row["status"]) == (mended.host.identity.release_id, "COMPLETED")
    assert await mended.problems() == ()


async def test_checkpoints_are_those_of_the_new_code(arena: Arena) -> None:
    await arena.connection.execute("""UPDATE fixture SET format = '{"target": 10000}'""")
    for _ in range(2 * EVERY):
        await arena.point(worth=1)
    mended = await rival(arena, court(ThreesCountFour))
    await mended.take_over()
    kept = await arena.rows("scoring_checkpoint", "seq", "events", "code_sha")
    assert kept == [{"seq": n * EVERY, "events": n * EVERY, "code_sha": "2" * 64} for n in (1, 2)]
    assert await mended.problems() == ()


async def test_a_lost_scoreboard_does_not_keep_a_match_from_moving(arena: Arena) -> None:
    await arena.connection.execute("DELETE FROM scoreboard")
    mended = await rival(arena, court(ThreesCountFour))
    answer = await mended.take_over()
    assert {one["key"] for one in answer["differences"]} > {"points", "startedAt"}
    assert await mended.problems() == ()


async def test_a_fold_of_the_whole_log_moves_as_well(arena: Arena) -> None:
    whole = await rival(arena, courts.court(whole_log=True))
    assert (await whole.take_over())["differences"] == []
    assert await whole.problems() == ()


async def test_a_move_to_other_code_than_the_worker_has_is_not_run(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    request = move_pb2.MoveRequest(fixture=str(arena.fixture), dry_run=True)
    request.release.version, request.release.code_sha = "0.9.0", "9" * 64
    with pytest.raises(WrongRelease):
        await mended.moves.move(request, timeout=5)


async def test_a_live_worker_that_has_the_match_already_asks_for_no_bulk_worker(arena: Arena) -> None:
    bulk = await rival(arena, court(), lane="bulk")
    await bulk.take_over()
    moves = type(bulk.moves)(bulk.host, arena.pool, lambda: None, most_told_in_live=1)
    assert not (await Rival(arena, bulk.host, moves, bulk.road).preview())["changed"]
    away = await rival(arena, court(), version="0.3.0+g000000000003", code_sha="3" * 64, most_told_in_live=1)
    with pytest.raises(NeedsBulk):
        await away.preview()


async def test_a_caller_that_goes_away_changes_nothing_about_a_transaction_that_has_begun(
    arena: Arena,
) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    digest = (await mended.preview())["digest"]
    async with arena.connection.transaction():
        await arena.connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", arena.fixture)
        asked = asyncio.create_task(mended.ask(expect=digest))
        while not await arena.advisory_locks(waiting=True):  # noqa: ASYNC110  # the database tells nobody
            await asyncio.sleep(0.01)
        asked.cancel()
        await asyncio.wait({asked})
    await mended.moves.settle()
    assert (await fixture_row(arena))["release_id"] == mended.host.identity.release_id
    assert await mended.problems() == ()
