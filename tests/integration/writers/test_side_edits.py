"""Records of kind fixture.sides.set: only what was sent changes, a person's edits stay."""

from __future__ import annotations

import uuid

import pytest

from harness.writers import RecordRefused, Writers

ALL_OF_A_RESULT = ["eventRecord", "medal", "qualified", "rank", "score", "shared", "worldRecord"]


async def test_only_the_fields_that_were_sent_change(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="2", rank=1)
    report = await match.edit(1, medal="Gold")
    side = await match.side(1)
    assert side["result"] == {"score": "2", "medal": "Gold"}
    assert side["rank"] == 1
    assert side["name"] == "United"
    assert report == {
        "touches": ["fixture", "medals"],
        "counts": {"updated": 1},
        "value": {"fixtureId": str(match.id)},
        "notes": [],
        "fixtures": [str(match.id)],
    }


async def test_a_persons_fields_are_hand_edited_under_the_name_of_their_column(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, medal="Gold", rank=1)
    await match.edit(1, status="", hides=[])
    await match.edit(1, label="Athletic")
    assert (await match.side(1))["pinned"] == ["name", "rank", "result", "status"]


async def test_an_empty_text_and_a_cleared_field_are_taken_away(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="2", medal="Gold", rank=1, shared=True, qualified=False)
    report = await match.edit(1, medal="", clears=["rank", "shared"])
    side = await match.side(1)
    assert side["result"] == {"score": "2", "qualified": False}
    assert side["rank"] is None
    assert report["touches"] == ["fixture", "medals"]


async def test_an_import_leaves_hand_edited_fields_alone_and_says_so(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="2")
    report = await match.edit(1, source="integration", score="3", rank=1)
    side = await match.side(1)
    assert (side["result"], side["rank"], side["pinned"]) == ({"score": "2"}, 1, ["result"])
    assert report["counts"] == {"updated": 1, "kept": 1}
    assert report["notes"] == [{"field": "score", "message": "kept: a person set it"}]


async def test_an_import_with_nothing_free_changes_nothing(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, label="Athletic", status="DNS", hides=ALL_OF_A_RESULT)
    report = await match.edit(1, source="integration", label="United", status="", hides=[])
    side = await match.side(1)
    assert (side["name"], side["status"]) == ("Athletic", "DNS")
    assert report["counts"] == {"kept": 2}


async def test_a_side_of_another_fixture_is_refused(writers: Writers) -> None:
    match = await writers.match("United", "City")
    other = await writers.match("Rovers", "Albion", code="M2")
    with pytest.raises(RecordRefused) as refused:
        await match.write("sides.set", side=str(other.sides[0]), rank=1)
    assert refused.value.args == ("no_such_side", "That side is not part of this fixture")


async def test_a_participant_brings_name_and_country(writers: Writers) -> None:
    match = await writers.match("Winner of SF1", "Winner of SF2")
    team = await writers.participant("Japan", noc="JPN")
    await match.edit(1, participantId=str(team))
    side = await match.side(1)
    assert (side["participant_id"], side["name"], side["noc"]) == (team, "Japan", "JPN")
    assert side["pinned"] == ["name", "noc", "participant_id"]


async def test_a_label_sent_with_a_participant_is_printed(writers: Writers) -> None:
    match = await writers.match("Winner of SF1", "Winner of SF2")
    team = await writers.participant("Japan", noc="JPN")
    await match.edit(1, participantId=str(team), label="Nippon")
    assert (await match.side(1))["name"] == "Nippon"
    await match.edit(1, label="")
    assert (await match.side(1))["name"] == "Japan"


async def test_a_participant_that_the_event_does_not_know_is_refused(writers: Writers) -> None:
    match = await writers.match("United", "City")
    with pytest.raises(RecordRefused, match="no_such_participant"):
        await match.edit(1, participantId=str(uuid.uuid4()))


async def test_a_participant_on_both_sides_is_refused(writers: Writers) -> None:
    match = await writers.match("United", "City")
    team = await writers.participant("Japan")
    await match.edit(1, participantId=str(team))
    with pytest.raises(RecordRefused, match="Japan is listed twice"):
        await match.edit(2, participantId=str(team))


async def test_a_side_keeps_somebody(writers: Writers) -> None:
    match = await writers.match("United", "City")
    with pytest.raises(RecordRefused, match="nobody"):
        await match.edit(1, label="")


async def test_a_mark_hides_what_it_forbids_and_gives_it_back(writers: Writers) -> None:
    """R13: a disqualification that is taken back on appeal; rank, mark and medal return everywhere."""
    match = await writers.match("United", "City")
    await match.edit(1, score="8.12", rank=1, medal="Gold")
    marked = await match.edit(1, status="DSQ", hides=ALL_OF_A_RESULT)
    side = await match.side(1)
    assert (side["status"], side["rank"], side["result"]) == ("DSQ", None, {})
    assert marked["touches"] == ["fixture", "medals"]
    cleared = await match.edit(1, status="", hides=[])
    side = await match.side(1)
    assert (side["status"], side["rank"]) == (None, 1)
    assert side["result"] == {"score": "8.12", "medal": "Gold"}
    assert side["held"] == {}
    assert cleared["touches"] == ["fixture", "medals"]


async def test_a_walkover_hides_the_score_and_keeps_the_rank(writers: Writers) -> None:
    """R2: score empty, not 0-0; the winner has rank 1, the loser rank 2."""
    match = await writers.match("United", "City")
    await match.edit(1, score="0")
    for number in (1, 2):
        await match.edit(number, rank=number, status="WO", hides=["eventRecord", "score", "worldRecord"])
    sides = [await match.side(1), await match.side(2)]
    assert [(s["rank"], s["status"], s["result"]) for s in sides] == [(1, "WO", {}), (2, "WO", {})]


async def test_a_value_sent_with_the_end_of_a_mark_stands_before_the_hidden_one(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, score="8.12", rank=1)
    await match.edit(1, status="DSQ", hides=ALL_OF_A_RESULT)
    await match.edit(1, status="", hides=[], rank=2)
    side = await match.side(1)
    assert (side["rank"], side["result"]) == (2, {"score": "8.12"})


async def test_a_hidden_value_that_is_cleared_does_not_come_back(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, medal="Gold", rank=1)
    await match.edit(1, status="DSQ", hides=ALL_OF_A_RESULT)
    await match.edit(1, medal="")
    await match.edit(1, status="", hides=[])
    assert (await match.side(1))["result"] == {}


async def test_an_official_result_changes_with_a_reason_alone_and_is_a_revision(writers: Writers) -> None:
    """R11: version 2, reason stored."""
    match = await writers.match("United", "City")
    await match.edit(1, score="2", rank=1)
    await match.write("status.set", status="COMPLETED", official=True)
    with pytest.raises(RecordRefused) as refused:
        await match.edit(1, score="3")
    assert refused.value.args == ("official", "Official results need a reason to change.")
    assert (await match.side(1))["result"] == {"score": "2"}
    await match.edit(1, score="3", reason="Video review")
    fixture = await match.row()
    assert (fixture["official"], fixture["revision"]) == (True, 2)
