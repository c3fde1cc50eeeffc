"""A worker process of a real release, from real wheels in a real database."""

from __future__ import annotations

import asyncio
import json
import signal
import urllib.request
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from harness.workers import RunningWorker, add_fixture, command, worker_process
from harness.world import Connection as Owner
from omnium_proto import command_pb2, command_pb2_grpc

from .conftest import Tallied


async def test_it_answers_commands_of_its_release(tallied: Tallied, worker: RunningWorker) -> None:
    home, _ = tallied.sides
    began = await worker.execute(command(tallied.fixture, "tally.begin"))
    added = await worker.execute(command(tallied.fixture, "tally.add", {"entry": home, "amount": 3}))
    assert began.accepted
    assert json.loads(added.answer)["value"]["points"][home] == 3
    assert (added.release.version, added.release.code_sha) == (
        tallied.release.version,
        tallied.release.code_sha,
    )


async def test_it_answers_over_a_stream_and_a_key_is_one_command_on_both_ways(
    tallied: Tallied, worker: RunningWorker
) -> None:
    stub: Any = command_pb2_grpc.CommandServiceStub(worker.channel)
    stream = stub.Multiplex(metadata=worker.credentials)
    begin = command(tallied.fixture, "tally.begin", key="k-begin")
    await stream.write(command_pb2.MultiplexRequest(id=1, execute=begin, timeout_ms=5000))
    first = await stream.read()
    again = await worker.execute(begin)
    assert (first.id, first.execute.accepted, first.execute.duplicate) == (1, True, False)
    assert (again.accepted, again.duplicate) == (True, True)


