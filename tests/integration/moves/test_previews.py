"""What a preview of a move says, and that it leaves nothing behind."""

from __future__ import annotations

from typing import Any

import pytest

from harness.arena import Arena
from harness.rival_courts import CallsToo, FailsOnThrees, NoThrees, ThreesCountFour, court, rival
from omnium_store.errors import NeedsBulk, NotFound, Refused


def by_key(answer: dict[str, Any], part: str) -> dict[str, tuple[Any, Any]]:
    return {one["key"]: (one["before"], one["after"]) for one in answer["differences"] if one["part"] == part}


async def test_a_preview_names_every_value_that_changes_and_writes_nothing(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    before = await arena.counts()
    answer = await mended.preview()
    assert await arena.counts() == before
    assert arena.bells == [None] * 3
    assert by_key(answer, "state") == {f"points.{arena.home}": (3, 4)}
    assert answer["counts"] == {"status": 0, "state": 1, "places": 0, "lines": 2, "conflicts": 0}
    assert [one for one in answer["differences"] if one["part"] == "lines"] == [
        {"part": "lines", "key": "points", "action": "court.tallies", "entry": arena.home,
         "before": 3, "after": 4},
        {"part": "lines", "key": "points", "action": "court.tallies", "entry": arena.home, "segment": "last",
         "before": 3, "after": 4},
    ]  # fmt: skip
    assert (answer["from"], answer["to"], answer["changed"], answer["dryRun"]) == (
        arena.host.identity.version,
        mended.host.identity.version,
        True,
        True,
    )
    assert (answer["events"], answer["seq"], answer["version"], len(answer["digest"])) == (3, None, 3, 64)
    assert [side["code"] for side in answer["sides"]] == ["HOM", "AWA"]


async def test_the_digest_stays_while_events_come_that_both_releases_count_alike(arena: Arena) -> None:
    mended = await rival(arena, court(ThreesCountFour))
    first = await mended.preview()
    await arena.point(worth=1)
    await arena.point(arena.away, worth=2)
    again = await mended.preview()
    assert again["digest"] == first["digest"]
    assert by_key(again, "state") == {f"points.{arena.home}": (4, 5)}
    await arena.point(worth=3)
    assert (await mended.preview())["digest"] != first["digest"]


async def test_a_number_that_only_the_new_release_knows_is_one_difference_however_it_grows(
    arena: Arena,
) -> None:
    richer = await rival(arena, court(CallsToo))
    first = await richer.preview()
    assert by_key(first, "state") == {"calls": (None, {"made": 3})}
    await arena.point(worth=1)
    assert (await richer.preview())["digest"] == first["digest"]


async def test_the_same_rules_under_another_version_change_nothing(arena: Arena) -> None:
    twin = await rival(arena, court())
    answer = await twin.preview()
    assert (answer["changed"], answer["differences"], answer["conflicts"]) == (True, [], [])


async def test_a_digest_is_of_one_match_and_one_pair_of_releases(arena: Arena) -> None:
    twin = await rival(arena, court())
    other = await rival(arena, court(), version="0.3.0+g000000000003", code_sha="3" * 64)
    assert (await twin.preview())["digest"] != (await other.preview())["digest"]


async def test_rules_that_would_refuse_a_logged_command_are_told_with_their_sentence(arena: Arena) -> None:
    stricter = await rival(arena, court(validations=NoThrees))
    answer = await stricter.preview()
    assert answer["conflicts"] == [
        {"seq": 2, "code": "court.point", "reason": "side_plays", "sentence": "A point is worth one or two."}
    ]
    assert answer["differences"] == []
    await arena.point(worth=3)
    assert (await stricter.preview())["digest"] != answer["digest"]


async def test_a_step_that_fails_on_the_log_is_a_refusal_and_no_crash(arena: Arena) -> None:
    broken = await rival(arena, court(FailsOnThrees))
    before = await arena.counts()
    with pytest.raises(Refused, match=r"court\.state failed at event 2 \(ZeroDivisionError: three\)") as no:
        await broken.preview()
    assert no.value.reason == "fold_failed"
    assert await arena.counts() == before


async def test_settings_that_the_release_can_not_read_are_a_refusal(arena: Arena) -> None:
    twin = await rival(arena, court())
    await arena.connection.execute("""UPDATE fixture SET format = '{"width": 3}'""")
    with pytest.raises(Refused, match="do not fit Court") as no:
        await twin.preview()
    assert no.value.reason == "format_misfit"


async def test_a_long_log_is_a_bulk_workers(arena: Arena) -> None:
    live = await rival(arena, court(), most_told_in_live=2)
    with pytest.raises(NeedsBulk):
        await live.preview()
    bulk = await rival(
        arena, court(), version="0.3.0+g000000000003", code_sha="3" * 64, lane="bulk", most_told_in_live=2
    )
    assert (await bulk.preview())["events"] == 3


async def test_what_can_not_be_moved_is_said(arena: Arena) -> None:
    twin = await rival(arena, court())
    with pytest.raises(NotFound):
        await twin.ask(dry_run=True, fixture="00000000-0000-4000-8000-000000000009")
    with pytest.raises(NotFound):
        await twin.ask(dry_run=True, fixture="final")
    card = await arena.world.fixture("card", competition=arena.competition, sport=arena.sport)
    with pytest.raises(Refused, match="typed") as no:
        await twin.ask(dry_run=True, fixture=card)
    assert no.value.reason == "scorecard"
    await arena.connection.execute("UPDATE fixture SET workflow = 'chess' WHERE id = $1", arena.fixture)
    with pytest.raises(Refused, match="has no rules for chess") as no:
        await twin.preview()
    assert no.value.reason == "no_such_workflow"
