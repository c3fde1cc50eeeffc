"""Real worker processes of registered releases, and callers that speak to them."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import asyncpg
import grpc

from harness.wheels import MadeRelease
from harness.world import Connection, World
from omnium_proto import command_pb2, command_pb2_grpc
from omnium_releases.isolation import isolated_command, isolated_environment
from omnium_releases.registering import register

KEY_HEADER: Final = "x-omnium-fleet-key"
START_S: Final = 60.0
_TABLES: Final = {
    "plugin_release": "id",
    "release_artifact": "release_id",
    "scoring_program_version": "release_id",
}
Rows: TypeAlias = dict[str, list[asyncpg.Record]]
_STORED: Final[dict[str, Rows]] = {}


@dataclass(slots=True)
class RunningWorker:
    """A worker process. `lines` are its log lines as they come; `errors` has its standard error."""

    process: asyncio.subprocess.Process
    serving: dict[str, Any]
    lines: list[dict[str, Any]]
    errors: Path
    fleet_key: str
    _channel: list[grpc.aio.Channel] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where it takes calls."""
        return str(self.serving["address"])

    @property
    def channel(self) -> grpc.aio.Channel:
        """One channel to it."""
        if not self._channel:
            self._channel.append(grpc.aio.insecure_channel(self.address))
        return self._channel[0]

    @property
    def credentials(self) -> tuple[tuple[str, str], ...]:
        """What routers show."""
        return ((KEY_HEADER, self.fleet_key),)

    async def execute(self, request: command_pb2.ExecuteRequest, *, timeout: float = 20) -> Any:
        """One command over a unary call."""
        stub = command_pb2_grpc.CommandServiceStub(self.channel)
        return await stub.Execute(request, metadata=self.credentials, timeout=timeout)

    def terminate(self) -> None:
        """Ask it to end well."""
        self.process.send_signal(signal.SIGTERM)

    async def ended(self, *, timeout: float = 30) -> int:
        """Its exit status, once it has ended."""
        async with asyncio.timeout(timeout):
            return await self.process.wait()

    def logged(self, event: str) -> list[dict[str, Any]]:
        """Its log lines of one event so far."""
        return [line for line in self.lines if line.get("event") == event]


def fleet_key(home: Path) -> str:
    """The fleet's key of a home; made if there is none."""
    file = home / "keys" / "fleet.key"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(secrets.token_hex(16))
    return file.read_text()


async def register_release(dsn: str, release: MadeRelease, home: Path) -> uuid.UUID:
    """Register it as a prod release of a local environment; its id.

    A release that this process has registered in another database is copied from what was stored there:
    proving it once is enough.
    """
    connection = await asyncpg.connect(dsn)
    try:
        if release.code_sha + release.contract_sha in _STORED:
            await _copy(connection, _STORED[release.code_sha + release.contract_sha])
        else:
            await _register(connection, release, home)
            _STORED[release.code_sha + release.contract_sha] = await _stored(connection, release.version)
        row = await connection.fetchval("SELECT id FROM plugin_release WHERE version = $1", release.version)
        return uuid.UUID(str(row))
    finally:
        await connection.close()


async def _register(connection: Connection, release: MadeRelease, home: Path) -> None:
    await register(
        connection,
        flows=release.flows.read_bytes(),
        flows_name=release.flows.name,
        contract=release.contract.read_bytes(),
        contract_name=release.contract.name,
        env="prod",
        notes="",
        who="test",
        cache=home / "cache",
        environment="local",
    )


async def _stored(connection: Connection, version: str) -> Rows:
    """The rows of a release, by table."""
    release = await connection.fetchval("SELECT id FROM plugin_release WHERE version = $1", version)
    return {
        table: await connection.fetch(f"SELECT * FROM {table} WHERE {column} = $1", release)
        for table, column in _TABLES.items()
    } | {"sport": await connection.fetch("SELECT * FROM sport")}


async def _copy(connection: Connection, rows: Rows) -> None:
    for table in ("sport", *_TABLES):
        for row in rows[table]:
            places = ", ".join(f"${number}" for number in range(1, len(row) + 1))
            await connection.execute(
                f"INSERT INTO {table} ({', '.join(row.keys())}) VALUES ({places}) ON CONFLICT DO NOTHING",
                *row.values(),
            )


