"""Records of kind fixture.move and fixture.cancel."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from harness.postgres import Database
from harness.writers import RecordRefused, Writers

LATER = "2026-12-02T10:00:00Z"


async def test_a_moved_unit_keeps_its_id_and_its_release(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    report = await writers.write(
        "fixture.move", {"fixture": "M1", "scheduledStart": LATER, "venue": "Court 2"}
    )
    row = await match.row()
    assert (row["scheduled_start"], row["venue"]) == (datetime(2026, 12, 2, 10, tzinfo=UTC), "Court 2")
    assert (row["release_id"], row["pinned"]) == (writers.release, ["scheduled_start", "venue"])
    assert report == {
        "touches": ["fixture"],
        "counts": {"updated": 1},
        "value": {
            "fixtureId": str(match.id),
            "status": "SCHEDULED",
            "scheduledStart": LATER,
            "venue": "Court 2",
        },
        "notes": [],
        "fixtures": [str(match.id)],
    }


async def test_a_unit_is_named_by_its_id_as_well(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await writers.write("fixture.move", {"fixture": str(match.id).upper(), "venue": "Court 2"})
    row = await match.row()
    assert (row["venue"], row["scheduled_start"]) == ("Court 2", datetime(2026, 12, 1, 10, tzinfo=UTC))


async def test_a_start_and_a_venue_can_be_taken_away(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await writers.write("fixture.move", {"fixture": "M1", "venue": "Court 2"})
    await writers.write("fixture.move", {"fixture": "M1", "clears": ["scheduledStart", "venue"]})
    row = await match.row()
    assert (row["scheduled_start"], row["venue"]) == (None, None)


async def test_a_postponed_unit_with_a_new_start_is_on_the_schedule_again(writers: Writers) -> None:
    match = await writers.match("United", "City", status="POSTPONED")
    await writers.write("fixture.move", {"fixture": "M1", "venue": "Court 2"})
    assert (await match.row())["status"] == "POSTPONED"
    await writers.write("fixture.move", {"fixture": "M1", "scheduledStart": LATER})
    assert (await match.row())["status"] == "SCHEDULED"


@pytest.mark.parametrize("status", ["LIVE", "COMPLETED", "CANCELLED", "VOID"])
async def test_only_what_is_still_to_be_held_is_moved(writers: Writers, status: str) -> None:
    await writers.match("United", "City", status=status)
    with pytest.raises(RecordRefused, match=f"M1 is {status}. Only a unit that is still to be held is moved"):
        await writers.write("fixture.move", {"fixture": "M1", "venue": "Court 2"})


async def test_an_import_moves_what_nobody_moved_by_hand(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await writers.write("fixture.move", {"fixture": "M1", "venue": "Court 2"})
    report = await writers.write(
        "fixture.move", {"fixture": "M1", "venue": "Court 9", "scheduledStart": LATER}, source="integration"
    )
    row = await match.row()
    assert (row["venue"], row["scheduled_start"]) == ("Court 2", datetime(2026, 12, 2, 10, tzinfo=UTC))
    assert report["counts"] == {"updated": 1, "kept": 1}


async def test_a_unit_of_another_event_is_unknown(writers: Writers) -> None:
    other = await writers.world.event("elsewhere")
    fixture = await writers.world.fixture("X1", competition=other, sport=writers.sport)
    for ref in ("X1", str(fixture)):
        for kind in ("fixture.move", "fixture.cancel"):
            with pytest.raises(RecordRefused, match=f"This event has no unit {ref}"):
                await writers.write(kind, {"fixture": ref, "venue": "V", "reason": "R"})


async def test_a_cancelled_unit_has_no_result_and_keeps_its_id(writers: Writers) -> None:
    match = await writers.match("United", "City", status="LIVE")
    await match.edit(1, score="2", rank=1, medal="Gold")
    await match.place(1, 2)
    report = await writers.write("fixture.cancel", {"fixture": "M1", "reason": "Storm"})
    row, side = await match.row(), await match.side(1)
    assert (row["status"], row["official"], row["pinned"]) == ("CANCELLED", False, ["status"])
    assert (side["rank"], side["result"], await match.shown_places()) == (None, {}, 0)
    assert (report["touches"], report["counts"]) == (["fixture", "medals"], {"updated": 1})
    assert report["value"] == {"fixtureId": str(match.id), "status": "CANCELLED"}


@pytest.mark.parametrize("status", ["COMPLETED", "VOID"])
async def test_a_unit_that_was_held_is_not_cancelled(writers: Writers, status: str) -> None:
    await writers.match("United", "City", status=status)
    with pytest.raises(RecordRefused) as refused:
        await writers.write("fixture.cancel", {"fixture": "M1", "reason": "Storm"})
    assert refused.value.args == (
        "finished",
        f"M1 is {status}: it was held. Correct its result instead.",
    )


async def test_a_unit_that_is_cancelled_already_stays_so(writers: Writers) -> None:
    await writers.match("United", "City", status="CANCELLED")
    report = await writers.write("fixture.cancel", {"fixture": "M1", "reason": "Storm"})
    assert (report["counts"], report["fixtures"]) == ({"kept": 1}, [])


async def test_what_changed_before_the_lock_was_had_is_read_again(
    writers: Writers, database: Database
) -> None:
    match = await writers.match("United", "City")
    scoring = await database.connect()
    try:
        transaction = scoring.transaction()
        await transaction.start()
        await scoring.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", match.id)
        cancelling = asyncio.create_task(
            writers.write("fixture.cancel", {"fixture": "M1", "reason": "Storm"})
        )
        await asyncio.sleep(0.2)
        assert not cancelling.done()
        await scoring.execute("UPDATE fixture SET status = 'COMPLETED' WHERE id = $1", match.id)
        await transaction.commit()
        with pytest.raises(RecordRefused, match="it was held"):
            await cancelling
    finally:
        await scoring.close()
