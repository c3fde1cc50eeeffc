"""Records of kind fixture.add: a fixture with its sides, pinned as it is made."""

from __future__ import annotations

import asyncio
import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from harness.postgres import Database
from harness.writers import RecordRefused, Writers

NEXT = "0.2.0+g000000000002"
TOMORROW = datetime.now(UTC) + timedelta(days=1)


def unit(code: str = "FBLM-01", **data: Any) -> dict[str, Any]:
    """A football match, scored by events, of the competition FBL."""
    return {
        "competition": "FBL",
        "code": code,
        "sport": "football",
        "fixtureType": "match",
        "archetype": "duel",
        "scoringMode": "events",
        "sides": [{"code": "united", "name": "United", "noc": "GBR"}, {"name": "City"}],
    } | data


async def added(writers: Writers, **data: Any) -> dict[str, Any]:
    """The row of the fixture that was added."""
    report = await writers.write("fixture.add", unit(**data))
    return await writers.row("SELECT * FROM fixture WHERE id = $1", uuid.UUID(report["value"]["fixtureId"]))


async def test_a_unit_comes_with_its_sides_in_order(writers: Writers) -> None:
    report = await writers.write(
        "fixture.add", unit(scheduledStart="2026-12-01T18:00:00+01:00", venue="Stadium", name="Semi-final 1")
    )
    fixture_id = report["value"]["fixtureId"]
    row = await writers.row("SELECT * FROM fixture WHERE id = $1", uuid.UUID(fixture_id))
    assert (row["code"], row["name"], row["venue"], row["status"]) == (
        "FBLM-01",
        "Semi-final 1",
        "Stadium",
        "SCHEDULED",
    )
    assert row["scheduled_start"] == datetime(2026, 12, 1, 17, tzinfo=UTC)
    assert (row["event_id"], row["competition_id"], row["workflow"]) == (
        writers.event,
        writers.competition,
        "football",
    )
    sides = report["value"]["sides"]
    assert [(s.get("code"), s["name"], s["position"]) for s in sides] == [
        ("united", "United", 1),
        (None, "City", 2),
    ]
    stored = await writers.connection.fetch(
        "SELECT id::text, noc FROM fixture_competitor WHERE fixture_id = $1 ORDER BY position", row["id"]
    )
    assert [(s["entry"], noc) for s, noc in zip(sides, ("GBR", None), strict=True)] == [
        tuple(r) for r in stored
    ]
    assert (report["touches"], report["counts"], report["fixtures"]) == (
        ["fixture"],
        {"added": 1},
        [fixture_id],
    )


async def test_an_events_mode_unit_is_pinned_to_the_default(writers: Writers) -> None:
    assert (await added(writers))["release_id"] == writers.release


async def test_a_scorecard_needs_no_default_and_has_no_pin(writers: Writers) -> None:
    await writers.connection.execute("DELETE FROM release_default")
    row = await added(writers, scoringMode="scorecard", archetype="ranking", fixtureType="final", sides=[])
    assert (row["release_id"], row["scoring_mode"], row["fixture_type"]) == (None, "scorecard", "final")


@pytest.mark.parametrize(
    ("start", "is_next"),
    [
        (TOMORROW - timedelta(hours=1), False),
        (TOMORROW + timedelta(hours=1), True),
        (datetime(1930, 7, 13, tzinfo=UTC), False),
        (None, False),
    ],
)
async def test_the_default_is_that_of_the_start_and_the_past_counts_as_now(
    writers: Writers, start: datetime | None, is_next: bool
) -> None:
    later = await writers.world.release(NEXT)
    await writers.program(later)
    await writers.world.default(later, sport=writers.sport, at=TOMORROW)
    sent = {} if start is None else {"scheduledStart": start.isoformat()}
    assert (await added(writers, **sent))["release_id"] == (later if is_next else writers.release)


async def test_the_nearest_competitions_default_wins(writers: Writers) -> None:
    canary = await writers.world.release(NEXT)
    await writers.program(canary)
    men = await writers.world.competition("FBLM", parent=writers.competition, sport=writers.sport)
    await writers.world.default(canary, sport=writers.sport, competition=men)
    assert (await added(writers, competition="FBLM"))["release_id"] == canary
    assert (await added(writers, code="FBLW-01"))["release_id"] == writers.release


async def test_without_a_default_nothing_is_made_and_the_way_out_is_said(writers: Writers) -> None:
    await writers.connection.execute("DELETE FROM release_default")
    with pytest.raises(RecordRefused) as refused:
        await writers.write("fixture.add", unit(scheduledStart="2126-01-01T00:00:00Z"))
    assert refused.value.args == (
        "no_default",
        (
            "No release is the default for football at 2126-01-01T00:00:00Z, so there are no rules to pin. "
            "Set one: omnium releases default VERSION --sport football."
        ),
    )
    assert await writers.connection.fetchval("SELECT count(*) FROM fixture") == 0


