"""A load of commands over HTTP: a closed loop a client, on connections that stay open."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Self
from urllib.parse import urlsplit

from bench.fleets import Match

#: One command: path and body.
Ask = tuple[str, bytes]


@dataclass(slots=True)
class Load:
    """What a load came to: how many answers in how many seconds, each one's time, and what went wrong."""

    seconds: float = 0.0
    times: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Answers a second."""
        return len(self.times) / self.seconds


class Line:
    """One HTTP/1.1 connection that stays open. It reads no more of an answer than it must."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: bytes) -> None:
        self._reader, self._writer, self._head = reader, writer, head

    @classmethod
    async def open(cls, url: str, token: str) -> Self:
        """A line to the server at `url`."""
        at = urlsplit(url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        head = f"Host: {at.netloc}\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        return cls(reader, writer, head.encode())

    async def post(self, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and body of the answer."""
        self._writer.write(
            b"POST %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s"
            % (path.encode(), self._head, len(body), body)
        )
        head = await self._reader.readuntil(b"\r\n\r\n")
        lower = head.lower()
        at = lower.index(b"content-length:") + 15
        length = int(lower[at : lower.index(b"\r\n", at)])
        return int(head[9:12]), await self._reader.readexactly(length)

    def close(self) -> None:
        """Close it."""
        self._writer.close()


def goals(matches: Sequence[Match]) -> Callable[[], Ask]:
    """Gives goal after goal, each with a key of its own, by turns in all of `matches`: none gets too many."""
    goal = {"kind": "open_play", "minute": 10}
    turns = cycle([commands(m, "football.goal", {"entry": m.home, **goal}) for m in matches])

    def ask() -> Ask:
        return next(turns)()

    return ask


def commands(match: Match, code: str, given: dict[str, Any]) -> Callable[[], Ask]:
    """Gives the same command again and again, each with a key of its own."""
    path = f"/workflows/football/subjects/fixture/{match.id}/commands"

    def ask() -> Ask:
        return path, json.dumps({"code": code, "input": given, "key": uuid.uuid4().hex}).encode()

    return ask


async def run(url: str, token: str, asks: Iterable[Callable[[], Ask]], *, seconds: float) -> Load:
    """One client for each of `asks`, all for `seconds`."""
    load = Load()
    lines = [(await Line.open(url, token), ask) for ask in asks]
    began = time.perf_counter()
    until = began + seconds

    async def client(line: Line, ask: Callable[[], Ask]) -> None:
        while (sent := time.perf_counter()) < until:
            status, answer = await line.post(*ask())
            load.times.append(time.perf_counter() - sent)
            if status != 200 or b'"accepted":true' not in answer:
                load.wrong.append(answer[:300].decode(errors="replace"))

    await asyncio.gather(*(client(line, ask) for line, ask in lines))
    load.seconds = time.perf_counter() - began
    for line, _ in lines:
        line.close()
    assert not load.wrong, load.wrong[:2]
    return load
