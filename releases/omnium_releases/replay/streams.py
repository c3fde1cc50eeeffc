"""Matches to players and back: a few under way at once, and every player's answers to one match together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from omnium_proto.replay_pb2 import ReplayBatchJudged, ReplayJudged, ReplayRan, ReplayRequest
from omnium_releases.replay.comparing import Playing, Step
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.messages import COVERAGE, batches
from omnium_releases.replay.players import Player

#: Matches that are sent before the first of them has come back: a player never waits for us.
AHEAD: Final = 4

Derive = Callable[[CorpusEntry], frozenset[int]]
#: What is done with a match: its entry, and a playing a player.
Played = Callable[[CorpusEntry, Sequence[Playing]], Awaitable[None]]


@dataclass(slots=True)
class _Stream:
    """The long conversation with one player."""

    player: Player
    matches: asyncio.Queue[Sequence[ReplayRequest] | None] = field(
        default_factory=lambda: asyncio.Queue(AHEAD)
    )
    playings: asyncio.Queue[Playing] = field(default_factory=lambda: asyncio.Queue(AHEAD))
    sizes: asyncio.Queue[int] = field(default_factory=asyncio.Queue)
    ran: ReplayRan | None = None

    async def run(self) -> None:
        """Until the last match was answered."""
        answers = self.player.answers(self._requests())
        pieces: list[ReplayBatchJudged] = []
        size = 0
        async for answer in answers:
            if answer.WhichOneof("outcome") == "ran":
                self.ran = answer.ran
                continue
            size = size or await self.sizes.get()
            pieces.append(answer.batch)
            if len(pieces) == size:
                await self.playings.put(_joined(pieces))
                pieces, size = [], 0

    async def _requests(self) -> AsyncIterator[ReplayRequest]:
        while (requests := await self.matches.get()) is not None:
            self.sizes.put_nowait(len(requests))
            for request in requests:
                yield request
        yield COVERAGE


async def play_all(
    players: Sequence[Player], entries: AsyncIterator[CorpusEntry], *, derive: Derive, played: Played
) -> list[ReplayRan]:
    """Play every entry on every player; what ran on each. Raises `Refused` where a player ends before us."""
    streams = [_Stream(player) for player in players]
    order: asyncio.Queue[CorpusEntry | None] = asyncio.Queue(AHEAD)

    async def feed() -> None:
        async for entry in entries:
            requests = batches(entry, derive=derive(entry))
            for stream in streams:
                await stream.matches.put(requests)
            await order.put(entry)
        for stream in streams:
            await stream.matches.put(None)
        await order.put(None)

    async with asyncio.TaskGroup() as group:
        running = [group.create_task(stream.run()) for stream in streams]
        group.create_task(feed())
        while (entry := await order.get()) is not None:
            await played(entry, [await stream.playings.get() for stream in streams])
        await asyncio.gather(*running)
    return [stream.ran or ReplayRan() for stream in streams]


async def steps(
    player: Player, entry: CorpusEntry, *, upto: int, derive: frozenset[int]
) -> AsyncGenerator[Step, None]:
    """The match again, on a stream of its own: its first `upto` commands with the values behind each."""
    asked = batches(entry, derive=derive, upto=upto, values=True)

    async def each() -> AsyncIterator[ReplayRequest]:
        for request in asked:
            yield request

    async for answer in player.answers(each()):
        for judged, values in zip(answer.batch.judged, answer.batch.values, strict=True):
            yield Step(judged, values)


def _joined(pieces: Sequence[ReplayBatchJudged]) -> Playing:
    first, last = pieces[0], pieces[-1]
    judged: Sequence[ReplayJudged] = first.judged
    if len(pieces) > 1:
        judged = [one for piece in pieces for one in piece.judged]
    return Playing(
        judged=judged, problem=first.started.problem, end=last.end if last.HasField("end") else None
    )
