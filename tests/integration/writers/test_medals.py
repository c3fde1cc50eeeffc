"""Records of kind medals.set, and the table that is read from them."""

from __future__ import annotations

import json
from typing import Any

from harness.writers import Writers
from omnium_store import read_models


async def stored(writers: Writers, noc: str, origin: str = "typed") -> tuple[int | None, ...] | None:
    """Gold, silver, bronze and place as they were typed or imported."""
    row = await writers.connection.fetchrow(
        """SELECT gold, silver, bronze, place FROM medal_count
           WHERE event_id = $1 AND noc = $2 AND origin = $3""",
        writers.event, noc, origin,
    )  # fmt: skip
    return None if row is None else tuple(row)


async def typed(writers: Writers, noc: str, **numbers: int) -> dict[str, Any]:
    """The report of a person's numbers."""
    return await writers.write("medals.set", {"noc": noc, **numbers})


async def table(writers: Writers) -> list[dict[str, Any]]:
    """The rows of games.medals."""
    async with writers.connection.transaction():
        reading = await read_models.read(writers.connection, "games.medals", {"event": "games-2026"})
    return [json.loads(row.value) for row in reading.rows]


async def test_numbers_of_a_country_are_typed_one_by_one(writers: Writers) -> None:
    await typed(writers, "JPN", gold=3, silver=2)
    report = await typed(writers, "JPN", bronze=1)
    assert await stored(writers, "JPN") == (3, 2, 1, None)
    assert report == {
        "touches": ["medals"],
        "counts": {"updated": 1},
        "value": {"noc": "JPN", "gold": 3, "silver": 2, "bronze": 1},
        "notes": [],
        "fixtures": [],
    }


async def test_zero_is_a_number(writers: Writers) -> None:
    await typed(writers, "JPN", gold=0)
    assert await stored(writers, "JPN") == (0, None, None, None)


async def test_a_cleared_number_is_given_back_to_the_feed(writers: Writers) -> None:
    await writers.write("medals.set", {"noc": "JPN", "gold": 2, "silver": 2}, source="integration")
    await typed(writers, "JPN", gold=3)
    assert [(r["gold"], r["silver"]) for r in await table(writers)] == [(3, 2)]
    await writers.write("medals.set", {"noc": "JPN", "clears": ["gold"]})
    assert await stored(writers, "JPN") is None
    assert [(r["gold"], r["silver"]) for r in await table(writers)] == [(2, 2)]


async def test_an_import_goes_beside_what_was_typed_and_says_what_it_kept(writers: Writers) -> None:
    await typed(writers, "JPN", gold=3)
    report = await writers.write("medals.set", {"noc": "JPN", "gold": 9, "silver": 1}, source="integration")
    assert await stored(writers, "JPN", "imported") == (9, 1, None, None)
    assert report["counts"] == {"updated": 1, "kept": 1}
    assert [(r["gold"], r["silver"]) for r in await table(writers)] == [(3, 1)]


async def test_equal_medals_share_a_rank_and_the_next_is_skipped(writers: Writers) -> None:
    """G1 and G2: CHN 5; JPN and KOR 3/2/1 rank 2, 2; IND 3/2/0 rank 4; three of 0/1/4 rank 5, then 8."""
    await typed(writers, "CHN", gold=5)
    for noc in ("KOR", "JPN"):
        await typed(writers, noc, gold=3, silver=2, bronze=1)
    await typed(writers, "IND", gold=3, silver=2, bronze=0)
    for noc in ("UZB", "IRI", "THA"):
        await typed(writers, noc, gold=0, silver=1, bronze=4)
    await typed(writers, "MAS", bronze=1)
    assert [(r["noc"], r["rank"]) for r in await table(writers)] == [
        ("CHN", 1),
        ("JPN", 2),
        ("KOR", 2),
        ("IND", 4),
        ("IRI", 5),
        ("THA", 5),
        ("UZB", 5),
        ("MAS", 8),
    ]


async def test_golds_rank_first_and_totals_in_their_own_column(writers: Writers) -> None:
    """G16: 4/0/0 before 3/9/9; only the rank by total differs."""
    await typed(writers, "CHN", gold=4)
    await typed(writers, "JPN", gold=3, silver=9, bronze=9)
    assert [(r["noc"], r["rank"], r["rankTotal"]) for r in await table(writers)] == [
        ("CHN", 1, 2),
        ("JPN", 2, 1),
    ]


async def test_a_typed_place_is_the_place(writers: Writers) -> None:
    await typed(writers, "CHN", gold=4)
    await typed(writers, "JPN", gold=3, place=1)
    assert [(r["noc"], r["rank"]) for r in await table(writers)] == [("CHN", 1), ("JPN", 1)]
