"""Records of kind fixture.sides.add and fixture.sides.remove."""

from __future__ import annotations

import uuid

import pytest

from harness.writers import RecordRefused, Writers


async def test_a_side_takes_the_first_free_position(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.write("sides.remove", side=str(match.sides[0]))
    report = await match.write("sides.add", name="Rovers", code="ROV", noc="JPN")
    added = report["value"]["side"]
    assert (added["code"], added["name"], added["position"]) == ("ROV", "Rovers", 1)
    assert report["value"]["fixtureId"] == str(match.id)
    assert (report["touches"], report["counts"]) == (["fixture"], {"added": 1})
    row = await writers.row("SELECT * FROM fixture_competitor WHERE id = $1", uuid.UUID(added["entry"]))
    assert (row["noc"], row["pinned"]) == ("JPN", ["name", "noc", "participant_id"])


async def test_the_others_keep_their_positions_when_a_side_goes(writers: Writers) -> None:
    match = await writers.match("United", "City")
    report = await match.write("sides.remove", side=str(match.sides[0]))
    assert (await match.side(2))["position"] == 2
    assert (report["touches"], report["counts"]) == (["fixture"], {"removed": 1})


async def test_a_medal_that_goes_with_its_side_touches_the_medals(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, medal="Gold")
    report = await match.write("sides.remove", side=str(match.sides[0]))
    assert report["touches"] == ["fixture", "medals"]


async def test_a_duel_has_two_sides(writers: Writers) -> None:
    match = await writers.match("United", "City")
    with pytest.raises(RecordRefused) as refused:
        await match.write("sides.add", name="Rovers")
    assert refused.value.args == ("two_sides", "A duel has two sides.")


async def test_a_taken_position_is_refused_with_its_holder(writers: Writers) -> None:
    match = await writers.match("United")
    with pytest.raises(RecordRefused, match=r"Position 1 is United's\. Choose a free one"):
        await match.write("sides.add", name="City", position=1)


async def test_a_code_or_participant_in_the_fixture_is_listed_once(writers: Writers) -> None:
    match = await writers.match("United")
    with pytest.raises(RecordRefused, match="United is listed twice"):
        await match.write("sides.add", name="Uni", code="UNI")
    team = await writers.participant("Japan")
    await match.edit(1, participantId=str(team))
    with pytest.raises(RecordRefused, match="Japan is listed twice"):
        await match.write("sides.add", name="Nippon", participantId=str(team))


async def test_an_unknown_participant_is_not_invented(writers: Writers) -> None:
    match = await writers.match("United")
    with pytest.raises(RecordRefused, match="no_such_participant"):
        await match.write("sides.add", name="City", participantId=str(uuid.uuid4()))


async def test_sides_stay_once_an_event_is_logged(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    await writers.world.log_row(match.id, 1, "football.lineup", {})
    for kind, data in (("sides.remove", {"side": str(match.sides[0])}), ("sides.add", {"name": "Rovers"})):
        with pytest.raises(RecordRefused, match="events_logged"):
            await match.write(kind, **data)


async def test_sides_stay_while_the_result_is_official(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.write("status.set", status="COMPLETED", official=True)
    with pytest.raises(RecordRefused, match="The result is official"):
        await match.write("sides.remove", side=str(match.sides[0]))


async def test_a_side_of_another_fixture_is_not_removed(writers: Writers) -> None:
    match = await writers.match("United", "City")
    other = await writers.match("Rovers", "Albion", code="M2")
    with pytest.raises(RecordRefused, match="no_such_side"):
        await match.write("sides.remove", side=str(other.sides[0]))
