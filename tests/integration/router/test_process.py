"""`python -m omnium_router` with real workers of a real release, from the environment to the drained end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import asyncpg
import pytest

from harness.postgres import Database
from harness.routers import Desk
from harness.stand_in import until
from harness.wheels import MadeRelease, make_release
from harness.workers import RunningWorker, add_fixture, fleet_key, register_release, worker_process
from omnium_router.given import CommandOut
from omnium_store.access import Role
from omnium_store.tokens import TokenKeys

START_S = 20.0


@dataclass(slots=True)
class RunningRouter:
    """A router process and its log lines as they come."""

    process: asyncio.subprocess.Process
    lines: list[dict[str, Any]]

    def logged(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]

    async def ended(self) -> int:
        async with asyncio.timeout(START_S):
            return await self.process.wait()


@asynccontextmanager
async def router_process(variables: Mapping[str, str]) -> AsyncIterator[RunningRouter]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OMNIUM_")}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-s", "-m", "omnium_router",
        env={**kept, **variables}, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    lines: list[dict[str, Any]] = []
    reading = asyncio.create_task(_read(process, lines))
    try:
        yield RunningRouter(process, lines)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


async def _read(process: asyncio.subprocess.Process, lines: list[dict[str, Any]]) -> None:
    assert process.stderr is not None
    async for line in process.stderr:
        lines.append(_line(line.decode()))  # noqa: PERF401  # as they come, for who waits for one


def _line(text: str) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(text) if text.startswith("{") else {"event": "text", "line": text}
    return line


@dataclass(frozen=True, slots=True)
class Street:
    """A database with a release of the sample `tally`, one fixture of it, and a home."""

    dsn: str
    home: Path
    release: MadeRelease
    fixture: uuid.UUID
    side: str

    @property
    def point(self) -> dict[str, Any]:
        """One point for the first side."""
        return {"entry": self.side, "amount": 1}

    def variables(self) -> dict[str, str]:
        return {
            "OMNIUM_DATABASE_URL": self.dsn,
            "OMNIUM_HOME": str(self.home),
            "OMNIUM_ROUTER_LISTEN": "127.0.0.1:0",
            "OMNIUM_ROUTER_GRPC_LISTEN": "127.0.0.1:0",
        }

    def token(self, *roles: Role) -> str:
        return TokenKeys.load_or_create(self.home / "keys").issue(
            sub="ada", roles=roles, lifetime=timedelta(hours=1)
        )[0]  # fmt: skip


@pytest.fixture
async def street(database: Database, tmp_path: Path) -> Street:
    fleet_key(tmp_path)
    release = make_release(tmp_path / "wheels")
    release_id = await register_release(database.dsn, release, tmp_path)
    fixture, sides = await add_fixture(database.dsn, release_id, workflow="tally")
    return Street(database.dsn, tmp_path, release, uuid.UUID(fixture), sides[0])


@asynccontextmanager
async def open_desk(street: Street, router: RunningRouter) -> AsyncIterator[Desk]:
    await until(lambda: bool(router.logged("router.serving")), START_S)
    async with aiohttp.ClientSession() as session:
        yield Desk(router.logged("router.serving")[0]["http"], session, street.token(Role.OPERATOR))


async def until_found(router: RunningRouter, *workers: RunningWorker) -> None:
    """The router knows these workers, and has had a moment to see that they are well."""
    wanted = {worker.address for worker in workers}
    await until(lambda: wanted <= {line["address"] for line in router.logged("router.worker_found")}, START_S)


def dead(workers: Sequence[RunningWorker]) -> int:
    """How many have ended."""
    return sum(worker.process.returncode is not None for worker in workers)


async def test_commands_reach_real_workers_and_each_counts_once(street: Street) -> None:
    version = street.release.version
    async with (
        worker_process(street.dsn, street.home, version) as first,
        worker_process(street.dsn, street.home, version) as second,
        router_process(street.variables()) as router,
        open_desk(street, router) as desk,
    ):
        await until_found(router, first, second)
        assert (await desk.command(street.fixture, "tally.begin", key="begin"))[1]["accepted"]
        keys = [f"k{number}" for number in range(40)]
        sent = [desk.command(street.fixture, "tally.add", key=key, input=street.point) for key in keys * 2]
        answers = await asyncio.gather(*sent)

        assert [status for status, _ in answers] == [200] * 80
        assert CommandOut.model_validate(answers[0][1], strict=True).accepted
        assert sum(answer["duplicate"] for _, answer in answers) == 40
        assert sorted({answer["seq"] for _, answer in answers}) == list(range(2, 42))
        assert {answer["release"] for _, answer in answers} == {version}
        status, _ = await desk.get(f"/reads/fixture.board?fixture={street.fixture}")
        assert status == 200


async def test_workers_killed_in_the_middle_cost_no_command_and_double_none(street: Street) -> None:
    version = street.release.version
    async with (
        worker_process(street.dsn, street.home, version) as first,
        worker_process(street.dsn, street.home, version) as second,
        router_process(street.variables()) as router,
        open_desk(street, router) as desk,
    ):
        await until_found(router, first, second)
        await desk.command(street.fixture, "tally.begin", key="begin")

        async def insist(key: str) -> dict[str, Any]:
            while True:
                status, answer = await desk.command(street.fixture, "tally.add", key=key, input=street.point)
                if status == 200:
                    return dict(answer)
                assert (status, answer["reason"]) == (503, "release_unavailable")
                await asyncio.sleep(0.1)

        sending = [asyncio.create_task(insist(f"k{number}")) for number in range(150)]
        await until(lambda: sum(task.done() for task in sending) > 20, START_S)
        first.process.kill()
        answers = await asyncio.gather(*sending)

        assert all(answer["accepted"] for answer in answers)
        assert sorted(answer["seq"] for answer in answers) == list(range(2, 152))


async def test_sigterm_finishes_what_has_begun_and_ends_well(street: Street) -> None:
    async with (
        worker_process(street.dsn, street.home, street.release.version) as worker,
        router_process(street.variables()) as router,
        open_desk(street, router) as desk,
    ):
        await until_found(router, worker)
        await desk.command(street.fixture, "tally.begin", key="begin")
        connection = await asyncpg.connect(street.dsn)
        held = connection.transaction()
        await held.start()
        await connection.execute("SELECT pg_advisory_xact_lock(lock_key_v1($1))", street.fixture)
        sent = asyncio.create_task(desk.command(street.fixture, "tally.add", key="late", input=street.point))
        await asyncio.sleep(0.3)
        router.process.send_signal(signal.SIGTERM)
        await until(lambda: bool(router.logged("router.draining")))
        await held.rollback()
        await connection.close()

        status, answer = await sent
        assert (status, answer["accepted"]) == (200, True)
        assert await router.ended() == 0
        assert router.logged("router.stopped")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"OMNIUM_DATABASE_URL": "mysql://x"}, "OMNIUM_DATABASE_URL"),
        ({"OMNIUM_ROUTER_LISTEN": "8600"}, "OMNIUM_ROUTER_LISTEN"),
        ({"OMNIUM_ROUTER_LISTEN": "192.0.2.1:1"}, "can't listen"),
        ({"OMNIUM_HOME": "/nowhere"}, "fleet key"),
    ],
)
async def test_settings_that_do_not_do_end_the_start_with_a_sentence(
    tmp_path: Path, changes: dict[str, str], named: str
) -> None:
    fleet_key(tmp_path)
    good = {
        "OMNIUM_DATABASE_URL": "postgresql://127.0.0.1:1/none",
        "OMNIUM_HOME": str(tmp_path),
        "OMNIUM_ROUTER_GRPC_LISTEN": "127.0.0.1:0",
    }
    async with router_process({**good, **changes}) as router:
        assert await router.ended() == 2
        (said,) = router.logged("router.cannot_start")
        assert named in said["message"]


async def test_log_lines_carry_the_request_and_no_token(street: Street) -> None:
    async with router_process(street.variables()) as router, open_desk(street, router) as desk:
        await desk.ask("GET", "/events", headers={"X-Request-Id": "seen-1"})
        await until(lambda: bool(router.logged("router.request")))
        (line,) = router.logged("router.request")
        assert (line["request_id"], line["route"], line["status"], line["sub"]) == (
            "seen-1",
            "events.list",
            200,
            "ada",
        )
        assert not any(desk.token in json.dumps(one) for one in router.lines)


async def test_a_command_that_loops_in_c_is_refused_after_the_second_death_and_a_bystander_is_not(
    street: Street,
) -> None:
    version = street.release.version
    async with (
        worker_process(street.dsn, street.home, version) as first,
        worker_process(street.dsn, street.home, version) as second,
        worker_process(street.dsn, street.home, version) as third,
        router_process({**street.variables(), "OMNIUM_ROUTER_COMMAND_TIMEOUT_MS": "20000"}) as router,
        open_desk(street, router) as desk,
    ):
        workers = (first, second, third)
        await until_found(router, *workers)
        await desk.command(street.fixture, "tally.begin", key="begin")
        looping = asyncio.create_task(
            desk.command(street.fixture, "tally.misbehave", key="loop", input={"kind": "c_loop"})
        )
        await asyncio.sleep(0.3)
        behind = asyncio.create_task(
            desk.command(street.fixture, "tally.add", key="behind", input=street.point)
        )
        status, answer = await looping

        assert (status, answer["refusal"], answer["reason"]) == (200, "over_budget", "stopped_workers")
        await until(lambda: dead(workers) == 2)
        status, innocent = await behind
        assert (status, innocent["accepted"]) == (200, True)
        status, again = await desk.command(
            street.fixture, "tally.misbehave", key="loop", input={"kind": "c_loop"}
        )
        assert (status, again["refusal"]) == (200, "over_budget")
        assert dead(workers) == 2
