"""Records of kind fixture.release.set: another release for a fixture that has not started."""

from __future__ import annotations

import asyncio
import json
import uuid

import pytest

from harness.postgres import Database
from harness.writers import VERSION, RecordRefused, Writers

NEXT = "0.2.0+g000000000002"


async def next_release(writers: Writers, *, status: str = "prod", workflow: str = "football") -> uuid.UUID:
    release = await writers.world.release(NEXT, status=status)
    await writers.program(release, workflow)
    return release


async def test_a_fixture_that_has_not_started_is_moved_and_audited(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    release = await next_release(writers)
    report = await match.write("release.set", version=NEXT, reason="Golden goal")
    assert (await match.row())["release_id"] == release
    assert report["value"] == {"fixtureId": str(match.id), "release": NEXT}
    assert report["fixtures"] == [str(match.id)]
    audit = await writers.row("SELECT * FROM release_audit")
    assert (audit["who"], audit["verb"], audit["release_id"], audit["fixture_id"], audit["reason"]) == (
        "Ada",
        "set_release",
        release,
        match.id,
        "Golden goal",
    )
    assert json.loads(audit["seen"]) == {"from": VERSION, "to": NEXT, "fixture": "M1", "status": "SCHEDULED"}


async def test_the_release_that_it_has_changes_nothing(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    report = await match.write("release.set", version=VERSION)
    assert report["counts"] == {"kept": 1}
    assert await writers.connection.fetchval("SELECT count(*) FROM release_audit") == 0


@pytest.mark.parametrize(
    ("status", "logged", "reason", "sentence"),
    [
        ("LIVE", False, "started", "This match is LIVE and keeps its rules to the end."),
        ("COMPLETED", False, "started", "This match is COMPLETED and keeps its rules to the end."),
        ("SCHEDULED", True, "events_logged", f"Events of this match are logged under {VERSION}"),
    ],
)
async def test_a_match_that_has_begun_keeps_its_release(
    writers: Writers, status: str, logged: bool, reason: str, sentence: str
) -> None:
    match = await writers.match("United", "City", mode="events", status=status)
    await next_release(writers)
    if logged:
        await writers.world.log_row(match.id, 1, "football.lineup", {})
    with pytest.raises(RecordRefused) as refused:
        await match.write("release.set", version=NEXT)
    assert refused.value.args[0] == reason
    assert refused.value.args[1].startswith(sentence)
    assert (await match.row())["release_id"] == writers.release


async def test_a_scorecard_has_no_release(writers: Writers) -> None:
    match = await writers.match("United", "City")
    with pytest.raises(RecordRefused, match="no release is pinned"):
        await match.write("release.set", version=VERSION)


async def test_an_unknown_release_is_refused(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    with pytest.raises(RecordRefused, match=r"There is no release 9\.9\.9"):
        await match.write("release.set", version="9.9.9")


@pytest.mark.parametrize("status", ["proven", "staging", "retired"])
async def test_only_a_prod_release_is_pinned(writers: Writers, status: str) -> None:
    match = await writers.match("United", "City", mode="events")
    await next_release(writers, status=status)
    with pytest.raises(RecordRefused, match=rf"is {status}\. Only a prod release is pinned"):
        await match.write("release.set", version=NEXT)


async def test_a_release_without_rules_for_the_sport_is_refused(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    await next_release(writers, workflow="cricket")
    with pytest.raises(RecordRefused, match="has no rules for football"):
        await match.write("release.set", version=NEXT)


async def test_a_pin_and_a_retirement_never_both_commit(writers: Writers, database: Database) -> None:
    match = await writers.match("United", "City", mode="events")
    release = await next_release(writers)
    retiring = await database.connect()
    try:
        transaction = retiring.transaction()
        await transaction.start()
        await retiring.execute("SELECT 1 FROM plugin_release WHERE id = $1 FOR UPDATE", release)
        pin = asyncio.create_task(match.write("release.set", version=NEXT))
        await asyncio.sleep(0.2)
        assert not pin.done()
        await retiring.execute("UPDATE plugin_release SET status = 'retired' WHERE id = $1", release)
        await transaction.commit()
        with pytest.raises(RecordRefused, match="is retired"):
            await pin
    finally:
        await retiring.close()