async def add_fixture(
    dsn: str, release: uuid.UUID, *, workflow: str, code: str = "M1"
) -> tuple[str, list[str]]:
    """A duel pinned to `release`, in an event of its own: its id and its two entries."""
    connection = await asyncpg.connect(dsn)
    try:
        world = World(connection)
        sport = await world.sport(workflow)
        event = await world.event(f"event-{code.lower()}")
        fixture = await world.fixture(
            code, competition=event, sport=sport, release=release, workflow=workflow
        )
        return str(fixture), [str(side) for side in await world.sides(fixture, "Home", "Away")]
    finally:
        await connection.close()


def command(
    fixture: str, code: str, sent: Mapping[str, Any] | None = None, *, key: str | None = None
) -> command_pb2.ExecuteRequest:
    """A person's command on a fixture."""
    return command_pb2.ExecuteRequest(
        workflow=code.partition(".")[0],
        subject=command_pb2.Subject(kind="fixture", ref=fixture),
        code=code,
        input=json.dumps(sent or {}).encode(),
        key=key or uuid.uuid4().hex,
        sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="ann", name="Ann"),
        request_id=uuid.uuid4().hex,
    )


@asynccontextmanager
async def worker_process(
    dsn: str, home: Path, version: str, *, is_isolated: bool = True, **settings: str
) -> AsyncIterator[RunningWorker]:
    """A worker of `version` that takes commands; killed at the end if it is still there."""
    key = fleet_key(home)
    told = {"OMNIUM_DATABASE_URL": dsn, "OMNIUM_HOME": str(home), **settings}
    arguments = ("--release", version)
    async with _started(arguments, told, home, is_isolated=is_isolated) as (process, lines, errors):
        yield RunningWorker(process, await _serving(process, lines, errors), lines, errors, key)


@asynccontextmanager
async def replay_process(home: Path, *arguments: str, **settings: str) -> AsyncIterator[RunningWorker]:
    """A worker without a database."""
    home.mkdir(exist_ok=True)  # noqa: ASYNC240  # once, before anything runs
    async with _started(arguments, {"OMNIUM_HOME": str(home), **settings}, home) as (process, lines, errors):
        yield RunningWorker(process, await _serving(process, lines, errors), lines, errors, "")


async def worker_that_fails(
    dsn: str, home: Path, version: str, **settings: str
) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and log lines of a worker that is not expected to come up."""
    told = {"OMNIUM_DATABASE_URL": dsn, "OMNIUM_HOME": str(home), **settings}
    async with _started(("--release", version), told, home) as (process, lines, _):
        async with asyncio.timeout(START_S):
            status = await process.wait()
        await asyncio.sleep(0.05)
        return status, lines


@asynccontextmanager
async def _started(
    arguments: Sequence[str], told: Mapping[str, str], home: Path, *, is_isolated: bool = True
) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[dict[str, Any]], Path]]:
    command_line = (
        isolated_command("omnium_worker", *arguments, cache=bytecode())
        if is_isolated
        else [sys.executable, "-m", "omnium_worker", *arguments]
    )
    environment = isolated_environment(told) if is_isolated else {**os.environ, **told}
    errors = home / f"stderr-{uuid.uuid4().hex[:8]}"
    with errors.open("wb") as stderr:
        process = await asyncio.create_subprocess_exec(
            *command_line, env=environment, stdout=asyncio.subprocess.PIPE, stderr=stderr
        )
    lines: list[dict[str, Any]] = []
    reading = asyncio.create_task(_read(process, lines))
    try:
        yield process, lines, errors
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await reading


async def _read(process: asyncio.subprocess.Process, lines: list[dict[str, Any]]) -> None:
    assert process.stdout is not None
    async for line in process.stdout:
        try:
            lines.append(json.loads(line))
        except ValueError:
            lines.append({"event": "not_json", "line": line.decode()})


async def _serving(
    process: asyncio.subprocess.Process, lines: list[dict[str, Any]], errors: Path
) -> dict[str, Any]:
    async with asyncio.timeout(START_S):
        while True:
            found = [line for line in lines if line.get("event") == "worker.serving"]
            if found:
                return found[0]
            if process.returncode is not None:
                raise AssertionError(f"ended with {process.returncode}, {lines}\n{_text(errors)}")
            await asyncio.sleep(0.01)


def bytecode() -> Path:
    """Where the platform's bytecode is kept between tests; a new home each would compile it each time."""
    return Path(tempfile.gettempdir(), f"omnium-test-bytecode-{os.getuid()}")


def _text(file: Path) -> str:
    return file.read_text()
