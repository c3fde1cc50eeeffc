"""Stages: the workers that matches are played on, of a registered release or of two wheel files."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnium_proto import replay_pb2
from omnium_releases.artifacts import ReleaseFiles, fetch
from omnium_releases.corpus.performances import Performance, Standing, Unproven, Verdict
from omnium_releases.replay.entries import CorpusEntry, RecordedBy
from omnium_releases.replay.messages import batches
from omnium_releases.replay.players import Player, player, written
from omnium_releases.replay.streams import steps
from omnium_store.database import Connection


@dataclass(frozen=True, slots=True)
class PlayerStage:
    """A player as a stage."""

    player: Player

    @property
    def release(self) -> RecordedBy:
        """What it plays under."""
        return RecordedBy(version=self.player.cast.version, code_sha=self.player.cast.code_sha)

    @property
    def runtime_sha(self) -> str:
        """What remains of the platform that rules may depend on."""
        return self.player.cast.runtime_sha

    def program(self, workflow: str) -> Mapping[str, Any] | None:
        """The program document of a workflow, None if the release has no such one."""
        return self.player.cast.programs.get(workflow)

    async def play(self, entry: CorpusEntry) -> Performance:
        """Play a match. Raises `Unproven` where the release can't take it at all."""
        pieces = await self._pieces(entry)
        end = pieces[-1].end
        return Performance(
            verdicts=tuple(_verdict(judged) for piece in pieces for judged in piece.judged),
            state=end.state,
            lines=end.lines,
            places=end.places,
        )

    async def watch(self, entry: CorpusEntry) -> AsyncIterator[Standing]:
        """Play a match and tell what is true before its first command and after each. Raises `Unproven`."""
        begun = (await self._pieces(entry, upto=0))[-1].end
        yield Standing(command=None, state=begun.state, lines=begun.lines, places=begun.places)
        everywhere, commands = frozenset(range(len(entry.log))), iter(entry.log)
        async for step in steps(self.player, entry, upto=len(entry.log), derive=everywhere):
            now = step.values
            yield Standing(command=next(commands), state=now.state, lines=now.lines, places=now.places)

    async def _pieces(
        self, entry: CorpusEntry, *, upto: int | None = None
    ) -> list[replay_pb2.ReplayBatchJudged]:
        pieces = []
        async for answer in self.player.answers(_each(batches(entry, derive=frozenset(), upto=upto))):
            if answer.batch.started.problem:  # the worker would refuse whatever follows
                raise Unproven(
                    f"{entry.workflow} can't be played by this release: {answer.batch.started.problem}"
                )
            pieces.append(answer.batch)
        return pieces


@dataclass(frozen=True, slots=True)
class RegisteredStages:
    """Workers of registered releases, from the wheels that the database has."""

    conn: Connection
    bytecode: Path

    @asynccontextmanager
    async def of(self, version: str) -> AsyncIterator[PlayerStage]:
        """A worker of this release. Raises `NotFound`, `Refused`."""
        stored = await fetch(self.conn, version)
        async with stage_of(stored.files, bytecode=self.bytecode) as stage:
            yield stage


@asynccontextmanager
async def stage_of(files: ReleaseFiles, *, bytecode: Path) -> AsyncIterator[PlayerStage]:
    """A worker of two wheels for as long as the context lasts. Raises `Refused` if it does not come up."""
    with written(files) as wheels:
        async with player(files.version, wheels, bytecode=bytecode) as running:
            yield PlayerStage(running)


async def _each(requests: Sequence[replay_pb2.ReplayRequest]) -> AsyncIterator[replay_pb2.ReplayRequest]:
    for request in requests:
        yield request


def _verdict(judged: replay_pb2.ReplayJudged) -> Verdict:
    return Verdict(
        accepted=judged.accepted,
        refusal=judged.refusal,
        reason=judged.reason or None,
        message=judged.message,
        digest=judged.state.hex(),
    )
