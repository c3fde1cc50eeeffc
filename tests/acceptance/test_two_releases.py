"""Two releases of the rules side by side: a match keeps the rules that it was created with, to the end."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from harness.editions import OLDER_CONTRACT, edition
from harness.fleet import Match, RunningFleet, accepted
from harness.proofs import assert_logs_prove
from harness.rivals import Rivals
from harness.taps import Traffic, open_desk, running

pytestmark = pytest.mark.xdist_group("rivals")

#: What a header is worth under the old rules and under the new ones.
OLD_WORTH, NEW_WORTH = 1, 2


def header(fleet: RunningFleet, match: Match) -> dict[str, Any]:
    return accepted(fleet.send(match, "goal", entry=match.home, kind="header", scorer="A. Quay"))


def play_out(fleet: RunningFleet, match: Match) -> dict[str, Any]:
    """To the final whistle; the last answer."""
    for code, given in (("half_end", {}), ("half_start", {"period": "2H"}), ("half_end", {})):
        accepted(fleet.send(match, code, **given))
    return accepted(fleet.send(match, "match_end"))


def home_goals(fleet: RunningFleet, match: Match) -> int:
    goals: int = fleet.board(match)["state"]["goals"][match.home]
    return goals


def make_default(fleet: RunningFleet, version: str) -> None:
    done = fleet.omnium("releases", "default", version, "--sport", "football", "--yes")
    assert done.returncode == 0, done.stderr


def log_of(fleet: RunningFleet, match: Match) -> list[dict[str, Any]]:
    with fleet.client() as client:
        items: list[dict[str, Any]] = client.get(f"/subjects/fixture/{match.fixture}/log")["value"]["items"]
    return items


def card_of(fleet: RunningFleet, version: str) -> dict[str, Any]:
    shown = fleet.omnium("releases", "show", version, "--output", "json")
    assert shown.returncode == 0, shown.stderr
    card: dict[str, Any] = json.loads(shown.stdout)
    return card


async def test_a_release_that_comes_while_matches_are_live_is_only_for_those_created_after_it(
    rivals: Rivals,
) -> None:
    fleet, old, new = rivals.fleet, rivals.old.version, rivals.new.version
    early = await asyncio.to_thread(rivals.match)
    accepted(fleet.send(early, "match_start", home=early.home, away=early.away))
    async with open_desk(fleet) as desk:
        headers = Traffic(
            desk, early.fixture, "football.goal", ({"entry": early.home, "kind": "header"},), "header",
            pause_s=0.1,
        )  # fmt: skip
        async with running(headers):
            await headers.more(3)
            await asyncio.to_thread(rivals.register, rivals.new.flows, new)
            await asyncio.to_thread(make_default, fleet, new)
            late = await asyncio.to_thread(rivals.match)
            await asyncio.to_thread(rivals.until_serving, new)
            await headers.more(3)
    assert headers.troubles == []
    assert {answer["release"] for answer in headers.answers.values()} == {old}

    accepted(fleet.send(late, "match_start", home=late.home, away=late.away))
    early_before, late_before = home_goals(fleet, early), 0
    for number in range(1, 4):  # both in flight, one after the other
        assert (header(fleet, early)["release"], header(fleet, late)["release"]) == (old, new)
        assert home_goals(fleet, early) == early_before + number * OLD_WORTH
        assert home_goals(fleet, late) == late_before + number * NEW_WORTH
    assert early_before == len(headers.taps) * OLD_WORTH

    for match, version in ((early, old), (late, new)):
        assert play_out(fleet, match)["release"] == version
        board = fleet.board(match)
        assert (board["release"], board["status"]) == (version, "COMPLETED")
        assert {row["release"] for row in log_of(fleet, match) if row["unit"] == "event"} == {version}
        await assert_logs_prove(fleet, version, [match.fixture])


def test_a_changed_helper_without_a_changed_component_gives_another_code_sha(rivals: Rivals) -> None:
    rivals.register(rivals.new.flows, rivals.new.version)
    old, new = (card_of(rivals.fleet, pair.version) for pair in (rivals.old, rivals.new))
    checksums = [{one["workflow"]: one["checksum"] for one in card["programs"]} for card in (old, new)]
    assert checksums[0].keys() == {"football", "games", "results"}
    assert checksums[0] == checksums[1]  # no component differs
    assert (old["codeSha"], new["codeSha"]) == (rivals.old.code_sha, rivals.new.code_sha)
    assert old["codeSha"] != new["codeSha"]
    assert old["contractSha"] == new["contractSha"]


def test_a_match_keeps_the_contract_that_its_release_was_proven_with(rivals: Rivals, tmp_path: Path) -> None:
    """The platform's own contract is a newer one than the pinned release's: the match does not notice."""
    fleet, elder = rivals.fleet, edition(tmp_path, OLDER_CONTRACT)
    assert elder.contract_sha != rivals.old.contract_sha
    rivals.register(elder.flows, elder.version)
    ours, theirs = rivals.match(rivals.old.version), rivals.match(elder.version)
    rivals.until_serving(elder.version)
    for match, version, said in (
        (ours, rivals.old.version, "The match has not kicked off."),
        (theirs, elder.version, "The match has not kicked off. (by the older contract)"),
    ):
        answer = fleet.send(match, "goal", entry=match.home, kind="header")
        assert (answer["refusal"], answer["message"], answer["release"]) == ("rejected", said, version)
    with fleet.client() as client:
        pools = {pool["release"]: pool for pool in client.get("/fleet")["pools"]}
    for pair in (rivals.old, elder):
        told = {worker["contractSha"] for worker in pools[pair.version]["workers"]}
        assert told == {pair.contract_sha}
