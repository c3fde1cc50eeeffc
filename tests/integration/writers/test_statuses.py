"""Records of kind fixture.status.set: the ladder, the official mark, and what has no result."""

from __future__ import annotations

import json

import pytest

from harness.writers import Match, RecordRefused, Writers
from omnium_flows.results.constants import HIDDEN_BY, RANKLESS
from omnium_store.statuses import LADDER, WITHOUT_RESULT, FixtureStatus

ALL_OF_A_RESULT = ["eventRecord", "medal", "qualified", "rank", "score", "shared", "worldRecord"]


def hidden(match: Match, *fields: str) -> dict[str, list[str]]:
    """What every side shows no longer."""
    return {str(side): list(fields) for side in match.sides}


async def test_a_status_is_set_and_hand_edited(writers: Writers) -> None:
    match = await writers.match("United", "City")
    report = await match.write("status.set", status="LIVE", official=False, hides=hidden(match))
    fixture = await match.row()
    assert (fixture["status"], fixture["pinned"]) == ("LIVE", ["status"])
    assert report == {
        "touches": ["fixture"],
        "counts": {"updated": 1},
        "value": {"fixtureId": str(match.id), "status": "LIVE", "official": False, "revision": 0},
        "notes": [],
        "fixtures": [str(match.id)],
    }


async def test_a_result_is_official_as_revision_1_and_again_as_2(writers: Writers) -> None:
    match = await writers.match("United", "City")
    first = await match.write("status.set", status="COMPLETED", official=True)
    assert (first["value"]["official"], first["value"]["revision"]) == (True, 1)
    with pytest.raises(RecordRefused, match="Official results need a reason to change"):
        await match.write("status.set", status="COMPLETED", official=False)
    taken = await match.write("status.set", status="COMPLETED", official=False, reason="Protest")
    assert (taken["value"]["official"], taken["value"]["revision"]) == (False, 1)
    again = await match.write("status.set", status="COMPLETED", official=True)
    assert again["value"]["revision"] == 2


async def test_the_same_status_again_changes_nothing(writers: Writers) -> None:
    match = await writers.match("United", "City")
    report = await match.write("status.set", status="SCHEDULED", official=False)
    assert (report["counts"], report["fixtures"]) == ({"kept": 1}, [])


@pytest.mark.parametrize("status", ["POSTPONED", "CANCELLED", "VOID"])
async def test_a_fixture_without_a_result_has_no_score_and_no_places_and_gets_them_back(
    writers: Writers, status: str
) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="2", rank=1, medal="Gold")
    await match.place(1, 2)
    report = await match.write(
        "status.set", status=status, official=False, hides=hidden(match, *ALL_OF_A_RESULT)
    )
    side = await match.side(1)
    assert (side["rank"], side["result"], await match.shown_places()) == (None, {}, 0)
    assert report["touches"] == ["fixture", "medals"]
    await match.write("status.set", status="COMPLETED", official=False, hides=hidden(match))
    side = await match.side(1)
    assert (side["rank"], side["result"]) == (1, {"score": "2", "medal": "Gold"})


async def test_what_a_mark_hides_stays_hidden_when_the_status_changes(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="2", rank=1)
    await match.edit(1, status="DSQ", hides=ALL_OF_A_RESULT)
    hides = {str(match.sides[0]): ALL_OF_A_RESULT, str(match.sides[1]): []}
    await match.write("status.set", status="COMPLETED", official=False, hides=hides)
    side = await match.side(1)
    assert (side["status"], side["rank"], side["held"]) == ("DSQ", None, {"score": "2", "rank": 1})


async def test_an_import_leaves_a_hand_edited_status_alone(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.write("status.set", status="POSTPONED", official=False)
    report = await match.write("status.set", "integration", status="LIVE", official=False)
    assert (await match.row())["status"] == "POSTPONED"
    assert report["counts"] == {"kept": 1}
    assert report["notes"] == [{"field": "status", "message": "kept: a person set it"}]


async def test_a_match_that_has_begun_goes_back_to_where_its_log_stands(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events", status="CANCELLED")
    await writers.world.log_row(match.id, 1, "football.match_start", {})
    await writers.world.board(match.id, b'{"status":"live"}')
    report = await match.write("status.set", status="SCHEDULED", official=False)
    assert report["value"]["status"] == "LIVE"


async def test_a_log_with_a_nul_escape_says_where_it_stands(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events", status="CANCELLED")
    await writers.world.log_row(match.id, 1, "football.match_start", {})
    await writers.world.board(match.id, b'{"note":"\\u0000","status":"live"}')
    report = await match.write("status.set", status="SCHEDULED", official=False)
    assert report["value"]["status"] == "LIVE"


async def test_what_has_no_result_and_no_rank_is_one_table_in_sql_and_python(writers: Writers) -> None:
    ask = writers.connection.fetchval
    without = {status for status in FixtureStatus if not await ask("SELECT has_result_v1($1)", str(status))}
    assert without == WITHOUT_RESULT
    rankless = {mark for mark in HIDDEN_BY if not await ask("SELECT has_rank_v1($1)", mark)}
    assert rankless == RANKLESS
    assert [await ask("SELECT has_rank_v1($1)", mark) for mark in (None, "")] == [True, True]


async def test_a_match_that_its_log_abandoned_is_not_put_on_the_schedule_again(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events", status="VOID")
    await writers.world.log_row(match.id, 1, "football.abandon", {})
    await writers.world.board(match.id, b'{"status":"abandoned"}')
    with pytest.raises(RecordRefused) as refused:
        await match.write("status.set", status="SCHEDULED", official=False)
    assert refused.value.args == (
        "told_by_the_log",
        "The log of this match says that it is VOID. Correct the log.",
    )


async def test_the_ladder_in_sql_is_the_one_table_of_statuses(writers: Writers) -> None:
    told = await writers.connection.fetchval(
        "SELECT json_object_agg(word, fixture_status_v1(word)) FROM unnest($1::text[]) AS word", list(LADDER)
    )
    assert json.loads(told) == {word: standing.status for word, standing in LADDER.items()}
