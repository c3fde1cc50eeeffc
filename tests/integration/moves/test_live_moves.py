"""A live match moved to a mended release under eight clients: real workers, a router, the command line."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from harness.editions import HEADERS_COUNT_TWICE, edition
from harness.fleet import working_tree_wheels
from harness.postgres import Database
from harness.proofs import folded_in
from harness.routers import Desk, Router, made_router
from harness.stand_in import until
from harness.wheels import MadeRelease
from harness.workers import RunningWorker, add_fixture, register_release, worker_process
from harness.world import Connection
from omnium.main import app
from omnium_releases.build import WheelPair
from omnium_router.identities import BULK, LIVE
from omnium_store.access import Role

pytestmark = pytest.mark.slow

CLIENTS = 8


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> tuple[WheelPair, WheelPair]:
    """A release whose headers count twice, and the one that mends it."""
    folder = tmp_path_factory.mktemp("wheels")
    return edition(folder / "old", HEADERS_COUNT_TWICE), working_tree_wheels(folder / "new")


@dataclass(slots=True)
class Client:
    """Somebody who counts corners. `answers` by key; whatever is not an answer is kept as it came."""

    name: str
    desk: Desk
    stage: Stage
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    troubles: list[tuple[int, Any]] = field(default_factory=list)
    is_stopped: bool = False

    async def play(self) -> None:
        """Until told to stop, and not in the middle of a command: a corner, then a breath."""
        number = 0
        while not self.is_stopped:
            key, entry = f"{self.name}-{number}", self.stage.sides[number % 2]
            status, body = await self.stage.send(self.desk, "stat", key, entry=entry, kind="corner")
            if status == 200:
                self.answers[key] = body
            else:
                self.troubles.append((status, body))
            number += 1
            await asyncio.sleep(0.05)


@dataclass(slots=True)
class Stage:
    """One football match, both releases with their workers, and a router."""

    dsn: str
    home: Path
    router: Router
    connection: Connection
    old: str
    new: str
    fixture: str
    sides: list[str]

    async def send(self, desk: Desk, code: str, key: str = "", **given: Any) -> tuple[int, Any]:
        """One command of football."""
        body = {"input": given, "key": key or uuid.uuid4().hex}
        return await desk.command(uuid.UUID(self.fixture), f"football.{code}", **body)

    async def accepted(self, code: str, **given: Any) -> Mapping[str, Any]:
        """One command that must be taken; its answer."""
        status, answer = await self.send(self.router.desk(Role.SCORER), code, **given)
        assert (status, answer["accepted"]) == (200, True), answer
        return dict(answer)

    async def header(self) -> Mapping[str, Any]:
        """A headed goal of the first side."""
        return await self.accepted("goal", entry=self.sides[0], kind="header", scorer="A. Quay")

    async def omnium(self, *arguments: str) -> tuple[int, str, str]:
        """`omnium releases move` on the match: exit code, output, the last line on stderr."""
        told = {
            "OMNIUM_URL": self.router.serving.http,
            "OMNIUM_TOKEN": self.router.token(Role.RELEASE_MANAGER, sub="max", name="Max"),
        }
        asked = ["releases", "move", self.fixture, "--to", self.new, *arguments]
        ended = await asyncio.to_thread(CliRunner().invoke, app, asked, env=told, prog_name="omnium")
        return ended.exit_code, ended.stdout, (ended.stderr.splitlines() or [""])[-1]

    async def preview(self) -> dict[str, Any]:
        """What a move would change."""
        code, out, reason = await self.omnium("--output", "json")
        assert (code, "nobody to ask" in reason) == (1, True), reason
        seen: dict[str, Any] = json.loads(out)
        return seen

    async def rows(self) -> list[Any]:
        """The log: seq, unit, code, key, version of the release."""
        return await self.connection.fetch(
            """SELECT t.seq, t.unit, t.event_type AS code, t.idempotency_key AS key, r.version AS release
               FROM timeline_item t JOIN plugin_release r ON r.id = t.release_id
               WHERE t.stream_id = $1::uuid ORDER BY t.seq""",
            self.fixture,
        )

    async def board(self) -> dict[str, Any]:
        """What screens show."""
        status, read = await self.router.desk(Role.VIEWER).get(f"/reads/fixture.board?fixture={self.fixture}")
        assert status == 200
        value: dict[str, Any] = read["value"]
        return value

    def ready(self, release: str, lane: str) -> bool:
        """Whether the router has found a worker of that pool."""
        return any(
            pool.release.version == release and pool.lane == lane and pool.ready
            for pool in self.router.serving.services.fleet.pools()
        )


@pytest.fixture
async def stage(
    database: Database, connection: Connection, pairs: tuple[WheelPair, WheelPair], tmp_path: Path
) -> AsyncIterator[Stage]:
    async with AsyncExitStack() as stack:
        stack.enter_context(capture_logs())  # the router speaks to the same stdout here
        router = await stack.enter_async_context(made_router(database, tmp_path))
        ids = [await register_release(database.dsn, made(pair), tmp_path) for pair in pairs]
        fixture, sides = await add_fixture(database.dsn, ids[0], workflow="football")
        old, new = (pair.version for pair in pairs)
        stage = Stage(database.dsn, tmp_path, router, connection, old, new, fixture, sides)
        for release, lane in ((old, LIVE), (new, LIVE), (new, BULK)):
            await stack.enter_async_context(worker(stage, release, lane))
        await until(lambda: all(stage.ready(*of) for of in ((old, LIVE), (new, LIVE), (new, BULK))), 10)
        yield stage


def made(pair: WheelPair) -> MadeRelease:
    return MadeRelease(
        version=pair.version,
        flows=pair.flows,
        contract=pair.contract,
        code_sha=pair.code_sha,
        contract_sha=pair.contract_sha,
    )


@asynccontextmanager
async def worker(stage: Stage, release: str, lane: str) -> AsyncIterator[RunningWorker]:
    async with worker_process(stage.dsn, stage.home, release, OMNIUM_WORKER_LANE=lane) as running:
        yield running


@asynccontextmanager
async def playing(clients: list[Client]) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        for client in clients:
            group.create_task(client.play())
        yield
        for client in clients:
            client.is_stopped = True


async def more(clients: list[Client], count: int) -> None:
    """Wait until each has so many more answers."""
    wanted = {client.name: len(client.answers) + count for client in clients}
    async with asyncio.timeout(60):
        while any(len(client.answers) < wanted[client.name] for client in clients):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def test_a_live_match_moves_to_the_mended_release_while_eight_clients_score_it(stage: Stage) -> None:
    home, away = stage.sides
    await stage.accepted("match_start", home=home, away=away)
    await stage.header()
    assert (await stage.board())["state"]["goals"][home] == 2  # the bug
    clients = [Client(f"client-{n}", stage.router.desk(Role.SCORER), stage) for n in range(CLIENTS)]
    async with playing(clients):
        await more(clients, 5)
        seen = await stage.preview()
        goals = [one for one in seen["differences"] if one["key"] == f"goals.{home}"]
        assert goals == [{"part": "state", "key": f"goals.{home}", "before": 2, "after": 1}]
        await more(clients, 5)  # corners, which both releases count alike
        code, out, reason = await stage.omnium(
            "--yes", "--expect", seen["digest"], "--reason", "Headers counted twice", "--output", "json"
        )
        assert code == 0, reason
        moved = json.loads(out)
        await more(clients, 5)
    assert [client.troubles for client in clients] == [[]] * CLIENTS
    await assert_nothing_is_lost(stage, clients, moved)

    answer = await stage.header()
    assert (answer["release"], answer["value"]["goals"][home]) == (stage.new, 2)
    board = await stage.board()
    assert (board["release"], board["state"]["goals"][home], board["status"]) == (stage.new, 2, "LIVE")
    await assert_the_audit_says_it(stage, seen, moved)
    found = await asyncio.to_thread(
        folded_in, stage.dsn, stage.new, [stage.fixture], cache=stage.home / "cache"
    )
    assert found[stage.fixture]["problems"] == []
    again = await stage.omnium("--yes", "--expect", seen["digest"], "--output", "json")
    assert (again[0], json.loads(again[1])["changed"]) == (0, False)


async def assert_nothing_is_lost(stage: Stage, clients: list[Client], moved: Mapping[str, Any]) -> None:
    """One row a key, no gap; up to the move by the old rules, after it by the new ones."""
    rows = await stage.rows()
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    [record] = [row for row in rows if row["unit"] == "record"]
    assert (record["code"], record["seq"], record["release"]) == ("releases.move", moved["seq"], stage.new)
    by_key = {row["key"]: row for row in rows}
    assert len(by_key) == len(rows)
    for client in clients:
        for key, answer in client.answers.items():
            assert (answer["accepted"], answer["seq"]) == (True, by_key[key]["seq"]), (key, answer)
            assert answer["release"] == by_key[key]["release"]
    before = {row["release"] for row in rows if row["seq"] < moved["seq"]}
    after = {row["release"] for row in rows if row["seq"] > moved["seq"]}
    assert (before, after) == ({stage.old}, {stage.new})
    assert sum(row["seq"] > moved["seq"] for row in rows) >= CLIENTS
    corners = sum(row["code"] == "football.stat" for row in rows)
    counted = (await stage.board())["state"]["counts"]
    assert sum(counted[entry]["corners"] for entry in stage.sides) == corners


async def assert_the_audit_says_it(stage: Stage, seen: Mapping[str, Any], moved: Mapping[str, Any]) -> None:
    status, body = await stage.router.desk(Role.RELEASE_MANAGER).get(
        f"/releases/audit?release={quote(stage.new)}"
    )
    assert status == 200
    [entry] = [one for one in body["items"] if one["verb"] == "move"]
    assert (entry["who"], entry["fixtureId"], entry["reason"]) == (
        "Max", stage.fixture, "Headers counted twice",
    )  # fmt: skip
    told = entry["seen"]
    assert (told["from"], told["to"], told["digest"], told["seq"]) == (
        stage.old, stage.new, seen["digest"], moved["seq"],
    )  # fmt: skip
    goals = {one["key"]: (one["before"], one["after"]) for one in told["differences"]}
    assert goals[f"goals.{stage.sides[0]}"] == (2, 1)


async def test_a_goal_that_the_bug_counts_twice_since_the_preview_refuses_the_move(stage: Stage) -> None:
    home, away = stage.sides
    await stage.accepted("match_start", home=home, away=away)
    await stage.header()
    seen = await stage.preview()
    await stage.header()
    code, _, reason = await stage.omnium("--yes", "--expect", seen["digest"])
    assert (code, "changes something else than the preview showed" in reason) == (1, True)
    assert (await stage.board())["release"] == stage.old
    code, _, reason = await stage.omnium("--yes", "--expect", (await stage.preview())["digest"])
    assert code == 0, reason
    assert (await stage.board())["state"]["goals"][home] == 2


async def test_a_router_that_has_not_heard_of_the_move_is_corrected_by_the_old_worker(
    stage: Stage, database: Database
) -> None:
    home, away = stage.sides
    async with made_router(database, stage.home) as elsewhere:
        fleet, scorer = elsewhere.serving.services.fleet, elsewhere.desk(Role.SCORER)
        await until(lambda: sum(bool(pool.ready) for pool in fleet.pools()) == 3, 10)
        status, answer = await stage.send(scorer, "match_start", home=home, away=away)
        assert (status, answer["release"]) == (200, stage.old)
        code, _, reason = await stage.omnium("--yes", "--expect", (await stage.preview())["digest"])
        assert code == 0, reason
        status, answer = await stage.send(scorer, "stat", entry=home, kind="corner")
        assert (status, answer["accepted"], answer["release"]) == (200, True, stage.new)


async def test_a_long_log_is_told_by_the_bulk_worker_and_played_on_by_the_live_one(stage: Stage) -> None:
    home, away = stage.sides
    await stage.accepted("match_start", home=home, away=away)
    await stage.header()
    for number in range(220):
        await stage.accepted("stat", entry=stage.sides[number % 2], kind="corner")
    seen = await stage.preview()
    assert seen["events"] == 222
    code, _, reason = await stage.omnium("--yes", "--expect", seen["digest"])
    assert code == 0, reason
    answer = await stage.header()
    assert (answer["release"], answer["value"]["goals"][home]) == (stage.new, 2)
    found = await asyncio.to_thread(
        folded_in, stage.dsn, stage.new, [stage.fixture], cache=stage.home / "cache"
    )
    assert found[stage.fixture]["problems"] == []
