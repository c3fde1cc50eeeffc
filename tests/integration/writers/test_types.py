"""Records of kind fixture.type.set: another type, what it can't hold, and what was confirmed of that."""

from __future__ import annotations

from typing import Any

import pytest

from harness.writers import Match, RecordRefused, Writers
from omnium_flows.results import Results
from omnium_flows.results.commands import ChangeTypeInput


def asked(archetype: str, *confirm: str, fixture_type: str = "match") -> dict[str, Any]:
    """The record as the flows give it."""
    sent = {"archetype": archetype, "fixtureType": fixture_type, "confirm": confirm}
    [record] = Results().type_changes(ChangeTypeInput.model_validate(sent), None)  # type: ignore[arg-type]
    return dict(record.data)


async def change(match: Match, archetype: str, *confirm: str, **told: Any) -> dict[str, Any]:
    return await match.write("type.set", **asked(archetype, *confirm, **told))


async def look(match: Match, archetype: str, *confirm: str) -> dict[str, Any]:
    """What a dry run says."""
    return await match.writers.write(
        "fixture.type.set", asked(archetype, *confirm), fixture=match.id, is_dry_run=True
    )


async def type_of(match: Match) -> tuple[str, str]:
    row = await match.row()
    return row["archetype"], row["fixture_type"]


async def ranking(writers: Writers, *sides: str, **told: Any) -> Match:
    match = await writers.match(*sides, **told)
    await writers.connection.execute("UPDATE fixture SET archetype = 'ranking' WHERE id = $1", match.id)
    return match


async def test_a_type_that_holds_everything_asks_for_nothing(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, rank=1, score="3", medal="Gold")
    await match.edit(2, rank=2, score="1", medal="Silver")
    report = await change(match, "ranking", fixture_type="final")
    assert await type_of(match) == ("ranking", "final")
    assert report["value"] == {
        "fixtureId": str(match.id),
        "before": {"archetype": "duel", "fixtureType": "match"},
        "after": {"archetype": "ranking", "fixtureType": "final"},
        "removed": [],
        "unconfirmed": [],
    }
    assert (report["counts"], report["touches"], report["fixtures"]) == (
        {"updated": 1}, ["fixture"], [str(match.id)],
    )  # fmt: skip
    assert (await match.row())["pinned"] == ["archetype", "fixture_type"]
    assert (await match.side(1))["result"] == {"score": "3", "medal": "Gold"}


