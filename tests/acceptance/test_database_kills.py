"""kill -9 of PostgreSQL under load: nothing is answered that is not kept, and all goes on when it is back."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from harness.fleet import until
from harness.rivals import Rivals, assert_all_is_there, traffic_on_both
from harness.taps import open_desk, running
from omnium_store.embedded import EmbeddedServer

pytestmark = pytest.mark.xdist_group("rivals")

#: What a client may be told while the database is away or coming back.
WHILE_AWAY = {"database_away", "release_unavailable", "overloaded", "busy", "out_of_time", "shutting_down"}


def kill_postmaster(server: EmbeddedServer) -> int:
    """Its pid. Its backends see that it is gone and end."""
    postmaster = server.pid()
    assert postmaster
    os.kill(postmaster, signal.SIGKILL)
    return postmaster


async def test_postgresql_is_killed_in_the_middle_of_matches_of_two_releases(rivals: Rivals) -> None:
    server = EmbeddedServer(rivals.fleet.home.postgres)
    async with open_desk(rivals.fleet) as desk:
        on_old, on_new = await traffic_on_both(rivals, desk, "database")
        workers = {one.pid for one in rivals.state().processes}
        async with running(on_old, on_new):
            await asyncio.gather(on_old.more(10), on_new.more(10))
            restarts = rivals.state().database.restarts
            killed = kill_postmaster(server)
            await asyncio.to_thread(
                until, lambda: server.pid() not in (None, killed), "PostgreSQL runs again"
            )
            await asyncio.gather(on_old.more(20), on_new.more(20))
        for trouble in on_old.troubles + on_new.troubles:
            assert trouble.status == 503
            assert trouble.reason in WHILE_AWAY
            assert int(trouble.retry_after or 0) >= 1
        assert on_old.troubles
        assert on_new.troubles
        await asyncio.to_thread(until, lambda: rivals.state().database.restarts == restarts + 1, "it is told")
        assert {one.pid for one in rivals.state().processes} == workers  # nobody else had to start again
        await assert_all_is_there(rivals, desk, on_old, on_new)


async def test_postgresql_is_restarted_again_and_again(rivals: Rivals) -> None:
    server = EmbeddedServer(rivals.fleet.home.postgres)
    async with open_desk(rivals.fleet) as desk:
        on_old, on_new = await traffic_on_both(rivals, desk, "restarts")
        on_old.pause_s = on_new.pause_s = 0.0
        async with running(on_old, on_new):
            for _ in range(2):
                await asyncio.gather(on_old.more(5), on_new.more(5))
                killed = kill_postmaster(server)
                await asyncio.to_thread(
                    until, lambda gone=killed: server.pid() not in (None, gone), "PostgreSQL runs again"
                )
            await asyncio.gather(on_old.more(10), on_new.more(10))
        await assert_all_is_there(rivals, desk, on_old, on_new)
