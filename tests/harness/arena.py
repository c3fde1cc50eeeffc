"""An arena: an event with a court match in it, and the road of one release, on a fresh database."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import orjson

from harness import courts
from harness.postgres import Database
from harness.world import SHA, World
from omnium_contract.flows.program import FORMAT_NUMBER, checksum, program_of
from omnium_contract.flows.sport import Workflow
from omnium_proto import command_pb2
from omnium_store.database import Limits, create_pool
from omnium_worker.host import Host
from omnium_worker.identity import Identity
from omnium_worker.road import Road, RoadSettings
from omnium_worker.verify import verify_fixture

LIMITS = Limits(statement_ms=15_000, transaction_ms=18_000, idle_in_transaction_ms=15_000, lock_ms=12_000)


@dataclass(slots=True)
class Arena:
    """One match between `home` and `away`, and a road that scores it."""

    connection: asyncpg.Connection[asyncpg.Record]
    pool: asyncpg.Pool[asyncpg.Record]
    world: World
    release: uuid.UUID
    sport: uuid.UUID
    event: uuid.UUID
    competition: uuid.UUID
    fixture: uuid.UUID
    home: str
    away: str
    host: Host
    road: Road
    bells: list[None] = field(default_factory=list)

    async def send(self, code: str, /, *, key: str | None = None, **told: Any) -> dict[str, Any]:
        """One command on the match; its answer."""
        response = await self.road.execute(self.request(code, key=key, **told), timeout=20)
        answer: dict[str, Any] = orjson.loads(response.answer)
        return answer

    def request(
        self,
        code: str,
        /,
        *,
        key: str | None = None,
        input: Mapping[str, Any] | None = None,
        kind: str = "fixture",
        ref: object = None,
        event: str = "",
        dry_run: bool = False,
        confirm: Sequence[str] = (),
        occurred_at: str = "",
        sender: str = "ada",
        source: str = "",
    ) -> command_pb2.ExecuteRequest:
        """A request as a router would forward it."""
        sender_kind = "SENDER_KIND_INTEGRATION" if source else "SENDER_KIND_PERSON"
        return command_pb2.ExecuteRequest(
            workflow=code.partition(".")[0],
            subject=command_pb2.Subject(kind=kind, ref=str(ref or self.fixture)),
            event=event,
            code=code,
            input=orjson.dumps(input or {}),
            key=uuid.uuid4().hex if key is None else key,
            dry_run=dry_run,
            confirm=confirm,
            occurred_at=occurred_at,
            sender=command_pb2.Sender(
                kind=command_pb2.SenderKind.Value(sender_kind), sub=sender, name=sender.title(), source=source
            ),
        )

    async def point(self, entry: str | None = None, **told: Any) -> dict[str, Any]:
        """One point, to home unless told otherwise."""
        worth = told.pop("worth", 1)
        return await self.send("court.point", input={"entry": entry or self.home, "worth": worth}, **told)

    async def started(self) -> Arena:
        """The match, begun."""
        answer = await self.send("court.start")
        assert answer["accepted"], answer
        return self

    def another(self, *workflows: type[Workflow], settings: RoadSettings | None = None, **host: Any) -> Road:
        """One more road on the same database: another worker, or one of another release."""
        made = courts.host(*workflows, **{"release": self.release, **host})
        return Road(made, self.pool, made.identity, lambda: self.bells.append(None), settings=settings)

    async def other_release(self, version: str = "0.2.0+g000000000002") -> Identity:
        """One more release in the database."""
        release = await self.world.release(version)
        await self.connection.execute(
            "UPDATE plugin_release SET code_sha = $2 WHERE id = $1", release, "2" * 64
        )
        return Identity(
            version=version, release_id=release, code_sha="2" * 64, contract_sha=SHA, runtime_sha="1" * 64
        )

    async def rows(self, table: str, *columns: str) -> list[dict[str, Any]]:
        """All rows of a table."""
        found = await self.connection.fetch(f"SELECT {', '.join(columns) or '*'} FROM {table} ORDER BY 1")
        return [dict(row) for row in found]

    async def counts(self) -> dict[str, int]:
        """How many rows there are of all that a command writes, with the match's version."""
        tables = [
            "timeline_item",
            "timeline_actor",
            "scoreboard",
            "scoring_checkpoint",
            "stat_value",
            "fixture_competitor_rank",
            "domain_event",
            "stat_job",
            "refused_command",
        ]
        found = {t: await self.connection.fetchval(f"SELECT count(*) FROM {t}") for t in tables}
        version = await self.connection.fetchval("SELECT version FROM fixture WHERE id = $1", self.fixture)
        return {**found, "version": version}

    async def advisory_locks(self, *, waiting: bool = False) -> int:
        """How many locks of subjects are held in this database, or waited for."""
        found: int = await self.connection.fetchval(
            """SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
               WHERE locktype = 'advisory' AND datname = current_database() AND granted <> $1""",
            waiting,
        )
        return found

    async def problems(self, host: Host | None = None) -> tuple[str, ...]:
        """What verifying the match against its log finds."""
        found = await verify_fixture(self.connection, host or self.host, self.fixture)
        return found.problems


@asynccontextmanager
async def open_arena(
    database: Database, *workflows: type[Workflow], format: Mapping[str, Any] | None = None, **host: Any
) -> AsyncIterator[Arena]:
    """A fresh one."""
    connection = await database.connect()
    pool = await create_pool(database.dsn, role="omnium_worker", size=8, limits=LIMITS)
    try:
        yield await _built(connection, pool, *workflows, format=format or {}, **host)
    finally:
        await pool.close()
        await connection.close()


async def _built(
    connection: asyncpg.Connection[asyncpg.Record],
    pool: asyncpg.Pool[asyncpg.Record],
    *workflows: type[Workflow],
    format: Mapping[str, Any],
    **host: Any,
) -> Arena:
    world = World(connection)
    sport, games = await world.sport("court"), await world.sport("games")
    release = await world.release()
    for scope in (sport, games):
        await world.default(release, sport=scope)
    event = await world.event("open-2026")
    competition = await world.competition("singles", parent=event, sport=sport)
    fixture = await world.fixture(
        "final", competition=competition, sport=sport, release=release, workflow="court"
    )
    await connection.execute(
        "UPDATE fixture SET format = $2 WHERE id = $1", fixture, orjson.dumps(format).decode()
    )
    home, away = await world.sides(fixture, "Home", "Away")
    bells: list[None] = []
    made = courts.host(*workflows, **{"release": release, **host})
    await publish(connection, made)
    road = Road(made, pool, made.identity, lambda: bells.append(None))
    return Arena(
        connection=connection,
        pool=pool,
        world=world,
        release=release,
        sport=sport,
        event=event,
        competition=competition,
        fixture=fixture,
        home=str(home),
        away=str(away),
        host=made,
        road=road,
        bells=bells,
    )


async def publish(connection: asyncpg.Connection[asyncpg.Record], host: Host) -> None:
    """The programs of the release, as registering writes them."""
    for workflow in host.registry.workflows():
        document = program_of(workflow)
        await connection.execute(
            """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
               VALUES ($1, $2, $3, $4, $5)""",
            host.identity.release_id,
            workflow.code,
            FORMAT_NUMBER,
            orjson.dumps(document).decode(),
            checksum(document),
        )
