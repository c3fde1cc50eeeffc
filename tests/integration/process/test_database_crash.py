"""PostgreSQL is killed under a worker and comes back: so does the worker's work."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path

import grpc
import pytest

from harness.wheels import make_release
from harness.workers import RunningWorker, add_fixture, command, register_release, worker_process
from omnium_proto import command_pb2
from omnium_store.embedded import EmbeddedServer
from omnium_store.migrations import migrate


def kill(server: EmbeddedServer) -> None:
    pid = server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    while server.is_running():
        time.sleep(0.05)


async def until_answered(worker: RunningWorker, request: command_pb2.ExecuteRequest) -> bool:
    """Send it with one key until it is answered; whether it had been accepted before."""
    async with asyncio.timeout(20):
        while True:
            try:
                return bool((await worker.execute(request)).duplicate)
            except grpc.aio.AioRpcError as error:
                assert error.code() == grpc.StatusCode.UNAVAILABLE, error.details()  # noqa: PT017
                await asyncio.sleep(0.1)


@pytest.mark.slow
async def test_a_worker_outlives_a_crash_of_its_database(
    private_server: EmbeddedServer, tmp_path: Path
) -> None:
    dsn = private_server.dsn()
    await migrate(dsn)
    release = make_release(tmp_path / "wheels")
    release_id = await register_release(dsn, release, tmp_path)
    fixture, (home, _) = await add_fixture(dsn, release_id, workflow="tally")
    begin, add = command(fixture, "tally.begin"), command(fixture, "tally.add", {"entry": home})
    async with worker_process(dsn, tmp_path, release.version) as worker:
        assert (await worker.execute(begin)).accepted
        await asyncio.to_thread(kill, private_server)
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await worker.execute(add)
        assert raised.value.code() == grpc.StatusCode.UNAVAILABLE
        await asyncio.to_thread(private_server.start)
        assert not await until_answered(worker, add)
        assert await until_answered(worker, begin)
        assert await until_answered(worker, add)
        assert len(worker.logged("worker.new_epoch")) == 1
        await asyncio.sleep(2.5)  # a heartbeat
        worker.terminate()
        assert await worker.ended() == 0
        assert worker.logged("worker.lease_left_behind") == []
