"""Forwarding: retries, ejection, suspects, lanes, limits; over gRPC with workers that do as they are told."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from harness.stand_in import StandIn, release, until
from omnium_proto import command_pb2
from omnium_router.fleet import Fleet
from omnium_router.forwarding import Forwarding, Parcel
from omnium_router.identities import BULK, LIVE, CommandIdentity, ReleaseRef
from omnium_router.metrics import Metrics
from omnium_router.poisoned import Suspects
from omnium_router.settings import RouterSettings
from omnium_store.errors import (
    InternalError,
    NeedsBulk,
    OutOfTime,
    Overloaded,
    ReleaseUnavailable,
    ShuttingDown,
    WrongRelease,
)

OLD = release("1.0.0")
NEW = release("2.0.0")
FIXTURE = uuid.UUID("8d2e4f60-1a3b-4c5d-8e9f-0a1b2c3d4e5f")


class NoPins:
    """Knows two releases."""

    async def correct(self, fixture: uuid.UUID | None, version: str) -> ReleaseRef:
        return {"1.0.0": OLD, "2.0.0": NEW}[version]


@dataclass
class Asked:
    """Start requests that were made."""

    of: list[tuple[str, str]] = field(default_factory=list)

    def ask(self, asked: ReleaseRef, lane: str, reason: str) -> None:
        self.of.append((asked.version, lane))


@dataclass
class Road:
    """A router's forwarding and the fleet behind it."""

    fleet: Fleet
    forwarding: Forwarding
    suspects: Suspects
    asked: Asked
    workers: list[StandIn]

    async def add(self, *workers: StandIn) -> None:
        for worker in workers:
            await worker.start()
        self.workers += workers
        self.renew()
        await until(lambda: all(self.is_ready(worker) for worker in workers))

    def renew(self, *, draining: StandIn | None = None) -> None:
        self.fleet.take([worker.lease(draining=worker is draining) for worker in self.workers])

    def is_ready(self, worker: StandIn) -> bool:
        pool = self.fleet.pool(worker.release, worker.lane)
        return worker.id in pool.workers and pool.workers[worker.id].is_ready

    def holder(self, key: str) -> StandIn | None:
        return next((w for w in self.workers if any(r.key == key for r in w.taken)), None)

    async def send(self, key: str, **changes: Any) -> dict[str, Any]:
        reply = await self.forwarding.forward(parcel(key, **changes))
        answer: dict[str, Any] = json.loads(reply.answer)
        return answer


def parcel(key: str, *, seconds: float = 5.0, **changes: Any) -> Parcel:
    made = Parcel(
        request=command_pb2.ExecuteRequest(code="football.goal", key=key, input=b"{}"),
        identity=CommandIdentity("person:ada", f"fixture/{FIXTURE}", key),
        fixture=FIXTURE,
        affinity=FIXTURE.int,
        release=OLD,
        lane=LIVE,
        deadline=time.monotonic() + seconds,
    )
    return replace(made, **changes)


@asynccontextmanager
async def made_road(tmp_path: Path, **settings: Any) -> AsyncIterator[Road]:
    chosen = RouterSettings(
        database_url="postgresql://nowhere/none", home=tmp_path, **{"router_ejection_ms": 200, **settings}
    )
    metrics = Metrics()
    suspects = Suspects(clock=time.monotonic, ttl_s=600)
    fleet = Fleet(chosen, fleet_key="key", suspects=suspects, metrics=metrics)
    asked = Asked()
    forwarding = Forwarding(
        fleet,
        NoPins(),  # type: ignore[arg-type]  # the one question that forwarding asks of pins
        suspects,
        pool_requests=asked,  # type: ignore[arg-type]  # writes to a list instead of a table
        metrics=metrics,
        wait_for_worker_s=chosen.router_wait_for_worker_ms / 1000,
    )
    road = Road(fleet, forwarding, suspects, asked, [])
    try:
        yield road
    finally:
        await fleet.close()
        for worker in road.workers:
            await worker.die()


@pytest.fixture(params=["multiplex", "unary"])
async def road(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Road]:
    async with made_road(tmp_path, router_link=request.param) as made:
        yield made


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


