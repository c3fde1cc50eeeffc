"""Records of kind competition.add."""

from __future__ import annotations

import uuid

import pytest

from harness.writers import RecordRefused, Writers


async def test_a_competition_hangs_below_the_event_where_no_parent_is_named(writers: Writers) -> None:
    report = await writers.write("competition.add", {"code": "FBLM", "name": "Men", "sport": "football"})
    row = await writers.row(
        "SELECT * FROM competition WHERE id = $1", uuid.UUID(report["value"]["competitionId"])
    )
    assert (row["event_id"], row["parent_id"], row["sport_id"]) == (
        writers.event,
        writers.event,
        writers.sport,
    )
    assert (row["code"], row["name"], row["timezone"]) == ("FBLM", "Men", None)
    assert (report["counts"], report["value"]["code"], report["fixtures"]) == ({"added": 1}, "FBLM", [])


async def test_a_competition_has_the_sport_of_its_parent(writers: Writers) -> None:
    await writers.write("competition.add", {"code": "FBLM", "name": "Men", "parent": "FBL"})
    row = await writers.row("SELECT * FROM competition WHERE code = 'FBLM'")
    assert (row["parent_id"], row["sport_id"]) == (writers.competition, writers.sport)


async def test_the_events_own_code_names_its_root(writers: Writers) -> None:
    await writers.write("competition.add", {"code": "AQU", "name": "Aquatics", "parent": "games-2026"})
    row = await writers.row("SELECT * FROM competition WHERE code = 'AQU'")
    assert (row["parent_id"], row["sport_id"]) == (writers.event, None)


async def test_codes_are_single_in_the_event(writers: Writers) -> None:
    for code in ("FBL", "games-2026"):
        with pytest.raises(RecordRefused) as refused:
            await writers.write("competition.add", {"code": code, "name": "Again"})
        assert refused.value.args == (
            "code_taken",
            f"This event has a competition {code} already. Choose another code.",
        )


async def test_an_unknown_parent_and_an_unknown_sport_are_refused(writers: Writers) -> None:
    with pytest.raises(RecordRefused, match="This event has no competition HBL"):
        await writers.write("competition.add", {"code": "HBLM", "name": "Men", "parent": "HBL"})
    with pytest.raises(RecordRefused) as refused:
        await writers.write("competition.add", {"code": "HBL", "name": "Handball", "sport": "handball"})
    assert refused.value.args == (
        "no_such_sport",
        (
            "There is no sport handball here. Known: football. "
            "Others come with a release that has them: omnium releases register."
        ),
    )


async def test_games_is_a_subject_and_no_sport(writers: Writers) -> None:
    with pytest.raises(RecordRefused, match="There is no sport games here"):
        await writers.write("competition.add", {"code": "G", "name": "Games", "sport": "games"})


async def test_a_competition_of_another_sport_than_its_parent_is_refused(writers: Writers) -> None:
    await writers.world.sport("boxing")
    with pytest.raises(RecordRefused, match="FBL is a competition of another sport than boxing"):
        await writers.write(
            "competition.add", {"code": "BOX", "name": "Boxing", "parent": "FBL", "sport": "boxing"}
        )
