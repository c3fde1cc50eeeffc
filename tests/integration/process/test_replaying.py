"""A worker without a database: recorded matches through the rules of one release."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import grpc
import pytest

from harness.wheels import MadeRelease, make_release
from harness.workers import RunningWorker, command, replay_process, worker_process
from harness.world import Connection
from omnium_contract import canonical
from omnium_proto import replay_pb2, replay_pb2_grpc

from .conftest import Tallied

SIDES = ["s-home", "s-away"]


def head(
    sides: Iterable[str] = SIDES, *, workflow: str = "tally", facts: bytes | None = None
) -> replay_pb2.ReplayRequest:
    fixture = {"id": "m-1", "sport": "tally", "sides": [{"entry": side} for side in sides]}
    return replay_pb2.ReplayRequest(
        match=replay_pb2.ReplayMatch(
            id="m-1", workflow=workflow, fixture=json.dumps(fixture).encode() if facts is None else facts
        )
    )


def sent(seq: int, code: str, given: object = None, *, derive: bool = False) -> replay_pb2.ReplayRequest:
    text = json.dumps(given or {}).encode()
    return replay_pb2.ReplayRequest(
        command=replay_pb2.ReplayCommand(seq=seq, code=code, input=text, derive=derive)
    )


def inspect() -> replay_pb2.ReplayRequest:
    return replay_pb2.ReplayRequest(inspect=replay_pb2.ReplayInspect())


async def replayed(worker: RunningWorker, *requests: replay_pb2.ReplayRequest) -> list[Any]:
    stub: Any = replay_pb2_grpc.ReplayServiceStub(worker.channel)
    stream = stub.Replay(iter(requests))
    return [getattr(answer, answer.WhichOneof("outcome")) async for answer in stream]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    return make_release(tmp_path_factory.mktemp("wheels"))


async def test_a_match_is_judged_command_by_command(release: MadeRelease, tmp_path: Path) -> None:
    async with replay_process(tmp_path, "--wheels", str(release.flows), str(release.contract)) as worker:
        started, begun, early, added, refused, values = await replayed(
            worker,
            head(),
            sent(1, "tally.begin"),
            sent(2, "tally.begin"),
            sent(3, "tally.add", {"entry": "s-home", "amount": 4}, derive=True),
            sent(4, "tally.add", {"entry": "s-home", "amount": "many"}),
            inspect(),
        )
    assert (started.problem, started.release.code_sha) == ("", release.code_sha)
    assert [begun.accepted, early.accepted, added.accepted, refused.accepted] == [True, False, True, False]
    assert (early.refusal, early.message) == ("rejected", "It has begun already.")
    assert refused.refusal == "input"
    assert (early.state, refused.state) == (begun.state, added.state)
    state = {"points": {"s-home": 4, "s-away": 0}, "status": "live"}
    assert values.state == canonical.dumps(state)
    assert added.state == canonical.digest(state)
    assert added.lines == canonical.digest(json.loads(values.lines))
    assert added.places == canonical.digest(json.loads(values.places))
    assert begun.lines == b""


async def test_many_matches_follow_one_another(release: MadeRelease, tmp_path: Path) -> None:
    match = (head(), sent(1, "tally.begin"), sent(2, "tally.add", {"entry": "s-away"}, derive=True))
    async with replay_process(tmp_path, "--wheels", str(release.flows), str(release.contract)) as worker:
        first = await replayed(worker, *match)
        second = await replayed(worker, *match, *match)
    assert second == [*first, *first]


async def test_what_can_not_be_played_is_said(release: MadeRelease, tmp_path: Path) -> None:
    async with replay_process(tmp_path, "--wheels", str(release.flows), str(release.contract)) as worker:
        [unknown] = await replayed(worker, head(workflow="chess"))
        [bad] = await replayed(worker, head(facts=b"{}"))
        with pytest.raises(grpc.aio.AioRpcError) as raised:
            await replayed(worker, sent(1, "tally.begin"))
        offered = await replayed(worker, head(), sent(1, "tally.castle"))
    assert "chess" in unknown.problem
    assert bad.problem
    assert raised.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert offered[1].refusal == "not_offered"


async def test_a_rule_that_loops_is_one_refusal(release: MadeRelease, tmp_path: Path) -> None:
    async with replay_process(tmp_path, "--wheels", str(release.flows), str(release.contract)) as worker:
        _, looping, begun = await replayed(
            worker, head(), sent(1, "tally.misbehave", {"kind": "loop"}), sent(2, "tally.begin")
        )
    assert looping.refusal == "over_budget"
    assert begun.accepted


async def test_a_folder_gives_what_the_wheels_give_and_is_verified(
    release: MadeRelease, tmp_path: Path
) -> None:
    folder = tmp_path / "unpacked"
    for wheel in (release.flows, release.contract):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    async with replay_process(tmp_path, "--folder", str(folder), "--replay") as worker:
        started, begun = await replayed(worker, head(), sent(1, "tally.begin"))
        assert begun.accepted
        assert (started.release.version, started.release.code_sha, started.release.contract_sha) == (
            release.version,
            release.code_sha,
            release.contract_sha,
        )
        worker.terminate()
        assert await worker.ended() == 0
    (folder / "omnium_flows" / "stray.py").write_text("")
    with pytest.raises(AssertionError, match=r"omnium_flows/stray\.py"):
        async with replay_process(tmp_path, "--folder", str(folder), "--replay"):
            pass


async def test_a_replay_gives_the_digests_that_the_live_match_left(
    tallied: Tallied, owner: Connection
) -> None:
    home, away = tallied.sides
    log = [("tally.begin", {}), *(("tally.add", {"entry": side}) for side in (home, away, home))]
    async with worker_process(tallied.dsn, tallied.home, tallied.release.version) as live:
        for code, given in log:
            assert (await live.execute(command(tallied.fixture, code, given))).accepted
    wheels = str(tallied.release.flows), str(tallied.release.contract)
    async with replay_process(tallied.home / "replay", "--wheels", *wheels) as worker:
        _, *judged = await replayed(
            worker, head((home, away)), *(sent(n, *one) for n, one in enumerate(log, 1))
        )
    stored = await owner.fetch("SELECT state_digest FROM timeline_item ORDER BY seq")
    assert [one.state for one in judged] == [row["state_digest"] for row in stored]
