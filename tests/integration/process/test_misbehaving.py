"""Releases that do what rules must not: it costs them, and nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import time

import grpc
import pytest

from harness.workers import RunningWorker, add_fixture, command, worker_process
from harness.world import Connection

from .conftest import Tallied


async def misbehave(worker: RunningWorker, tallied: Tallied, kind: str) -> dict[str, object]:
    answer = await worker.execute(command(tallied.fixture, "tally.misbehave", {"kind": kind}))
    told: dict[str, object] = json.loads(answer.answer)
    return told


async def still_works(worker: RunningWorker, tallied: Tallied) -> bool:
    return bool((await worker.execute(command(tallied.fixture, "tally.begin"))).accepted)


@pytest.mark.parametrize("kind", ["loop", "stubborn"])
async def test_a_rule_that_loops_is_refused_as_over_budget(
    kind: str, tallied: Tallied, worker: RunningWorker
) -> None:
    began = time.monotonic()
    answer = await misbehave(worker, tallied, kind)
    assert (answer["accepted"], answer["refusal"], answer["reason"]) == (
        False,
        "over_budget",
        "tally.mischief",
    )
    assert time.monotonic() - began < 2
    assert await still_works(worker, tallied)


async def test_a_rule_that_loops_inside_c_ends_its_process_in_three_seconds(
    tallied: Tallied, worker: RunningWorker
) -> None:
    began = time.monotonic()
    with pytest.raises(grpc.aio.AioRpcError):
        await misbehave(worker, tallied, "c_loop")
    assert await worker.ended() == 1
    assert time.monotonic() - began < 5
    assert "mischief" in worker.errors.read_text()  # the traceback names the rule


@pytest.mark.parametrize("kind", ["raise", "socket", "write", "thread"])
async def test_a_rule_that_raises_or_reaches_for_the_machine_has_failed(
    kind: str, tallied: Tallied, worker: RunningWorker
) -> None:
    request = command(tallied.fixture, "tally.misbehave", {"kind": kind})
    answer = json.loads((await worker.execute(request)).answer)
    assert (answer["accepted"], answer["refusal"]) == (False, "failed")
    assert answer["message"].endswith(worker.logged("component.failed")[0]["id"] + ".")
    assert await still_works(worker, tallied)
    assert not os.path.exists("/tmp/omnium-should-not-exist")  # noqa: ASYNC240  # a moment
    [failed] = worker.logged("component.failed")
    assert (failed["key"], failed["request_id"]) == ("tally.mischief", request.request_id)
    reached = [line["component"] for line in worker.logged("component.refused")]
    assert reached == ([] if kind == "raise" else ["tally.mischief"])


async def test_what_a_rule_prints_is_logged_with_its_key(tallied: Tallied, worker: RunningWorker) -> None:
    assert (await misbehave(worker, tallied, "print"))["accepted"]
    [line] = worker.logged("component.said")
    assert (line["component"], line["text"]) == ("tally.mischief", "hello from a rule")
    assert worker.logged("not_json") == []


async def leak(worker: RunningWorker, tallied: Tallied) -> None:
    for _ in range(50):
        await misbehave(worker, tallied, "leak")


async def test_a_leak_costs_its_process(tallied: Tallied) -> None:
    async with worker_process(
        tallied.dsn, tallied.home, tallied.release.version, OMNIUM_WORKER_MEMORY_MB="96"
    ) as worker:
        with pytest.raises(grpc.aio.AioRpcError):
            await leak(worker, tallied)
        assert await worker.ended() == 70


async def test_while_one_worker_is_stuck_another_one_answers_as_ever(
    tallied: Tallied, worker: RunningWorker, owner: Connection
) -> None:
    release = await owner.fetchval("SELECT id FROM plugin_release")
    fixture, (side, _) = await add_fixture(tallied.dsn, release, workflow="tally", code="M2")
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as other:
        await other.execute(command(fixture, "tally.begin"))
        stuck = asyncio.create_task(misbehave(worker, tallied, "c_loop"))
        while not stuck.done():
            assert (await other.execute(command(fixture, "tally.add", {"entry": side}), timeout=1)).accepted
            await asyncio.sleep(0.05)
        assert isinstance(stuck.exception(), grpc.aio.AioRpcError)
        # the dead worker's lock is gone with its connection
        assert await still_works(other, tallied)
