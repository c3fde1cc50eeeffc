"""Players: isolated worker processes, each with one release and no database, and the streams to them."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import grpc
import orjson

from omnium_proto import replay_pb2, replay_pb2_grpc
from omnium_releases.artifacts import ReleaseFiles
from omnium_releases.isolation import HASH_SEED, isolated_command, isolated_environment
from omnium_store.errors import Refused

START_S: Final = 60.0
STOP_S: Final = 5.0
_KEY_HEADER: Final = "x-omnium-fleet-key"
_LARGEST: Final = 64 << 20
_OPTIONS: Final = (("grpc.max_receive_message_length", _LARGEST), ("grpc.max_send_message_length", _LARGEST))
#: Another seed than the one that everything is served with.
OTHER_HASH_SEED: Final = "20011"


@dataclass(frozen=True, slots=True)
class Wheels:
    """The two wheel files of a release."""

    flows: Path
    contract: Path


@contextmanager
def written(files: ReleaseFiles) -> Iterator[Wheels]:
    """The wheels of a registered release as files, for as long as the context lasts."""
    with tempfile.TemporaryDirectory(prefix="omnium-wheels-") as folder:
        paths = [Path(folder, wheel.filename) for wheel in (files.flows, files.contract)]
        for path, wheel in zip(paths, (files.flows, files.contract), strict=True):
            path.write_bytes(wheel.content)
        yield Wheels(*paths)


@dataclass(frozen=True)
class Cast:
    """What a player says of its release; programs by workflow."""

    version: str
    code_sha: str
    contract_sha: str
    runtime_sha: str
    programs: dict[str, dict[str, Any]]

    @cached_property
    def folds(self) -> dict[str, dict[str, Any]]:
        """The workflows that have matches."""
        return {code: program for code, program in self.programs.items() if program["mode"] == "fold"}

    @cached_property
    def commands(self) -> dict[str, frozenset[str]]:
        """The codes of the commands of each workflow."""
        return {
            code: frozenset(command["code"] for command in program["commands"])
            for code, program in self.programs.items()
        }

    def as_data(self) -> dict[str, str]:
        """What names the release in a report."""
        return {
            "version": self.version,
            "code_sha": self.code_sha,
            "contract_sha": self.contract_sha,
            "runtime_sha": self.runtime_sha,
        }


class Player:
    """A running worker. Each stream has a match and a count of its own."""

    def __init__(self, name: str, channel: grpc.aio.Channel, key: str, cast: Cast) -> None:
        self.name = name
        self.cast = cast
        self._stub: Any = replay_pb2_grpc.ReplayServiceStub(channel)
        self._metadata = ((_KEY_HEADER, key),)

    async def answers(
        self, requests: AsyncIterator[replay_pb2.ReplayRequest]
    ) -> AsyncIterator[replay_pb2.ReplayResponse]:
        """The answer to each request, in order. Raises `Refused` when the worker is gone."""
        stream = self._stub.Replay(requests, metadata=self._metadata)
        try:
            async for answer in stream:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise _gone(self.name, self.cast.version, error) from error
        finally:
            stream.cancel()


@dataclass(frozen=True, slots=True)
class Part:
    """A release that is to be played, by what it is called in messages."""

    name: str
    wheels: Wheels
    hash_seed: str = HASH_SEED


@asynccontextmanager
async def company(parts: Sequence[Part], *, bytecode: Path) -> AsyncIterator[list[Player]]:
    """A player for each part, started beside one another. Raises `Refused` if one does not come up."""
    async with AsyncExitStack() as stack:
        starts = (
            stack.enter_async_context(
                player(part.name, part.wheels, bytecode=bytecode, hash_seed=part.hash_seed)
            )
            for part in parts
        )
        # all of them are waited for: one that comes up late must be on the stack to be ended
        started = await asyncio.gather(*starts, return_exceptions=True)
        for one in started:
            if isinstance(one, BaseException):
                raise one
        yield [one for one in started if isinstance(one, Player)]


@asynccontextmanager
async def player(
    name: str, wheels: Wheels, *, bytecode: Path, hash_seed: str = HASH_SEED
) -> AsyncIterator[Player]:
    """A worker of this release, ended with the context. Raises `Refused` if it does not come up.

    `bytecode` is a folder that keeps the platform's compiled modules from one run to the next.
    """
    with tempfile.TemporaryDirectory(prefix="omnium-replay-") as scratch:
        home = Path(scratch)
        key = _written_key(home)
        process = await _started(Part(name, wheels, hash_seed), home, bytecode)
        errors = asyncio.create_task(_tail(process.stderr))
        try:
            address = await _address(process, name, errors)
            async with grpc.aio.insecure_channel(address, options=_OPTIONS) as channel:
                drain = asyncio.create_task(_tail(process.stdout))
                yield Player(name, channel, key, await _cast(channel, key))
                drain.cancel()
        finally:
            await _ended(process)
            errors.cancel()
            shutil.rmtree(home, ignore_errors=True)


def _written_key(home: Path) -> str:
    """A key of this process alone: nobody else on the machine is answered."""
    key = secrets.token_hex(32)
    folder = home / "keys"
    folder.mkdir(mode=0o700)
    (folder / "fleet.key").write_text(key)
    return key


async def _started(part: Part, home: Path, bytecode: Path) -> asyncio.subprocess.Process:
    wheels = (str(wheel.absolute()) for wheel in (part.wheels.flows, part.wheels.contract))
    arguments = ("--wheels", *wheels, "--replay", "--hash-seed", part.hash_seed)
    return await asyncio.create_subprocess_exec(
        *isolated_command("omnium_worker", *arguments, cache=bytecode),
        env=isolated_environment({"OMNIUM_HOME": str(home)}, hash_seed=part.hash_seed),
        cwd=home,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _address(process: asyncio.subprocess.Process, name: str, errors: asyncio.Task[str]) -> str:
    """Where it listens, from the line of its log that says that it serves."""
    reason = ""
    assert process.stdout is not None
    with suppress(TimeoutError):
        async with asyncio.timeout(START_S):
            async for line in process.stdout:
                told = _parsed(line)
                if told.get("event") == "worker.serving":
                    return str(told["address"])
                reason = str(told.get("message") or reason)
            reason = reason or (await errors).strip()[-500:]
    raise Refused(
        f"The {name} release does not start: {reason or f'it says nothing for {START_S:.0f} s'}",
        reason="not_started",
    )


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        told: dict[str, Any] = json.loads(line)
    except ValueError:
        return {"message": line.decode(errors="replace").strip()}
    return told


async def _tail(stream: asyncio.StreamReader | None) -> str:
    """The last of what a process says, read so that it never waits for us."""
    assert stream is not None
    said = b""
    while piece := await stream.read(1 << 16):
        said = (said + piece)[-4096:]
    return said.decode(errors="replace")


async def _cast(channel: grpc.aio.Channel, key: str) -> Cast:
    stub: Any = replay_pb2_grpc.ReplayServiceStub(channel)
    told = await stub.Describe(replay_pb2.DescribeRequest(), metadata=((_KEY_HEADER, key),))
    programs = [orjson.loads(program) for program in told.programs]
    return Cast(
        version=told.release.version,
        code_sha=told.release.code_sha,
        contract_sha=told.release.contract_sha,
        runtime_sha=told.release.runtime_sha,
        programs={program["code"]: program for program in programs},
    )


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(STOP_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _gone(name: str, version: str, error: grpc.aio.AioRpcError) -> Refused:
    return Refused(
        f"The worker of the {name} release {version} ended in the middle of a match: {error.details()}. "
        "A rule that can't be stopped ends its process; play the matches in smaller folders to find it.",
        reason="player_gone",
    )