async def test_a_dry_run_lists_every_rank_place_score_and_medal_that_can_not_stay(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim")
    await match.edit(1, rank=3, score="1:52.30", medal="Bronze")
    await match.edit(2, rank=1, score="8.12", medal="Gold")
    await match.place(4, 1)
    report = await look(match, "duel")
    ito, kim = match.sides
    assert [(one["confirm"], one["message"]) for one in report["value"]["unconfirmed"]] == [
        (f"rank:{ito}:3", "Ito: rank 3, but the last rank of a duel is 2."),
        (f"place:{ito}:4", "Ito: place 4, but the last place of a duel is 2."),
        (f"score:{ito}:1:52.30", "Ito: 1:52.30 is a time, which a duel does not have."),
        (f"medal:{ito}:Bronze", "Ito: Bronze at rank 3, which wins no medal in a duel."),
        (f"score:{kim}:8.12", "Kim: 8.12 is a distance or a height, which a duel does not have."),
    ]
    assert [note["field"] for note in report["notes"]] == ["confirm"] * 5
    assert report["counts"] == {"updated": 1, "unconfirmed": 5}


async def test_the_real_one_is_refused_while_anything_is_not_confirmed(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim")
    await match.edit(1, rank=3, score="1:52.30")
    seen = [one["confirm"] for one in (await look(match, "duel"))["value"]["unconfirmed"]]
    for confirmed in ([], seen[:1], [f"rank:{match.sides[0]}:4", seen[1]]):
        with pytest.raises(RecordRefused) as no:
            await change(match, "duel", *confirmed)
        assert no.value.args[0] == "unconfirmed"
    assert "Ito: rank 3, but the last rank of a duel is 2." in no.value.args[1]
    assert await type_of(match) == ("ranking", "match")
    assert (await match.side(1))["rank"] == 3


async def test_what_was_confirmed_goes_and_nothing_else(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim")
    await match.edit(1, rank=3, shared=True, score="1:52.30", medal="Bronze", qualified=True)
    await match.edit(2, rank=1, score="12", medal="Gold")
    await match.place(3, 1)
    seen = [one["confirm"] for one in (await look(match, "duel"))["value"]["unconfirmed"]]
    spare = f"score:{match.sides[1]}:12"  # which a duel can hold, so it stays
    report = await change(match, "duel", *seen, spare)
    assert (report["counts"], report["touches"]) == (
        {"updated": 1, "removed": 4}, ["fixture", "medals"],
    )  # fmt: skip
    assert [one["value"] for one in report["value"]["removed"]] == ["3", "3", "1:52.30", "Bronze"]
    ito, kim = await match.side(1), await match.side(2)
    assert (ito["rank"], ito["result"], ito["pinned"]) == (None, {"qualified": True}, ["result"])
    assert (kim["rank"], kim["result"]) == (1, {"score": "12", "medal": "Gold"})
    assert [ito["name"], kim["name"]] == ["Ito", "Kim"]
    places = await writers.connection.fetch("SELECT fixture_competitor_id FROM fixture_competitor_rank")
    assert [row[0] for row in places] == [match.sides[1]]
    assert await type_of(match) == ("duel", "match")


async def test_an_import_may_fill_what_was_taken_away(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim")
    await match.edit(1, rank=3, score="1:52.30")
    seen = [one["confirm"] for one in (await look(match, "duel"))["value"]["unconfirmed"]]
    await change(match, "duel", *seen)
    assert (await match.side(1))["pinned"] == []
    await match.edit(1, "integration", rank=2, score="0")
    assert ((await match.side(1))["rank"], (await match.side(1))["result"]) == (2, {"score": "0"})


async def test_what_a_mark_hides_is_found_as_well(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim")
    await match.edit(1, rank=3, score="1:52.30")
    await match.edit(1, status="DSQ", hides=["rank", "score"])
    assert (await match.side(1))["rank"] is None
    seen = [one["confirm"] for one in (await look(match, "duel"))["value"]["unconfirmed"]]
    assert len(seen) == 2
    await change(match, "duel", *seen)
    await match.edit(1, status="", hides=[])
    assert ((await match.side(1))["rank"], (await match.side(1))["result"]) == (None, {})


@pytest.mark.parametrize(
    ("archetype", "rank", "medal", "fits"),
    [
        ("duel", 1, "Gold", True),
        ("duel", 1, "Bronze", True),
        ("duel", 2, "Bronze", True),
        ("duel", 2, "Gold", False),
        ("ranking", 1, "Bronze", False),
        ("ranking", 2, "Bronze", False),
        ("ranking", 3, "Bronze", True),
        ("ranking", 4, "Bronze", False),
    ],
)
async def test_a_medal_stays_where_its_rank_wins_it_under_the_new_type(
    writers: Writers, archetype: str, rank: int, medal: str, fits: bool
) -> None:
    match = await (writers.match if archetype == "ranking" else ranking_of(writers))("Ito", "Kim")
    await match.edit(1, rank=rank, medal=medal)
    found = (await look(match, archetype))["value"]["unconfirmed"]
    assert [one["field"] for one in found if one["field"] == "medal"] == ([] if fits else ["medal"])


def ranking_of(writers: Writers) -> Any:
    async def made(*sides: str) -> Match:
        return await ranking(writers, *sides)

    return made


@pytest.mark.parametrize(
    ("archetype", "score", "fits"),
    [
        *(("duel", score, True) for score in ("3", "3 (4)", "6-4 7-6", "120/4 (18.3)", "won", "12")),
        *(("duel", score, False) for score in ("1:52.30", "2:03:04", "8.12", "8,12", " 9.58 ")),
        *(("ranking", score, True) for score in ("3", "1:52.30", "8.12", "8,12", "NH", "105")),
        *(
            ("ranking", score, False)
            for score in ("3 (4)", "3(4)", "6-4", "6-4 7-6", "120/4", "120/4 (18.3)")
        ),
    ],
)
async def test_a_score_stays_where_the_new_type_has_scores_that_look_like_it(
    writers: Writers, archetype: str, score: str, fits: bool
) -> None:
    match = await (writers.match if archetype == "ranking" else ranking_of(writers))("Ito", "Kim")
    await match.edit(1, score=score)
    assert bool((await look(match, archetype))["value"]["unconfirmed"]) is not fits


async def test_a_match_with_any_log_row_keeps_its_type(writers: Writers) -> None:
    match = await writers.match("United", "City", mode="events")
    assert (await change(match, "ranking"))["counts"] == {"updated": 1}
    await change(match, "duel")
    await writers.world.log_row(match.id, 1, "results.edit_side", {})
    with pytest.raises(RecordRefused, match="This match has a log") as no:
        await change(match, "ranking")
    assert no.value.args[0] == "events_logged"
    card = await writers.match("Ito", "Kim", code="M2")
    await writers.world.log_row(card.id, 1, "results.edit_side", {})
    assert (await change(card, "ranking"))["counts"] == {"updated": 1}


async def test_a_duel_has_room_for_two_sides(writers: Writers) -> None:
    match = await ranking(writers, "Ito", "Kim", "Lee")
    with pytest.raises(RecordRefused, match=r"this unit has 3\. Remove the others first") as no:
        await change(match, "duel")
    assert no.value.args[0] == "two_sides"
    await match.write("sides.remove", side=str(match.sides[2]))
    assert (await change(match, "duel"))["counts"] == {"updated": 1}


async def test_an_official_result_keeps_its_type(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await writers.world.official(match.id)
    with pytest.raises(RecordRefused, match="The result is official") as no:
        await change(match, "ranking")
    assert no.value.args[0] == "official"


async def test_a_type_that_the_workflow_does_not_name_is_refused(writers: Writers) -> None:
    await writers.connection.execute(
        """UPDATE scoring_program_version
           SET document = '{"code": "football", "fixtureTypes": ["match", "heat"]}'"""
    )
    match = await writers.match("United", "City")
    with pytest.raises(RecordRefused, match="It is one of: match, heat") as no:
        await change(match, "ranking", fixture_type="race")
    assert no.value.args[0] == "no_such_type"
    assert (await change(match, "ranking", fixture_type="heat"))["counts"] == {"updated": 1}


async def test_the_type_that_it_has_changes_nothing(writers: Writers) -> None:
    match = await writers.match("United", "City")
    await match.edit(1, rank=7)  # which a duel can't hold; nobody asked
    report = await change(match, "duel")
    assert (report["counts"], report["fixtures"]) == ({"kept": 1}, [])
