"""Plans of the statements that run for every command: indices only, whatever the tables hold."""

from __future__ import annotations

import re
from importlib.resources import files

from harness.arena import Arena
from harness.plans import LARGE


async def test_no_command_scans_a_table_that_grows(arena: Arena) -> None:
    found = await scanned(arena, "SET enable_seqscan = off")
    assert found == {}


async def test_a_scan_would_have_been_counted(arena: Arena) -> None:
    assert "timeline_item" in await scanned(arena, "SET enable_indexscan = off; SET enable_bitmapscan = off")


async def scanned(arena: Arena, settings: str) -> dict[str, int]:
    """Which large tables commands of every kind read from end to end, under planner settings.

    Few rows do not make an index worth while, so the settings make the other way dear.
    """
    await arena.connection.execute("SELECT pg_stat_reset()")
    async with arena.pool.acquire() as one:  # the pool gives the same one again to whoever comes next
        await one.execute(settings)
    await arena.started()
    await arena.point()
    await arena.send("desk.edit_side", input={"side": arena.home, "score": "1"})
    await arena.connection.execute("UPDATE scoreboard SET code_sha = 'other'")
    await arena.point()
    async with arena.pool.acquire() as one:
        await one.execute("SELECT pg_stat_force_next_flush()")
    counted = await arena.connection.fetch("SELECT relname, seq_scan FROM pg_stat_user_tables")
    own = {"scoreboard"}  # the update above
    return {r["relname"]: r["seq_scan"] for r in counted if r["seq_scan"] and r["relname"] in LARGE - own}


def test_each_statement_of_the_road_is_one_function_call() -> None:
    text = (files("omnium_worker") / "sql" / "road.sql").read_text()
    assert sorted(set(re.findall(r"[a-z_]+_v\d+(?=\()", text))) == [
        "close_apply_v1",
        "close_fold_v1",
        "open_v1",
        "refuse_v1",
        "unit_terms_v1",
    ]
