"""Releases that do what rules must not: it costs their command or their process, and nobody else a thing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from harness.fleet import Match, until
from harness.playground import Playground, open_playground
from harness.proofs import assert_each_once, assert_logs_prove, log_rows
from harness.rivals import Rivals, corners
from harness.taps import Desk, open_desk, percentile, running
from omnium_worker.memory import EXIT_STATUS

pytestmark = pytest.mark.xdist_group("rivals")

QUIET_S = 4.0
#: How far p99 of a release may move while another one misbehaves: machines that test are busy, and few
#: samples make it a maximum. What it must catch is waiting for the other release's three seconds.
FACTOR, FLOOR_S = 5.0, 0.25


@pytest.fixture(scope="module")
def playground(rivals: Rivals, tmp_path_factory: pytest.TempPathFactory) -> Playground:
    return open_playground(rivals, tmp_path_factory.mktemp("playground"))


@pytest.fixture
def match(playground: Playground) -> Match:
    return playground.live_match()


@pytest.fixture
async def desk(rivals: Rivals) -> AsyncIterator[Desk]:
    async with open_desk(rivals.fleet) as opened:
        yield opened


def pids(playground: Playground) -> set[int | None]:
    return {one.pid for one in playground.rivals.workers(playground.version)}


async def assert_still_scores(
    playground: Playground, desk: Desk, match: Match, before: set[int | None]
) -> None:
    """The same processes serve, and the match goes on with its next number."""
    points = playground.points(desk, match, "after")
    answer = await points.tap()
    assert (answer["accepted"], answer["seq"]) == (
        True,
        len(await log_rows(playground.rivals.fleet, match.fixture)),
    )
    assert points.troubles == []
    assert pids(playground) == before


@pytest.mark.parametrize("kind", ["loop", "stubborn"])
async def test_a_rule_that_loops_in_python_costs_its_command_a_refusal(
    kind: str, playground: Playground, match: Match, desk: Desk
) -> None:
    before, began = pids(playground), time.monotonic()
    answer = await desk.insist(playground.mischief(match, kind))
    assert (answer["accepted"], answer["refusal"], answer["reason"]) == (
        False,
        "over_budget",
        "tally.mischief",
    )
    assert time.monotonic() - began < 3
    await assert_still_scores(playground, desk, match, before)


@pytest.mark.parametrize("kind", ["raise", "socket", "write", "thread"])
async def test_a_rule_that_raises_or_reaches_for_the_machine_has_failed(
    kind: str, playground: Playground, match: Match, desk: Desk
) -> None:
    before, version = pids(playground), playground.version
    told = len(playground.rivals.logged(version, "component.refused"))
    answer = await desk.insist(playground.mischief(match, kind))
    assert (answer["accepted"], answer["refusal"], answer["release"]) == (False, "failed", version)
    await assert_still_scores(playground, desk, match, before)
    refused = playground.rivals.logged(version, "component.refused")[told:]
    assert [line["component"] for line in refused] == ([] if kind == "raise" else ["tally.mischief"])
    assert not Path("/tmp/omnium-should-not-exist").exists()  # noqa: ASYNC240  # a moment


async def test_what_a_rule_prints_is_logged_with_its_key(
    playground: Playground, match: Match, desk: Desk
) -> None:
    assert (await desk.insist(playground.mischief(match, "print")))["accepted"]

    def said() -> bool:
        lines = playground.rivals.logged(playground.version, "component.said")
        return ("tally.mischief", "hello from a rule") in {(one["component"], one["text"]) for one in lines}

    await asyncio.to_thread(until, said, "it is logged")


async def test_a_loop_in_c_costs_its_pool_three_seconds_and_its_key_a_refusal_and_bystanders_nothing(
    playground: Playground, match: Match, desk: Desk, rivals: Rivals
) -> None:
    elsewhere = await asyncio.to_thread(rivals.live_match, rivals.old.version)
    others = [playground.live_match() for _ in range(3)]
    bystanders = [playground.points(desk, other, f"by-{n}") for n, other in enumerate(others)]
    football = corners(desk, elsewhere, "football")
    before, tap = pids(playground), playground.mischief(match, "c_loop")
    async with running(football, *bystanders):
        await asyncio.gather(*(one.more(5) for one in bystanders))
        began = time.monotonic()
        answer = await desk.insist(tap)
        took = time.monotonic() - began
        await asyncio.gather(*(one.more(5) for one in bystanders))
    assert (answer["refusal"], answer["reason"]) == ("over_budget", "stopped_workers")
    assert took < 25  # twice three seconds, and the starts of workers on a busy machine
    assert pids(playground).isdisjoint(before)
    assert football.troubles == []
    again = await desk.ask(tap)
    assert (again.body["refusal"], again.seconds < 1) == ("over_budget", True)
    for one in bystanders:
        assert {(t.status, t.reason) for t in one.troubles} <= {(503, "release_unavailable")}
        assert all(answer["accepted"] for answer in one.answers.values())
        await assert_each_once(desk, one, playground.version)
    await assert_logs_prove(rivals.fleet, playground.version, [other.fixture for other in (*others, match)])


async def test_a_leak_costs_its_process(
    playground: Playground, match: Match, desk: Desk, rivals: Rivals
) -> None:
    version = playground.version
    rivals.until_serving(version)
    restarts = sum(one.restarts for one in rivals.workers(version))
    other = playground.live_match()
    bystander = playground.points(desk, other, "by")
    async with running(bystander):
        until_it_leaks = time.monotonic() + 30
        while sum(one.restarts for one in rivals.workers(version)) == restarts:
            assert time.monotonic() < until_it_leaks
            answer = await desk.insist(playground.mischief(match, "leak"))
            assert not answer["accepted"]
        await bystander.more(5)
    assert EXIT_STATUS in {one.last_exit for one in rivals.workers(version)}
    await asyncio.to_thread(rivals.until_serving, version)
    await assert_each_once(desk, bystander, version)
    await assert_logs_prove(rivals.fleet, version, [other.fixture])


async def test_p99_of_another_release_stays_as_it_was(
    playground: Playground, match: Match, desk: Desk, rivals: Rivals
) -> None:
    quiet_match, loud_match = [
        await asyncio.to_thread(rivals.live_match, rivals.old.version) for _ in range(2)
    ]
    await asyncio.to_thread(rivals.until_serving, playground.version)
    quiet, loud = corners(desk, quiet_match, "quiet"), corners(desk, loud_match, "loud")
    async with running(quiet):
        await asyncio.sleep(QUIET_S)
    async with running(loud):
        until_it_is_over = time.monotonic() + QUIET_S
        while time.monotonic() < until_it_is_over:
            await asyncio.gather(
                *(desk.insist(playground.mischief(match, kind)) for kind in ("loop", "stubborn", "raise"))
            )
        await desk.insist(playground.mischief(match, "c_loop"))
    assert quiet.troubles + loud.troubles == []
    assert all(answer["accepted"] for answer in loud.answers.values())
    before, after = (percentile(one.times, 0.99) for one in (quiet, loud))
    assert after < FACTOR * before + FLOOR_S, f"p99 {before * 1000:.0f} ms, then {after * 1000:.0f} ms"