async def test_a_worker_that_dies_costs_no_command_while_another_lives(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    hang = asyncio.Event()

    async def die(request: command_pb2.ExecuteRequest) -> None:
        if not hang.is_set():
            hang.set()
            await asyncio.sleep(60)

    first.behave = second.behave = die
    sent = asyncio.create_task(road.send("a"))
    await hang.wait()
    holder = road.holder("a")
    assert holder is not None
    await holder.die()

    assert (await sent)["key"] == "a"
    assert len(first.taken) == len(second.taken) == 1


async def test_a_worker_that_shuts_down_is_left_alone_and_the_command_goes_elsewhere(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)

    async def refuse(request: command_pb2.ExecuteRequest) -> None:
        raise ShuttingDown("Draining.")

    await road.send("who")
    favourite = road.holder("who")
    assert favourite is not None
    other = second if favourite is first else first
    favourite.behave = refuse

    for number in range(5):
        await road.send(f"k{number}")
    assert len(favourite.taken) == 2  # once well, once refused, then ejected
    assert len(other.taken) == 5
    assert len(road.suspects) == 0


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


async def test_a_command_that_stops_workers_is_refused_after_the_second_and_reaches_no_third(
    road: Road,
) -> None:
    workers = [StandIn(OLD) for _ in range(4)]
    await road.add(*workers)
    deaths: set[asyncio.Task[None]] = set()

    def deadly(worker: StandIn) -> Callable[[command_pb2.ExecuteRequest], Any]:
        async def behave(request: command_pb2.ExecuteRequest) -> None:
            if request.key == "poison":
                deaths.add(asyncio.create_task(worker.die()))
                await asyncio.sleep(60)
            await asyncio.sleep(0.05)

        return behave

    for worker in workers:
        worker.behave = deadly(worker)
    bystanders = [asyncio.create_task(road.send(f"good-{number}")) for number in range(16)]
    answer = await road.send("poison")
    answers = await asyncio.gather(*bystanders)

    assert (answer["accepted"], answer["refusal"], answer["reason"]) == (
        False,
        "over_budget",
        "stopped_workers",
    )
    assert sum(any(r.key == "poison" for r in worker.taken) for worker in workers) == 2
    assert all(one["accepted"] for one in answers)
    again = await road.send("poison")
    assert again["refusal"] == "over_budget"
    assert sum(any(r.key == "poison" for r in worker.taken) for worker in workers) == 2
    await asyncio.gather(*deaths)


async def test_suspects_are_tried_one_at_a_time_and_the_innocent_are_cleared(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    gate = asyncio.Event()
    first.behave = second.behave = lambda request: gate.wait()
    sent = [asyncio.create_task(road.send(f"k{number}", affinity=number)) for number in range(12)]
    await until(lambda: first.at_once + second.at_once == 12)
    victims = first.at_once
    second.behave = lambda request: asyncio.sleep(0.01)
    await first.die()
    gate.set()
    answers = await asyncio.gather(*sent)

    assert victims > 0
    assert all(answer["accepted"] for answer in answers)
    assert len(road.suspects) == 0


async def test_the_end_of_a_draining_worker_makes_nobody_a_suspect(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    gate = asyncio.Event()
    first.behave = second.behave = lambda request: gate.wait()
    sent = asyncio.create_task(road.send("a"))
    await until(lambda: first.at_once + second.at_once == 1)
    holder = road.holder("a")
    assert holder is not None
    road.renew(draining=holder)
    await holder.die()
    await until(lambda: len(first.taken) == len(second.taken) == 1)

    assert len(road.suspects) == 0
    gate.set()
    assert (await sent)["accepted"]


async def test_a_worker_whose_lease_ran_out_gives_its_commands_back(road: Road) -> None:
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    frozen = asyncio.Event()
    first.behave = second.behave = lambda request: frozen.wait()
    sent = asyncio.create_task(road.send("a"))
    await until(lambda: first.at_once + second.at_once == 1)
    holder = road.holder("a")
    other = second if holder is first else first
    other.behave = None
    road.fleet.take([other.lease()])

    assert (await sent)["accepted"]
    assert [request.key for request in other.taken] == ["a"]
    frozen.set()


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
