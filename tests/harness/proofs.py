"""What a log must prove in the end: no gap, each key once, and what is stored comes out of it again."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import asyncpg

from harness.fleet import DEADLINE_S, RunningFleet
from harness.taps import Desk, Traffic
from omnium_releases.isolation import isolated_environment

_PROGRAM: Final = Path(__file__).with_name("fold_again.py")


async def log_rows(fleet: RunningFleet, fixture: str) -> list[asyncpg.Record]:
    """The rows of a fixture's log: seq, unit, code, key, version of the release."""
    connection = await asyncpg.connect(fleet.endpoints.database)
    try:
        return await connection.fetch(
            """SELECT t.seq, t.unit, t.event_type AS code, t.idempotency_key AS key, r.version AS release
               FROM timeline_item t JOIN plugin_release r ON r.id = t.release_id
               WHERE t.stream_id = $1::uuid ORDER BY t.seq""",
            fixture,
        )
    finally:
        await connection.close()


def folded_again(fleet: RunningFleet, version: str, fixtures: Iterable[str]) -> dict[str, Any]:
    """Each fixture of a release folded from nothing: rows, events, and what differs from what is stored."""
    return folded_in(fleet.endpoints.database, version, fixtures, cache=fleet.home.cache)


def folded_in(dsn: str, version: str, fixtures: Iterable[str], *, cache: Path) -> dict[str, Any]:
    """The same in a database without a fleet; `cache` is where the release may be unpacked."""
    done = subprocess.run(
        [sys.executable, "-P", "-s", str(_PROGRAM), dsn, version, str(cache), *fixtures],
        env=isolated_environment(),
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


async def assert_each_once(desk: Desk, traffic: Traffic, version: str) -> None:
    """Every key of the traffic, sent again, is a duplicate of one row; all events are of one release."""
    rows = await log_rows(desk.fleet, traffic.fixture)
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert {row["release"] for row in rows if row["unit"] == "event"} == {version}
    by_key: Mapping[str, int] = {row["key"]: row["seq"] for row in rows}
    assert len(by_key) == len(rows)
    again = await asyncio.gather(*(desk.insist(tap) for tap in traffic.taps))
    for tap, answer in zip(traffic.taps, again, strict=True):
        assert answer["accepted"], (tap, answer)
        first = traffic.answers.get(tap.key)  # none of one that was cut off by the end of the traffic
        if first is not None:
            assert (answer["duplicate"], answer["seq"]) == (True, by_key[tap.key]), (tap, answer)
            assert (first["accepted"], first["seq"], first["release"]) == (True, answer["seq"], version), (
                tap,
                first,
            )


async def assert_logs_prove(fleet: RunningFleet, version: str, fixtures: Iterable[str]) -> None:
    """A fold of each log from nothing equals what is stored."""
    found = await asyncio.to_thread(folded_again, fleet, version, list(fixtures))
    assert {fixture: one["problems"] for fixture, one in found.items() if one["problems"]} == {}
    assert all(one["rows"] for one in found.values())
