"""Taps of scorers over HTTP: sent again with their key until they are answered, everything noted.

A tap is one command with its key. What a desk meets on the way (503, a router that is gone) is kept, so that
a test can say what its clients saw.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp

from harness.fleet import RunningFleet
from omnium_deploy.errors import NotRunning

#: How long a tap is sent again before the test gives up on it.
PATIENCE_S: Final = 60.0
PAUSE_S: Final = 0.1
#: What a client gets while there is no router: no status at all.
AWAY: Final = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Tap:
    """One command of a scorer."""

    fixture: str
    code: str
    key: str
    input: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Where it is sent."""
        return f"/workflows/{self.code.partition('.')[0]}/subjects/fixture/{self.fixture}/commands"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back for one request; `status` is `AWAY` where nothing did."""

    status: int
    body: Mapping[str, Any]
    retry_after: str | None
    seconds: float

    @property
    def reason(self) -> str:
        """Why not, of a problem."""
        return str(self.body.get("reason", ""))


@dataclass(slots=True)
class Desk:
    """A scorer's connection to a fleet, wherever its router is now."""

    fleet: RunningFleet
    session: aiohttp.ClientSession

    async def ask(self, tap: Tap) -> Reply:
        """Send it once."""
        began = time.perf_counter()
        try:
            endpoints = self.fleet.endpoints
            async with self.session.post(
                endpoints.router + tap.path,
                json={"code": tap.code, "input": dict(tap.input), "key": tap.key},
                headers={"Authorization": f"Bearer {endpoints.tokens['scorer']}"},
            ) as response:
                body, status = json.loads(await response.read()), response.status
                retry_after = response.headers.get("Retry-After")
        except (aiohttp.ClientError, NotRunning, ConnectionError) as error:
            body, status, retry_after = {"reason": type(error).__name__}, AWAY, None
        return Reply(status=status, body=body, retry_after=retry_after, seconds=time.perf_counter() - began)

    async def insist(self, tap: Tap, troubles: list[Reply] | None = None) -> Mapping[str, Any]:
        """Send it until it is answered; what was in the way goes to `troubles`."""
        until = time.monotonic() + PATIENCE_S
        while True:
            reply = await self.ask(tap)
            if reply.status == 200:
                return reply.body
            assert reply.status in (AWAY, 503), reply
            assert time.monotonic() < until, f"no answer to {tap} in {PATIENCE_S:.0f} s: {reply}"
            if troubles is not None:
                troubles.append(reply)
            await asyncio.sleep(PAUSE_S)


@asynccontextmanager
async def open_desk(fleet: RunningFleet) -> AsyncIterator[Desk]:
    """A desk with as many connections as it needs."""
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=30)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        yield Desk(fleet, session)


@dataclass(slots=True)
class Traffic:
    """Taps on one match, one after the other, for as long as it runs.

    `answers` are those of the first time by key, `troubles` what was in the way, `times` how long each took.
    """

    desk: Desk
    fixture: str
    code: str
    inputs: tuple[Mapping[str, Any], ...]
    name: str
    pause_s: float = 0.01
    taps: list[Tap] = field(default_factory=list)
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    troubles: list[Reply] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    async def run(self) -> None:
        """Until cancelled; the tap that is under way then is not lost from `taps`."""
        while True:
            await self.tap()
            await asyncio.sleep(self.pause_s)

    async def tap(self) -> Mapping[str, Any]:
        """One more."""
        number = len(self.taps)
        tap = Tap(
            fixture=self.fixture,
            code=self.code,
            key=f"{self.name}-{number}",
            input=self.inputs[number % len(self.inputs)],
        )
        self.taps.append(tap)
        began = time.perf_counter()
        answer = await self.desk.insist(tap, self.troubles)
        self.times.append(time.perf_counter() - began)
        self.answers[tap.key] = answer
        return answer

    async def more(self, count: int, *, within_s: float = PATIENCE_S) -> None:
        """Wait until so many more are answered."""
        wanted, until = len(self.answers) + count, time.monotonic() + within_s
        while len(self.answers) < wanted:
            assert time.monotonic() < until, f"{self.name}: waited {within_s:.0f} s for {count} answers"
            await asyncio.sleep(0.02)


@asynccontextmanager
async def running(*traffics: Traffic) -> AsyncIterator[None]:
    """All of them at once while the body runs. What one of them meets that it must not fails the body."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(traffic.run()) for traffic in traffics]
        yield
        for task in tasks:
            task.cancel()


def percentile(seconds: Iterable[float], share: float) -> float:
    """The value that this share of them does not exceed."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
