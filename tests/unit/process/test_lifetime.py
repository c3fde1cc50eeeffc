"""What runs beside a body ends with it, and takes it along when it fails."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from omnium_worker.lifetime import Lifetime, beside
from omnium_worker.memory import EXIT_STATUS, Memory


class LeakyMemory(Memory):
    """A process that leaks."""

    def is_leaking(self) -> bool:
        return True


async def test_what_runs_beside_ends_with_the_body() -> None:
    ended = asyncio.Event()

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with beside(forever()):
        await asyncio.sleep(0)
    assert ended.is_set()


async def test_one_that_fails_ends_the_body() -> None:
    async def fails() -> None:
        raise RuntimeError("as asked")

    with pytest.raises(ExceptionGroup, match="TaskGroup") as raised:
        async with beside(fails()):
            await asyncio.wait_for(asyncio.Event().wait(), 5)
    assert isinstance(raised.value.exceptions[0], RuntimeError)


async def test_a_leak_ends_the_process_well_but_not_as_a_success() -> None:
    lifetime = Lifetime(LeakyMemory(1))
    await lifetime.watch_memory()
    assert lifetime.stop.is_set()
    assert lifetime.status == EXIT_STATUS


async def test_a_signal_asks_for_the_end() -> None:
    lifetime = Lifetime(Memory(0))
    lifetime.heed_signals()
    try:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(lifetime.stop.wait(), 5)
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().remove_signal_handler(number)
    assert lifetime.status == 0
