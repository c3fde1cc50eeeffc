"""kill -9 of workers, router and supervisor under load: nothing lost or doubled, neighbours undisturbed."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from harness.fleet import omnium, until
from harness.proofs import assert_each_once, assert_logs_prove
from harness.rivals import Rivals, assert_all_is_there, corners, traffic_on_both
from harness.taps import AWAY, open_desk, running

pytestmark = pytest.mark.xdist_group("rivals")


async def test_all_workers_of_one_release_are_killed_in_the_middle_of_a_match(rivals: Rivals) -> None:
    async with open_desk(rivals.fleet) as desk:
        on_old, on_new = await traffic_on_both(rivals, desk, "kill")
        version = rivals.new.version
        on_new.pause_s = 0.0  # so that a command is under way whenever they die
        async with running(on_old, on_new):
            await on_new.more(20)
            killed = rivals.kill(version)
            assert len(killed) == 2
            await on_new.more(1)  # it came back
            await asyncio.to_thread(rivals.until_serving, version, but=killed)
            await asyncio.gather(on_new.more(20), on_old.more(20))
        assert on_new.troubles
        for trouble in on_new.troubles:
            assert (trouble.status, trouble.reason) == (503, "release_unavailable")
            assert trouble.body["release"] == version
            assert version in trouble.body["detail"]
            assert int(trouble.retry_after or 0) >= 1
        assert on_old.troubles == []
        assert max(on_old.times) < max(on_new.times) / 2  # it did not wait for the others' workers
        await assert_all_is_there(rivals, desk, on_old, on_new)


async def test_workers_that_are_killed_again_and_again_cost_no_command(rivals: Rivals) -> None:
    """Each kill hits commands in flight: who was on a dying worker by chance is never refused for it."""
    async with open_desk(rivals.fleet) as desk:
        version = rivals.old.version
        matches = await asyncio.gather(*(asyncio.to_thread(rivals.live_match, version) for _ in range(3)))
        traffics = [
            corners(desk, match, f"storm-{number}-{client}")
            for number, match in enumerate(matches)
            for client in range(3)
        ]
        for traffic in traffics:
            traffic.pause_s = 0.0
        async with running(*traffics):
            for _ in range(2):
                await asyncio.gather(*(traffic.more(3) for traffic in traffics))
                killed = rivals.kill(version)
                await asyncio.to_thread(rivals.until_serving, version, but=killed)
            await asyncio.gather(*(traffic.more(3) for traffic in traffics))
        troubles = [trouble for traffic in traffics for trouble in traffic.troubles]
        assert {(trouble.status, trouble.reason) for trouble in troubles} <= {(503, "release_unavailable")}
        refused = [
            answer for traffic in traffics for answer in traffic.answers.values() if not answer["accepted"]
        ]
        assert refused == []
        for traffic in traffics:
            await assert_each_once(desk, traffic, version)
        await assert_logs_prove(rivals.fleet, version, [match.fixture for match in matches])


async def test_the_router_is_killed(rivals: Rivals) -> None:
    async with open_desk(rivals.fleet) as desk:
        on_old, on_new = await traffic_on_both(rivals, desk, "router")
        async with running(on_old, on_new):
            await asyncio.gather(on_old.more(10), on_new.more(10))
            killed = await asyncio.to_thread(rivals.fleet.kill, "router")
            await asyncio.gather(on_old.more(20), on_new.more(20))
        assert on_old.troubles + on_new.troubles
        # a client sees no router, or one that has not found the workers yet
        assert {one.status for one in on_old.troubles + on_new.troubles} <= {AWAY, 503}
        await asyncio.to_thread(rivals.fleet.until_ready, but=killed)
        await assert_all_is_there(rivals, desk, on_old, on_new)


async def test_the_supervisor_is_killed_and_up_goes_on(rivals: Rivals) -> None:
    home, fleet = rivals.fleet.home, rivals.fleet
    async with open_desk(fleet) as desk:
        on_old, on_new = await traffic_on_both(rivals, desk, "supervisor")
        async with running(on_old, on_new):
            await asyncio.gather(on_old.more(10), on_new.more(10))
            os.kill(fleet.endpoints.pid, signal.SIGKILL)
            again = await asyncio.to_thread(omnium, "up", "--home", home.root, "--port", "0", "--detach")
            assert again.returncode == 0, again.stderr
            await asyncio.gather(on_old.more(10), on_new.more(10))
        await asyncio.to_thread(fleet.until_ready)
        await assert_all_is_there(rivals, desk, on_old, on_new)
        versions = {rivals.old.version, rivals.new.version}
        until(
            lambda: {pool.version for pool in rivals.state().pools} >= versions, "both pools are kept again"
        )
