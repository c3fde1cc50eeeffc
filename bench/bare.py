"""The peer of `road`: the same statements with the same values, sent by asyncpg and nothing else.

The statements of a match's goals are recorded by walking the real road inside one transaction that is then
rolled back, so that sending them again finds the database as they found it.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from bench.fleets import Match
from omnium_proto import command_pb2

#: Statements of one command in order: text and arguments.
Sent = list[tuple[str, tuple[Any, ...]]]


@dataclass(slots=True)
class Recorder:
    """Stands where a pool stands: gives one connection that notes what is sent and never commits."""

    connection: asyncpg.Connection[asyncpg.Record]
    sent: Sent = field(default_factory=list)

    async def acquire(self, *, timeout: float) -> Recorder:
        """Itself."""
        del timeout
        return self

    async def release(self, connection: Recorder) -> None:
        """Nothing."""

    async def execute(self, statement: str) -> None:
        """Note it; the transaction around stays open."""
        self.sent.append((statement, ()))

    async def fetchrow(self, statement: str, *arguments: Any) -> asyncpg.Record | None:
        """Note it and send it."""
        self.sent.append((statement, arguments))
        return await self.connection.fetchrow(statement, *arguments)

    def is_closed(self) -> bool:
        """Never."""
        return False


async def recorded(shell: Any, dsn: str, match: Match, count: int) -> list[Sent]:
    """The statements of `count` goals of a match."""
    from omnium_worker.road import Road  # noqa: PLC0415 - the release must be entered before

    connection = await asyncpg.connect(dsn)
    recorder = Recorder(connection)
    road = Road(shell.host, recorder, shell.host.identity, lambda: None)  # type: ignore[arg-type] # stands in
    found: list[Sent] = []
    transaction = connection.transaction()
    await transaction.start()
    for _ in range(count):
        recorder.sent = []
        answer = await road.execute(goal(match), timeout=10)
        assert answer.accepted, answer.answer
        found.append(recorder.sent)
    await transaction.rollback()
    await connection.close()
    return found


async def recorded_by_turns(shell: Any, dsn: str, matches: Sequence[Match], count: int) -> list[Sent]:
    """The statements of `count` goals of each match, by turns, as `load.goals` sends them."""
    rows = [await recorded(shell, dsn, match, count) for match in matches]
    return [sent for turn in zip(*rows, strict=True) for sent in turn]


def goal(match: Match) -> command_pb2.ExecuteRequest:
    """One goal with a key of its own."""
    return command_pb2.ExecuteRequest(
        workflow="football",
        subject=command_pb2.Subject(kind="fixture", ref=match.id),
        code="football.goal",
        input=b'{"entry":"%s","kind":"open_play","minute":10}' % match.home.encode(),
        key=uuid.uuid4().hex,
        sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="bench", name="Bench"),
    )


async def send(connection: Any, commands: Sequence[Sent], until: float) -> int:
    """Send recorded commands on one connection until the time is over; how many were sent."""
    for number, sent in enumerate(commands):
        if time.perf_counter() > until:
            return number
        for statement, arguments in sent:
            if arguments:
                await connection.fetchrow(statement, *arguments)
            else:
                await connection.execute(statement)
    return len(commands)
