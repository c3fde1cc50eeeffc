"""Forwarding: choice, retries, lanes, limits; over gRPC with workers that do as they are told."""

from __future__ import annotations

import asyncio
import time
import uuid
from pathlib import Path

import pytest

from harness.forwarding_road import NEW, OLD, Road, made_road
from harness.stand_in import StandIn, until
from omnium_proto import command_pb2
from omnium_router.identities import BULK, LIVE
from omnium_store.errors import (
    InternalError,
    NeedsBulk,
    OutOfTime,
    Overloaded,
    ReleaseUnavailable,
    ShuttingDown,
    WrongRelease,
)


async def test_a_command_goes_to_a_worker_of_its_release_and_its_answer_comes_back(road: Road) -> None:
    mine, other = StandIn(OLD), StandIn(NEW)
    await road.add(mine, other)

    assert await road.send("a") == {"accepted": True, "key": "a", "release": "1.0.0"}
    assert [request.key for request in mine.taken] == ["a"]
    assert mine.taken[0].release.code_sha == OLD.code_sha
    assert other.taken == []


async def test_without_a_ready_worker_the_release_is_named_and_workers_are_asked_for(road: Road) -> None:
    await road.add(StandIn(NEW))

    began = time.monotonic()
    with pytest.raises(ReleaseUnavailable) as refused:
        await road.send("a")

    assert refused.value.metadata == {"release": "1.0.0"}
    assert road.asked.of == [("1.0.0", LIVE)]
    assert time.monotonic() - began < 2


async def test_a_command_waits_a_moment_for_a_worker_that_is_coming(road: Road) -> None:
    worker = StandIn(OLD)
    sent = asyncio.create_task(road.send("a"))
    await asyncio.sleep(0.05)
    await road.add(worker)

    assert (await sent)["key"] == "a"


async def test_one_fixture_keeps_to_one_worker_and_many_spread(road: Road) -> None:
    workers = [StandIn(OLD), StandIn(OLD), StandIn(OLD)]
    await road.add(*workers)

    for number in range(12):
        await road.send(f"same-{number}")
    assert sorted(len(worker.taken) for worker in workers) == [0, 0, 12]

    for number in range(60):
        await road.send(f"other-{number}", affinity=uuid.uuid4().int)
    assert all(len(worker.taken) >= 5 for worker in workers)


async def test_a_busy_favourite_shares_with_its_neighbours(road: Road) -> None:
    workers = [StandIn(OLD), StandIn(OLD)]
    await road.add(*workers)
    gate = asyncio.Event()
    for worker in workers:
        worker.behave = lambda request: gate.wait()

    sent = [asyncio.create_task(road.send(f"k{number}")) for number in range(16)]
    await until(lambda: sum(worker.at_once for worker in workers) == 16)
    busy = sorted(worker.at_once for worker in workers)
    gate.set()
    await asyncio.gather(*sent)

    assert busy[0] >= 5


async def test_an_ejected_worker_comes_back_after_a_moment(road: Road) -> None:
    only = StandIn(OLD)
    await road.add(only)
    refusals = iter([True])

    async def refuse_once(request: command_pb2.ExecuteRequest) -> None:
        if next(refusals, False):
            raise ShuttingDown("Draining.")

    only.behave = refuse_once
    assert (await road.send("a"))["key"] == "a"
    assert len(only.taken) == 2


