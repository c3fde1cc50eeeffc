"""A live match moved in a whole fleet as a release manager does it, a long one by a worker started for it."""

from __future__ import annotations

import asyncio
import json
import subprocess
from typing import Any

import pytest

from harness.fleet import Match, accepted
from harness.proofs import assert_logs_prove
from harness.rivals import Rivals, corners
from harness.taps import open_desk, running

pytestmark = pytest.mark.xdist_group("rivals")

#: A live worker tells so many events again; more is a bulk worker's.
MOST_IN_LIVE = 200


def move(rivals: Rivals, match: Match, to: str, *flags: str) -> subprocess.CompletedProcess[str]:
    return rivals.fleet.omnium("releases", "move", match.fixture, "--to", to, *flags)


def preview(rivals: Rivals, match: Match, to: str) -> dict[str, Any]:
    """What a move would change."""
    ended = move(rivals, match, to, "--output", "json")
    assert ended.returncode == 1, ended.stderr  # there is nobody to ask
    shown: dict[str, Any] = json.loads(ended.stdout)
    return shown


def header(rivals: Rivals, match: Match) -> dict[str, Any]:
    return accepted(rivals.fleet.send(match, "goal", entry=match.home, kind="header", scorer="A. Quay"))


async def test_a_live_match_goes_on_under_the_other_release_while_it_is_scored(rivals: Rivals) -> None:
    fleet, old, new = rivals.fleet, rivals.old.version, rivals.new.version
    match, _ = await asyncio.to_thread(rivals.live_on_both)
    header(rivals, match)
    async with open_desk(fleet) as desk:
        traffic = corners(desk, match, "moving")
        traffic.pause_s = 0.1  # a log of 200 events would be another worker's
        async with running(traffic):
            await traffic.more(10)
            seen = await asyncio.to_thread(preview, rivals, match, new)
            assert {"part": "state", "key": f"goals.{match.home}", "before": 1, "after": 2} in seen[
                "differences"
            ]
            await traffic.more(10)
            flags = ("--yes", "--expect", seen["digest"], "--reason", "as it should have been")
            done = await asyncio.to_thread(move, rivals, match, new, *flags)
            assert done.returncode == 0, done.stderr
            await traffic.more(10)
    assert traffic.troubles == []
    releases = [answer["release"] for answer in traffic.answers.values()]
    assert releases == sorted(releases, key=[old, new].index)
    assert set(releases) == {old, new}
    assert header(rivals, match)["release"] == new
    board = fleet.board(match)
    assert (board["release"], board["state"]["goals"][match.home]) == (new, 4)
    await assert_logs_prove(fleet, new, [match.fixture])
    told = json.loads(fleet.omnium("releases", "audit", "--output", "json").stdout)
    entry = next(one for one in told if one["verb"] == "move")
    assert (entry["fixtureId"], entry["reason"]) == (match.fixture, "as it should have been")


async def test_a_long_log_is_told_by_a_worker_that_is_started_for_it(rivals: Rivals) -> None:
    fleet, new = rivals.fleet, rivals.new.version
    match, _ = await asyncio.to_thread(rivals.live_on_both)
    header(rivals, match)
    async with open_desk(fleet) as desk:
        traffic = corners(desk, match, "long")
        traffic.pause_s = 0.0
        async with running(traffic):
            await traffic.more(MOST_IN_LIVE + 10)
    seen = await asyncio.to_thread(preview, rivals, match, new)
    assert seen["events"] > MOST_IN_LIVE
    done = await asyncio.to_thread(move, rivals, match, new, "--yes", "--expect", seen["digest"])
    assert done.returncode == 0, done.stderr
    assert header(rivals, match)["release"] == new
    assert fleet.board(match)["state"]["goals"][match.home] == 4
    await assert_logs_prove(fleet, new, [match.fixture])
