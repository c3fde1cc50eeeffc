"""The rounds of the reconciler, against a backend that only counts."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from omnium_deploy.pools import PoolKey, PoolRules, Want
from omnium_deploy.reconciler import Reconciler
from omnium_store.errors import DatabaseAway

KEY = PoolKey("0.9.0")


class CountingBackend:
    """Has exactly what it was told."""

    def __init__(self) -> None:
        self.told: dict[PoolKey, int] = {}
        self.calls: list[tuple[PoolKey, int]] = []
        self.resized = asyncio.Event()

    async def sizes(self) -> Mapping[PoolKey, int]:
        return dict(self.told)

    async def resize(self, key: PoolKey, size: int) -> None:
        self.calls.append((key, size))
        self.resized.set()
        if size:
            self.told[key] = size
        else:
            del self.told[key]

    async def roll(self, key: PoolKey) -> None:
        raise AssertionError("nobody asked for a roll")

    async def close(self) -> None:
        self.told.clear()


class Script:
    """Wants, or the failure to know them, one a round; the last one stays."""

    def __init__(self, *rounds: list[Want] | Exception) -> None:
        self.rounds = list(rounds)
        self.failed = asyncio.Event()

    async def wants(self) -> list[Want]:
        now = self.rounds.pop(0) if len(self.rounds) > 1 else self.rounds[0]
        if isinstance(now, Exception):
            self.failed.set()
            raise now
        return now


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def reconciler(script: Script, backend: CountingBackend, clock: Clock) -> Reconciler:
    return Reconciler(script, backend, PoolRules(size=2, grace_s=30.0), clock=clock, every_s=3600.0)


async def test_a_wanted_pool_is_started_once() -> None:
    backend = CountingBackend()
    rounds = reconciler(Script([Want(KEY, "default of football")]), backend, Clock())
    await rounds.step()
    await rounds.step()
    assert backend.calls == [(KEY, 2)]
    assert [one.why for one in rounds.plans] == [("default of football",)]


async def test_a_pool_ends_after_the_grace_and_is_not_planned_any_more() -> None:
    backend, clock = CountingBackend(), Clock()
    rounds = reconciler(Script([Want(KEY, "default of football")], []), backend, clock)
    await rounds.step()
    await rounds.step()
    clock.now = 29.0
    await rounds.step()
    assert backend.calls == [(KEY, 2)]
    clock.now = 31.0
    await rounds.step()
    assert backend.calls == [(KEY, 2), (KEY, 0)]
    assert rounds.plans == []


async def test_the_grace_begins_anew_after_a_pool_was_wanted_again() -> None:
    backend, clock = CountingBackend(), Clock()
    wanted = [Want(KEY, "1 unfinished fixture")]
    rounds = reconciler(Script(wanted, [], wanted, []), backend, clock)
    for clock.now in (0.0, 10.0, 20.0, 39.0, 68.0):
        await rounds.step()
    assert backend.calls == [(KEY, 2)]
    clock.now = 70.0
    await rounds.step()
    assert backend.calls == [(KEY, 2), (KEY, 0)]


async def test_while_the_database_is_away_pools_stay_as_they_are() -> None:
    backend = CountingBackend()
    script = Script([Want(KEY, "default of football")], DatabaseAway("away"), [])
    rounds = reconciler(script, backend, Clock())
    await rounds.step()
    with pytest.raises(DatabaseAway):
        await rounds.step()
    assert backend.told == {KEY: 2}


async def test_rounds_go_on_after_the_database_was_away_and_begin_at_once_when_asked() -> None:
    backend = CountingBackend()
    script = Script(DatabaseAway("away"), [Want(KEY, "default of football")])
    rounds = reconciler(script, backend, Clock())
    running = asyncio.create_task(rounds.run())
    async with asyncio.timeout(5):
        await script.failed.wait()
        rounds.ask()
        await backend.resized.wait()
    running.cancel()
    assert backend.told == {KEY: 2}


async def test_a_round_that_broke_is_followed_by_the_next() -> None:
    backend = CountingBackend()
    script = Script(ValueError("a bug"), [Want(KEY, "default of football")])
    rounds = reconciler(script, backend, Clock())
    running = asyncio.create_task(rounds.run())
    async with asyncio.timeout(5):
        await script.failed.wait()
        rounds.ask()
        await backend.resized.wait()
    running.cancel()
    assert backend.told == {KEY: 2}
