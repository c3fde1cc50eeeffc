"""A database with finished football matches in it, played through a real worker by people with names."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import asyncpg
import pytest

from harness.fleet import working_tree_wheels
from harness.postgres import Database, SharedServer
from harness.wheels import MadeRelease
from harness.workers import RunningWorker, register_release, worker_process
from harness.world import World
from omnium_proto import command_pb2
from omnium_releases.artifacts import ReleaseFiles, Wheel
from omnium_releases.corpus.logged import LoggedMatch, read_match
from omnium_releases.corpus.stages import PlayerStage, stage_of

#: Everybody and everything that has a name. None of these may be in an export.
SCORER: Final = "Wilhelmina Featherstone"
OTHER: Final = "Desdemona Quartermaine"
KEEPER: Final = "10488231"
SHOUTER: Final = "Referee Oglethorpe cautioned her"
ACTOR: Final = "Bartholomew Desk"
SIDES: Final = (("ZZA", "Zanzibar Athletic", "ZAN"), ("QQB", "Quimper Bretons", "QUI"))
WORDS: Final = (
    *(SCORER, OTHER, KEEPER, SHOUTER, ACTOR, "bartholomew", "Oglethorpe", "Featherstone"),
    *(text for side in SIDES for text in side),
    *("Grand Jubilee Games", "jubilee-2026", "Coronation Cup", "coronation", "Final at Wembleydon"),
    *("Wembleydon", "fed-licence-77", "2026-"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """Two finished matches and one that is not; `log` is how many events and refusals the first has."""

    dsn: str
    home: Path
    release: MadeRelease
    first: uuid.UUID
    second: uuid.UUID
    unfinished: uuid.UUID
    persons: Mapping[str, str]

    async def connect(self) -> asyncpg.Connection[asyncpg.Record]:
        """A connection of the owner."""
        return await asyncpg.connect(self.dsn)


@pytest.fixture(scope="module")
def played(postgres: SharedServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    database = postgres.make()
    yield asyncio.run(_played(database, tmp_path_factory.mktemp("home")))
    postgres.drop(database)


def files_of(played: Played) -> ReleaseFiles:
    """The release that they were played under."""
    return ReleaseFiles.of(Wheel.read(played.release.flows), Wheel.read(played.release.contract))


@asynccontextmanager
async def playing(played: Played) -> AsyncIterator[PlayerStage]:
    """A worker of that release without a database."""
    async with stage_of(files_of(played), bytecode=played.home / "cache") as opened:
        yield opened


async def read(played: Played) -> LoggedMatch:
    """The first match as it is logged."""
    connection = await played.connect()
    try:
        return await read_match(connection, played.first)
    finally:
        await connection.close()


@dataclass(slots=True)
class Desk:
    """Sends commands of one match."""

    worker: RunningWorker
    fixture: uuid.UUID
    home: str
    away: str

    async def send(self, code: str, /, **given: Any) -> Mapping[str, Any]:
        """One command; its answer."""
        request = command_pb2.ExecuteRequest(
            workflow="football",
            subject=command_pb2.Subject(kind="fixture", ref=str(self.fixture)),
            code=f"football.{code}",
            input=json.dumps(given).encode(),
            key=uuid.uuid4().hex,
            sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="bartholomew", name=ACTOR),
            request_id=uuid.uuid4().hex,
        )
        response = await self.worker.execute(request)
        answer: Mapping[str, Any] = json.loads(response.answer)
        return answer

    async def must(self, code: str, /, **given: Any) -> Mapping[str, Any]:
        """One that is accepted."""
        answer = await self.send(code, **given)
        assert answer["accepted"], answer
        return answer


async def _played(database: Database, home: Path) -> Played:
    pair = working_tree_wheels(home / "wheels")
    release = MadeRelease(
        version=pair.version, flows=pair.flows, contract=pair.contract,
        code_sha=pair.code_sha, contract_sha=pair.contract_sha,
    )  # fmt: skip
    release_id = await register_release(database.dsn, release, home)
    connection = await database.connect()
    try:
        world = World(connection)
        sport = await world.sport("football")
        event = await world.event("jubilee-2026")
        await connection.execute("UPDATE competition SET name = 'Grand Jubilee Games' WHERE id = $1", event)
        cup = await world.competition("coronation", parent=event, sport=sport)
        await connection.execute("UPDATE competition SET name = 'Coronation Cup' WHERE id = $1", cup)
        persons = {name: await _participant(connection, event, name) for name in (SCORER, OTHER)}
        fixtures = [await _fixture(world, code, competition=cup, sport=sport, release=release_id)
                    for code in ("final", "third", "later")]  # fmt: skip
        async with worker_process(database.dsn, home, release.version) as worker:
            desks = [Desk(worker, fixture, home, away) for fixture, (home, away) in fixtures]
            await _play_final(desks[0], persons)
            await _play_third(desks[1], persons)
            await desks[2].must("match_start", home=desks[2].home, away=desks[2].away)
    finally:
        await connection.close()
    first, second, third = (desk.fixture for desk in desks)
    return Played(
        dsn=database.dsn, home=home, release=release, first=first, second=second, unfinished=third,
        persons=persons,
    )  # fmt: skip


async def _participant(connection: asyncpg.Connection[Any], event: uuid.UUID, name: str) -> str:
    made = await connection.fetchval(
        """INSERT INTO participant (event_id, name, noc, source_code, external_id)
           VALUES ($1, $2, 'ZAN', 'federation', 'fed-licence-77-' || $2) RETURNING id""",
        event,
        name,
    )
    return str(made)


async def _fixture(
    world: World, code: str, *, competition: uuid.UUID, sport: uuid.UUID, release: uuid.UUID
) -> tuple[uuid.UUID, list[str]]:
    fixture = await world.fixture(
        code, competition=competition, sport=sport, release=release, workflow="football"
    )
    await world.connection.execute(
        "UPDATE fixture SET name = 'Final at Wembleydon', venue = 'Wembleydon' WHERE id = $1", fixture
    )
    sides = [str(side) for side in await world.sides(fixture, *(name for _, name, _ in SIDES))]
    for side, (code_, _, noc) in zip(sides, SIDES, strict=True):
        await world.connection.execute(
            "UPDATE fixture_competitor SET code = $2, noc = $3 WHERE id = $1", uuid.UUID(side), code_, noc
        )
    return fixture, sides


async def _play_final(desk: Desk, persons: Mapping[str, str]) -> None:
    """2-1, with a line-up, cards, a correction, and refusals of three kinds."""
    home, away = desk.home, desk.away
    squad = [persons[SCORER], KEEPER, *(f"player {number}" for number in range(3, 12))]
    refused = await desk.send("goal", entry=home, kind="open_play")
    assert refused["refusal"] == "rejected"
    await desk.must("lineup", entry=home, starters=squad, bench=[persons[OTHER]], keeper=KEEPER)
    await desk.must("match_start", home=home, away=away)
    await desk.must("goal", entry=home, kind="header", scorer=persons[SCORER], minute=12)
    refused = await desk.send("goal", entry=home, kind="header", scorer=persons[OTHER], minute=13)
    assert (refused["refusal"], persons[OTHER] in refused["message"]) == ("rejected", True)
    refused = await desk.send("goal", entry=home, kind="volley", scorer=SCORER, nickname="Minnie")
    assert refused["refusal"] == "input"
    caution: dict[str, Any] = {
        "person": OTHER,
        "role": "player",
        "colour": "yellow",
        "reason": SHOUTER,
        "minute": 20,
    }
    await desk.must("card", entry=away, **caution)
    refused = await desk.send("card", entry=away, **caution)
    assert refused["refusal"] == "confirm"
    cancelled = await desk.must("goal", entry=away, kind="open_play", scorer=OTHER, minute=30)
    await desk.must("goal_cancel", seq=cancelled["seq"], reason="offside")
    await desk.must("goal", entry=away, kind="penalty", scorer=OTHER, minute=44)
    await desk.must("half_end", added=2)
    await desk.must("half_start", period="2H")
    await desk.must("substitution", entry=home, off=persons[SCORER], on=persons[OTHER], minute=60)
    await desk.must("goal", entry=home, kind="open_play", scorer=persons[OTHER], minute=70)
    await desk.must("half_end")
    await desk.must("match_end")


async def _play_third(desk: Desk, persons: Mapping[str, str]) -> None:
    """0-1 without line-ups."""
    await desk.must("match_start", home=desk.home, away=desk.away)
    await desk.must("goal", entry=desk.away, kind="open_play", scorer=persons[SCORER], minute=3)
    await desk.must("half_end")
    await desk.must("half_start", period="2H")
    await desk.must("half_end")
    await desk.must("match_end")
