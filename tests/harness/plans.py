"""Query plans: a statement that is run for every command or screen may never read a whole table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from omnium_store.database import Connection

#: Tables that grow with the matches that are played.
LARGE = frozenset(
    {
        "fixture",
        "fixture_competitor",
        "fixture_competitor_rank",
        "timeline_item",
        "timeline_actor",
        "scoreboard",
        "scoring_checkpoint",
        "stat_value",
        "refused_command",
        "domain_event",
        "stat_job",
        "participant",
        "event_entry",
    }
)


async def assert_uses_index(
    connection: Connection,
    statement: str,
    args: Sequence[Any] = (),
    *,
    tables: frozenset[str] = LARGE,
) -> list[str]:
    """Fail if the plan reads one of `tables` from end to end; returns the indices that it uses.

    Sequential scans are made dear first, so that the few rows of a test do not make them worth while.
    """
    async with connection.transaction():
        await connection.execute("SET LOCAL enable_seqscan = off")
        explained = await connection.fetchval(f"EXPLAIN (FORMAT JSON, COSTS off) {statement}", *args)
    nodes = list(_nodes(json.loads(explained)[0]["Plan"]))
    scanned = sorted({node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"} & tables)
    assert not scanned, f"reads all of {', '.join(scanned)}:\n{explained}"
    return sorted({node["Index Name"] for node in nodes if "Index Name" in node})


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", ()):
        yield from _nodes(child)