async def test_a_default_that_was_retired_meanwhile_is_not_pinned(
    writers: Writers, database: Database
) -> None:
    retiring = await database.connect()
    try:
        transaction = retiring.transaction()
        await transaction.start()
        await retiring.execute("SELECT 1 FROM plugin_release WHERE id = $1 FOR UPDATE", writers.release)
        adding = asyncio.create_task(writers.write("fixture.add", unit()))
        await asyncio.sleep(0.2)
        assert not adding.done()
        await retiring.execute("UPDATE plugin_release SET status = 'retired' WHERE id = $1", writers.release)
        await transaction.commit()
        with pytest.raises(RecordRefused, match="is retired"):
            await adding
    finally:
        await retiring.close()


async def test_a_default_without_rules_for_the_sport_is_refused(writers: Writers) -> None:
    await writers.connection.execute("DELETE FROM scoring_program_version")
    with pytest.raises(RecordRefused, match="has no rules for football"):
        await writers.write("fixture.add", unit())


async def test_a_unit_takes_the_values_of_its_format_and_its_own_stand_before_them(writers: Writers) -> None:
    await writers.connection.execute(
        "INSERT INTO format_config (code, sport_id, values) VALUES ('cup', $1, $2)",
        writers.sport, json.dumps({"extraTime": True, "subs": 5}),
    )  # fmt: skip
    row = await added(writers, formatCode="cup", format={"subs": 3})
    assert (row["format_code"], json.loads(row["format"])) == ("cup", {"extraTime": True, "subs": 3})


async def test_a_format_that_claims_the_scope_scores_the_unit_and_any_other_is_the_sports(
    writers: Writers,
) -> None:
    await writers.program(writers.release, "futsal", parent="football", scope=["indoor"])
    for code, scope in (("hall", "indoor"), ("grass", "outdoor")):
        await writers.connection.execute(
            "INSERT INTO format_config (code, sport_id, scope) VALUES ($1, $2, $3)",
            code,
            writers.sport,
            scope,
        )
    for mode in ("events", "scorecard"):
        hall = await added(writers, code=f"A-{mode}", formatCode="hall", scoringMode=mode)
        grass = await added(writers, code=f"B-{mode}", formatCode="grass", scoringMode=mode)
        assert (hall["workflow"], grass["workflow"]) == ("futsal", "football")


async def test_a_format_of_another_sport_or_none_at_all_is_refused(writers: Writers) -> None:
    await writers.connection.execute(
        "INSERT INTO format_config (code, sport_id) VALUES ('t20', $1)", await writers.world.sport("cricket")
    )
    for code in ("t20", "cup"):
        with pytest.raises(RecordRefused, match=f"There is no format {code} of football"):
            await writers.write("fixture.add", unit(formatCode=code))


async def test_a_setting_that_the_format_does_not_know_is_refused(writers: Writers) -> None:
    schema = {"additionalProperties": False, "properties": {"extraTime": {}, "subs": {}}}
    await writers.connection.execute("DELETE FROM scoring_program_version")
    await writers.program(writers.release, formatSchema=schema)
    with pytest.raises(RecordRefused) as refused:
        await writers.write("fixture.add", unit(format={"extraTime": True, "sbus": 3}))
    assert refused.value.args == (
        "no_such_setting",
        "The format of football has no setting sbus. It has: extraTime, subs.",
    )
    row = await added(writers, format={"extra_time": True, "subs": 3})
    assert json.loads(row["format"]) == {"extra_time": True, "subs": 3}


async def test_codes_are_single_in_the_event(writers: Writers) -> None:
    await writers.write("fixture.add", unit())
    with pytest.raises(RecordRefused) as refused:
        await writers.write("fixture.add", unit())
    assert refused.value.args == (
        "code_taken",
        "This event has a unit FBLM-01 already. Choose another code.",
    )


async def test_an_unknown_sport_competition_or_participant_is_refused(writers: Writers) -> None:
    with pytest.raises(RecordRefused, match=r"There is no sport handball here\. Known: football"):
        await writers.write("fixture.add", unit(sport="handball"))
    with pytest.raises(RecordRefused, match="This event has no competition HBL"):
        await writers.write("fixture.add", unit(competition="HBL"))
    with pytest.raises(RecordRefused, match="no_such_participant"):
        await writers.write(
            "fixture.add", unit(sides=[{"name": "Nobody", "participantId": str(uuid.uuid4())}])
        )


async def test_a_competition_of_another_sport_is_refused(writers: Writers) -> None:
    boxing = await writers.world.sport("boxing")
    await writers.world.competition("BOX", parent=writers.event, sport=boxing)
    with pytest.raises(RecordRefused, match="BOX is a competition of another sport than football"):
        await writers.write("fixture.add", unit(competition="BOX"))


async def test_a_unit_may_hang_below_the_event_itself(writers: Writers) -> None:
    assert (await added(writers, competition="games-2026"))["competition_id"] == writers.event