async def test_health_says_serving_and_the_lease_says_who_it_is(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    health = await health_pb2_grpc.HealthStub(worker.channel).Check(health_pb2.HealthCheckRequest())
    lease = await owner.fetchrow("SELECT * FROM worker_instance")
    assert health.status == health_pb2.HealthCheckResponse.SERVING
    assert lease is not None
    assert (lease["address"], lease["pid"], lease["lane"], lease["draining"]) == (
        worker.address,
        worker.serving["pid"],
        "live",
        False,
    )
    assert (lease["code_sha"], lease["contract_sha"]) == (
        tallied.release.code_sha,
        tallied.release.contract_sha,
    )


async def test_the_lease_beats_comes_back_when_it_is_cleared_and_goes_at_the_end(
    worker: RunningWorker, owner: Owner
) -> None:
    told: list[object] = []
    await owner.add_listener("omnium_fleet", lambda *message: told.append(message))
    first = await owner.fetchval("SELECT heartbeat_at FROM worker_instance")
    await asyncio.sleep(2.3)
    assert await owner.fetchval("SELECT heartbeat_at > $1 FROM worker_instance", first)
    assert told == []
    await owner.execute("DELETE FROM worker_instance")
    await asyncio.sleep(2.3)
    assert await owner.fetchval("SELECT count(*) FROM worker_instance") == 1
    assert len(told) == 1
    worker.terminate()
    assert await worker.ended() == 0
    assert await owner.fetchval("SELECT count(*) FROM worker_instance") == 0
    await owner.execute("SELECT 1")
    assert len(told) == 3  # back, draining, gone


async def test_it_rings_after_a_command_that_changed_something_and_after_no_other(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    rung: list[object] = []
    await owner.add_listener("omnium_change", lambda *message: rung.append(message))
    await worker.execute(command(tallied.fixture, "tally.add", {"entry": "nobody"}))
    await asyncio.sleep(0.1)
    await owner.execute("SELECT 1")
    assert rung == []
    await worker.execute(command(tallied.fixture, "tally.begin"))
    await asyncio.sleep(0.1)
    await owner.execute("SELECT 1")
    assert len(rung) == 1


async def test_many_commits_at_once_ring_a_few_times(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    rung: list[object] = []
    await worker.execute(command(tallied.fixture, "tally.begin"))
    await owner.add_listener("omnium_change", lambda *message: rung.append(message))
    add = {"entry": tallied.sides[0]}
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(worker.execute(command(tallied.fixture, "tally.add", add)) for _ in range(60)))
    took = asyncio.get_running_loop().time() - began
    await asyncio.sleep(0.1)
    await owner.execute("SELECT 1")
    assert 1 <= len(rung) <= took / 0.005 + 2


async def test_a_stranger_is_refused(tallied: Tallied, worker: RunningWorker) -> None:
    worker.fleet_key = "somebody-else"
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await worker.execute(command(tallied.fixture, "tally.begin"))
    assert raised.value.code() == grpc.StatusCode.UNAUTHENTICATED


async def test_an_interpreter_that_is_not_isolated_starts_itself_again(tallied: Tallied) -> None:
    async with worker_process(
        tallied.dsn, tallied.home, tallied.release.version, is_isolated=False
    ) as worker:
        assert (await worker.execute(command(tallied.fixture, "tally.begin"))).accepted


async def test_metrics_count_commands_by_outcome(tallied: Tallied) -> None:
    async with worker_process(
        tallied.dsn, tallied.home, tallied.release.version, OMNIUM_METRICS_LISTEN="127.0.0.1:0"
    ) as worker:
        await worker.execute(command(tallied.fixture, "tally.begin"))
        await worker.execute(command(tallied.fixture, "tally.add", {"entry": "nobody"}))
        address = f"http://127.0.0.1:{worker.serving['metrics']}/metrics"
        text = await asyncio.to_thread(lambda: urllib.request.urlopen(address).read().decode())
    assert 'omnium_worker_commands_total{outcome="accepted",workflow="tally"} 1.0' in text
    assert 'omnium_worker_commands_total{outcome="rejected",workflow="tally"} 1.0' in text
    assert f'release="{tallied.release.version}"' in text
    assert "omnium_worker_in_flight 0.0" in text
    assert "omnium_worker_bells_total" in text
    counted = dict(
        line.split(" ") for line in text.splitlines() if line.startswith("omnium_worker_component")
    )
    assert float(counted["omnium_worker_component_calls_total"]) > 2
    assert 0 < float(counted["omnium_worker_components_seconds_total"]) < 1


async def test_two_workers_of_one_release_share_a_fixture(tallied: Tallied, worker: RunningWorker) -> None:
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as other:
        assert (await worker.execute(command(tallied.fixture, "tally.begin"))).accepted
        add = {"entry": tallied.sides[0]}
        answers = await asyncio.gather(
            *(
                one.execute(command(tallied.fixture, "tally.add", add))
                for _ in range(20)
                for one in (worker, other)
            )
        )
    assert sorted(json.loads(answer.answer)["seq"] for answer in answers) == list(range(2, 42))


async def test_a_fixture_of_another_release_is_not_taken(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    other = await owner.fetchval(
        """INSERT INTO plugin_release
               (version, code_sha, contract_sha, contract_version, status, registered_by)
           VALUES ('9.9.9', 'other', 'other', '0.1.0', 'prod', 'test') RETURNING id"""
    )
    fixture, _ = await add_fixture(tallied.dsn, other, workflow="tally", code="M2")
    with pytest.raises(grpc.aio.AioRpcError, match=r"9\.9\.9") as raised:
        await worker.execute(command(fixture, "tally.begin"))
    assert raised.value.code() == grpc.StatusCode.FAILED_PRECONDITION


async def test_a_worker_that_was_frozen_does_not_commit_for_a_pin_that_moved_meanwhile(
    tallied: Tallied, worker: RunningWorker, owner: Owner
) -> None:
    await worker.execute(command(tallied.fixture, "tally.begin"))
    worker.process.send_signal(signal.SIGSTOP)
    late = asyncio.create_task(
        worker.execute(command(tallied.fixture, "tally.add", {"entry": tallied.sides[0]}))
    )
    await asyncio.sleep(0.5)
    other = await owner.fetchval(
        """INSERT INTO plugin_release
               (version, code_sha, contract_sha, contract_version, status, registered_by)
           VALUES ('9.9.9', 'other', 'other', '0.1.0', 'prod', 'test') RETURNING id"""
    )
    await owner.execute("UPDATE fixture SET release_id = $1", other)
    worker.process.send_signal(signal.SIGCONT)
    with pytest.raises(grpc.aio.AioRpcError, match=r"9\.9\.9"):
        await late
    assert await owner.fetchval("SELECT count(*) FROM timeline_item") == 1


async def test_a_retired_release_is_served_again_for_a_match_that_it_judged(
    tallied: Tallied, owner: Owner
) -> None:
    """Started on demand: the wheels are kept, and the match keeps its rules."""
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as before:
        await before.execute(command(tallied.fixture, "tally.begin"))
    await owner.execute("UPDATE plugin_release SET status = 'retired', retired_at = now()")
    add = {"entry": tallied.sides[0], "amount": 7}
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as again:
        reply = await again.execute(command(tallied.fixture, "tally.add", add))
    assert (reply.accepted, reply.release.code_sha) == (True, tallied.release.code_sha)