async def test_a_draining_worker_gets_nothing_new(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    await road.send("who")
    favourite = road.holder("who")
    assert favourite is not None
    road.renew(draining=favourite)

    for number in range(5):
        await road.send(f"k{number}")
    assert len(favourite.taken) == 1


async def test_a_worker_that_says_not_serving_gets_nothing_new(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    await first.say_no()
    await until(lambda: not road.is_ready(first))

    await road.send("a")
    assert [request.key for request in second.taken] == ["a"]


async def test_another_pin_is_taken_to_heart_and_the_command_sent_once_more(road: Road) -> None:
    old, new = StandIn(OLD), StandIn(NEW)
    await road.add(old, new)

    async def not_mine(request: command_pb2.ExecuteRequest) -> None:
        raise WrongRelease("2.0.0")

    old.behave = not_mine
    assert (await road.send("a"))["release"] == "2.0.0"
    assert new.taken[0].release.code_sha == NEW.code_sha


async def test_a_pin_that_moves_twice_is_not_chased(road: Road) -> None:
    old, new = StandIn(OLD), StandIn(NEW)
    await road.add(old, new)

    async def to_new(request: command_pb2.ExecuteRequest) -> None:
        raise WrongRelease("2.0.0")

    async def to_old(request: command_pb2.ExecuteRequest) -> None:
        raise WrongRelease("1.0.0")

    old.behave, new.behave = to_new, to_old
    with pytest.raises(ReleaseUnavailable):
        await road.send("a")
    assert (len(old.taken), len(new.taken)) == (1, 1)


async def test_what_needs_a_bulk_worker_goes_to_one_of_the_same_release(road: Road) -> None:
    live, bulk = StandIn(OLD), StandIn(OLD, lane=BULK)
    await road.add(live, bulk)

    async def too_long(request: command_pb2.ExecuteRequest) -> None:
        raise NeedsBulk("A long refold.")

    live.behave = too_long
    assert (await road.send("a"))["key"] == "a"
    assert [request.key for request in bulk.taken] == ["a"]


async def test_without_a_bulk_worker_one_is_asked_for(road: Road) -> None:
    live = StandIn(OLD)
    await road.add(live)

    async def too_long(request: command_pb2.ExecuteRequest) -> None:
        raise NeedsBulk("A long refold.")

    live.behave = too_long
    with pytest.raises(ReleaseUnavailable):
        await road.send("a")
    assert road.asked.of == [("1.0.0", BULK)]


async def test_a_reply_of_other_code_is_refused(road: Road) -> None:
    worker = StandIn(OLD)
    worker.code_sha = "other code"
    await road.add(worker)

    with pytest.raises(InternalError):
        await road.send("a")


async def test_the_deadline_ends_the_wait_and_takes_the_command_back(road: Road) -> None:
    worker = StandIn(OLD)
    await road.add(worker)

    async def hang(request: command_pb2.ExecuteRequest) -> None:
        await asyncio.sleep(60)

    worker.behave = hang
    with pytest.raises(OutOfTime):
        await road.send("a", deadline=time.monotonic() + 0.2)
    await until(lambda: worker.cancelled == ["a"])


async def test_a_client_that_goes_away_cancels_what_has_not_started(road: Road) -> None:
    worker = StandIn(OLD)
    await road.add(worker)

    async def hang(request: command_pb2.ExecuteRequest) -> None:
        await asyncio.sleep(60)

    worker.behave = hang
    sent = asyncio.create_task(road.send("a"))
    await until(lambda: worker.at_once == 1)
    sent.cancel()
    await until(lambda: worker.cancelled == ["a"])


async def test_a_worker_gets_no_more_than_it_can_take_and_the_rest_wait(road: Road) -> None:
    worker = StandIn(OLD, capacity=2)
    await road.add(worker)
    gate = asyncio.Event()
    worker.behave = lambda request: gate.wait()

    sent = [asyncio.create_task(road.send(f"k{number}")) for number in range(6)]
    await until(lambda: worker.at_once == 2)
    await asyncio.sleep(0.05)
    assert worker.at_once == 2
    gate.set()
    answers = await asyncio.gather(*sent)

    assert [answer["key"] for answer in answers] == [f"k{number}" for number in range(6)]
    assert worker.most_at_once == 2


async def test_past_the_queue_a_command_is_refused_at_once(tmp_path: Path) -> None:
    async with made_road(tmp_path, router_queue_per_pool=2) as road:
        worker, other = StandIn(OLD, capacity=1), StandIn(NEW)
        await road.add(worker, other)
        gate = asyncio.Event()
        worker.behave = lambda request: gate.wait()
        sent = [asyncio.create_task(road.send(f"k{number}")) for number in range(3)]
        await until(lambda: worker.at_once == 1)

        with pytest.raises(Overloaded):
            await road.send("one too many")
        assert (await road.send("elsewhere", release=NEW))["release"] == "2.0.0"
        gate.set()
        assert len(await asyncio.gather(*sent)) == 3


async def test_a_release_that_hangs_leaves_another_alone(road: Road) -> None:
    slow, quick = StandIn(OLD, capacity=2), StandIn(NEW)
    await road.add(slow, quick)
    slow.behave = lambda request: asyncio.sleep(60)
    stuck = [asyncio.create_task(road.send(f"s{n}")) for n in range(10)]
    await until(lambda: slow.at_once == 2)

    began = time.monotonic()
    for number in range(20):
        await road.send(f"q{number}", release=NEW)
    assert time.monotonic() - began < 1
    for task in stuck:
        task.cancel()
    await asyncio.gather(*stuck, return_exceptions=True)
