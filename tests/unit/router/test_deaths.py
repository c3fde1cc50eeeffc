"""Workers that die with commands in flight: who is tried again, who is refused, who is innocent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from harness.forwarding_road import OLD, Road
from harness.stand_in import StandIn, until
from omnium_proto import command_pb2
from omnium_store.errors import ReleaseUnavailable, ShuttingDown


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


async def test_workers_that_die_together_are_two_deaths_but_not_of_one_command(road: Road) -> None:
    """The second death is noticed a moment after the first: nothing that was with the first is sent there."""
    first, second = StandIn(OLD), StandIn(OLD)
    await road.add(first, second)
    first.behave = second.behave = lambda request: asyncio.sleep(60)
    sent = asyncio.create_task(road.send("a"))
    await until(lambda: first.at_once + second.at_once == 1)
    holder = road.holder("a")
    assert holder is not None
    other = second if holder is first else first
    other.health.hears.clear()  # it is dead already, only nobody knows
    await holder.die()
    await until(lambda: other.health.asked == 1)
    await other.die()
    with pytest.raises(ReleaseUnavailable):
        await sent

    assert other.taken == []
    third = StandIn(OLD)
    await road.add(third)
    assert (await road.send("a"))["accepted"]
    assert len(road.suspects) == 0
