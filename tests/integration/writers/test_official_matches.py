"""A match that was scored by events is made official: its places, its medals, the medal table."""

from __future__ import annotations

from typing import Any

import orjson

from harness.arena import Arena
from harness.office import medal_table


async def finished(arena: Arena) -> Arena:
    """The match, won by Home with 1000 points."""
    await arena.started()
    for worth, confirm in ((99, ("is_ordinary",)),) * 11:
        answer = await arena.point(worth=worth, confirm=confirm)
        if answer["fixtureStatus"] == "COMPLETED":
            return arena
    raise AssertionError("the match goes on")


async def decided(arena: Arena, *medals: str) -> dict[str, Any]:
    """The answer to making the match official, with these medals for Home and Away."""
    for entry, medal in zip((arena.home, arena.away), medals, strict=True):
        typed = await arena.send("results.edit_side", input={"side": entry, "medal": medal})
        assert typed["accepted"], typed
    return await arena.send("results.set_status", input={"status": "OFFICIAL"})


async def test_medals_of_a_match_that_was_scored_by_events_must_fit_the_places_of_its_log(
    arena: Arena,
) -> None:
    """No rank was typed: Home is first because its log says so."""
    await finished(arena)
    wrong = await decided(arena, "Silver", "Gold")
    assert (wrong["refusal"], wrong["reason"], wrong["message"]) == (
        "rejected",
        "medals_fit_the_ranks",
        "Medals do not fit the ranks: rank 1 is gold.",
    )
    right = await decided(arena, "Gold", "Silver")
    assert (right["accepted"], right["touches"]) == (True, ["fixture", "medals"])
    assert await medal_table(arena) == {"HOM": (1, 0, 0), "AWA": (0, 1, 0)}
    assert await arena.problems() == ()


async def test_the_places_of_a_log_are_no_facts_of_its_fold(arena: Arena) -> None:
    await finished(arena)
    facts = await arena.connection.fetchval("SELECT fixture_facts_v1($1)", arena.fixture)
    assert [side["rank"] for side in orjson.loads(facts)["sides"]] == [None, None]
    placed = await arena.connection.fetchval("SELECT placed_facts_v1($1)", arena.fixture)
    assert [side["rank"] for side in orjson.loads(placed)["sides"]] == [1, 2]
    before, after = orjson.loads(facts), orjson.loads(placed)
    assert {**before, "sides": None} == {**after, "sides": None}


async def test_a_draw_is_a_shared_place_and_gives_two_golds(arena: Arena) -> None:
    await finished(arena)
    await arena.connection.execute("UPDATE fixture_competitor_rank SET rank = 1, shared = true")
    assert (await decided(arena, "Gold", "Silver"))["reason"] == "medals_fit_the_ranks"
    assert (await decided(arena, "Gold", "Gold"))["accepted"]
    assert await medal_table(arena) == {"HOM": (1, 0, 0), "AWA": (1, 0, 0)}


async def test_a_typed_rank_stands_before_the_place_and_a_mark_leaves_none(arena: Arena) -> None:
    await finished(arena)
    await arena.send("results.edit_side", input={"side": arena.home, "status": "DSQ"})
    assert (await arena.send("results.set_status", input={"status": "OFFICIAL"}))["reason"] == "ranks_run"
    await arena.send("results.edit_side", input={"side": arena.away, "rank": 1})
    assert (await decided(arena, "", "Gold"))["accepted"]
    assert await medal_table(arena) == {"AWA": (1, 0, 0)}


async def test_medals_leave_the_table_with_the_official_mark_whoever_takes_it(arena: Arena) -> None:
    await finished(arena)
    assert (await decided(arena, "Gold", "Silver"))["accepted"]
    taken = await arena.send("results.set_status", input={"status": "COMPLETED", "reason": "Protest"})
    assert (taken["accepted"], taken["touches"]) == (True, ["fixture", "medals"])
    assert await medal_table(arena) == {}
    assert await arena.problems() == ()


async def test_an_event_that_changes_where_a_match_with_medals_stands_touches_the_table(arena: Arena) -> None:
    await arena.started()
    await arena.send("results.edit_side", input={"side": arena.home, "medal": "Gold"})
    assert (await arena.point())["touches"] == ["fixture"]
    for _ in range(11):
        answer = await arena.point(worth=99, confirm=("is_ordinary",))
        if answer["fixtureStatus"] == "COMPLETED":
            break
    assert answer["touches"] == ["fixture", "medals"]
    told = await arena.connection.fetchval("SELECT payload FROM domain_event ORDER BY id DESC LIMIT 1")
    assert orjson.loads(told)["touches"] == ["fixture", "medals"]


async def test_a_medal_that_goes_to_another_country_touches_the_table(arena: Arena) -> None:
    await finished(arena)
    await decided(arena, "Gold", "Silver")
    person = await arena.connection.fetchval(
        "INSERT INTO participant (event_id, name, noc) VALUES ($1, 'Ali', 'QAT') RETURNING id", arena.event
    )
    change = {"side": arena.home, "participantId": str(person), "reason": "Protest"}
    answer = await arena.send("results.edit_side", input=change)
    assert answer["touches"] == ["fixture", "medals"]
    assert await medal_table(arena) == {"QAT": (1, 0, 0), "AWA": (0, 1, 0)}
