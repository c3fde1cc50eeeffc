"""A router in this process, on a real database, and rows for it to work on."""

from __future__ import annotations

import io
import json
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp

from harness.postgres import Database
from harness.stand_in import StandIn, until
from harness.world import World
from omnium_router.identities import LIVE, ReleaseRef
from omnium_router.process import Serving, serving
from omnium_router.settings import Listen, RouterSettings
from omnium_store.access import Kind, Role
from omnium_store.tokens import TokenKeys

FLEET_KEY = "f" * 64
VERSION = "0.1.0+g000000000001"


def program(code: str, *, mode: str, subject: str, commands: Sequence[dict[str, Any]]) -> str:
    """The document of a small workflow."""
    return json.dumps(
        {"code": code, "title": code, "description": f"All of {code}.", "mode": mode, "subject": subject,
         "commands": [{"title": one["code"], "input": {"type": "object"}, **one} for one in commands],
         "validations": [], "actions": [], "branches": [], "stats": []}
    )  # fmt: skip


PROGRAMS = {
    "football": program(
        "football", mode="fold", subject="fixture",
        commands=[{"code": "football.goal"}, {"code": "football.relay", "appliesTo": ["relay"]}],
    ),
    "results": program(
        "results", mode="apply", subject="fixture",
        commands=[{"code": "results.edit_side"}, {"code": "results.import_results", "imports": True}],
    ),
    "games": program(
        "games", mode="apply", subject="event",
        commands=[{"code": "games.add_unit"}, {"code": "games.import_schedule", "imports": True}],
    ),
}  # fmt: skip


@dataclass(slots=True)
class Scene:
    """Rows to work on: an event `tokyo` with one football match in events mode and one scored by its card."""

    database: Database
    world: World
    release: ReleaseRef
    event: uuid.UUID
    competition: uuid.UUID
    match: uuid.UUID
    card: uuid.UUID
    leases: list[StandIn] = field(default_factory=list)

    async def add_worker(self, worker: StandIn | None = None) -> StandIn:
        """A stand-in with a lease of its own."""
        worker = worker or StandIn(self.release)
        lease = await worker.start()
        self.leases.append(worker)
        await self.world.connection.execute(
            """INSERT INTO worker_instance
                   (id, address, release_id, code_sha, contract_sha, runtime_sha, lane, capacity, build,
                    schema_number, pid, heartbeat_at)
               VALUES ($1, $2, $3, $4, $5, 'runtime', $6, 32, '0.1.0', 1, 1, now() + interval '1 hour')""",
            lease.id, lease.address, lease.release.id, lease.release.code_sha, lease.release.contract_sha,
            LIVE,
        )  # fmt: skip
        await self.world.connection.execute("NOTIFY omnium_fleet")
        return worker

    async def copy_programs(self, release_id: uuid.UUID) -> None:
        """Another release offers the same."""
        await self.world.connection.execute(
            """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
               SELECT $1, workflow, 1, document, checksum FROM scoring_program_version
               WHERE release_id = $2""",
            release_id, self.release.id,
        )  # fmt: skip


@asynccontextmanager
async def made_scene(database: Database) -> AsyncIterator[Scene]:
    """The rows, on a fresh database."""
    connection = await database.connect()
    world = World(connection)
    release_id = await world.release(VERSION)
    row = await connection.fetchrow("SELECT * FROM plugin_release WHERE id = $1", release_id)
    assert row is not None
    release = ReleaseRef(release_id, row["version"], row["code_sha"], row["contract_sha"])
    for workflow, document in PROGRAMS.items():
        await connection.execute(
            """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
               VALUES ($1, $2, 1, $3, 'checksum')""",
            release_id, workflow, document,
        )  # fmt: skip
    await world.report(release_id, "football")
    sport, games = await world.sport("football"), await world.sport("games")
    await world.default(release_id, sport=sport)
    await world.default(release_id, sport=games)
    event = await world.event("tokyo", timezone="Asia/Tokyo")
    competition = await world.competition("men", parent=event, sport=sport)
    match = await world.fixture("m-1", competition=competition, sport=sport, release=release_id)
    card = await world.fixture("m-2", competition=competition, sport=sport)
    await world.sides(match, "United", "City")
    made = Scene(database, world, release, event, competition, match, card)
    yield made
    for worker in made.leases:
        await worker.die()
    await connection.close()


@dataclass(frozen=True, slots=True)
class Desk:
    """A client of the router with one token."""

    url: str
    session: aiohttp.ClientSession
    token: str

    async def ask(self, method: str, path: str, **options: Any) -> tuple[int, Any, aiohttp.ClientResponse]:
        """Status, JSON body and the response."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= options.pop("headers", {})
        if "json" in options:  # a file, since aiohttp warns of large bytes
            options["data"] = io.BytesIO(json.dumps(options.pop("json")).encode())
            headers["Content-Type"] = "application/json"
        async with self.session.request(method, self.url + path, headers=headers, **options) as response:
            content = await response.read()
            is_json = "json" in response.content_type
            return response.status, json.loads(content) if content and is_json else content, response

    async def get(self, path: str, **options: Any) -> tuple[int, Any]:
        """Status and JSON body."""
        status, body, _ = await self.ask("GET", path, **options)
        return status, body

    async def post(self, path: str, sent: Any, **options: Any) -> tuple[int, Any]:
        """Status and JSON body."""
        status, body, _ = await self.ask("POST", path, json=sent, **options)
        return status, body

    async def command(self, fixture: uuid.UUID, code: str = "football.goal", **body: Any) -> tuple[int, Any]:
        """Send one command to a fixture."""
        workflow = code.split(".", maxsplit=1)[0]
        path = f"/workflows/{workflow}/subjects/fixture/{fixture}/commands"
        return await self.post(path, {"code": code, "input": {}, "key": uuid.uuid4().hex, **body})


@dataclass(frozen=True, slots=True)
class Router:
    """A router that answers, and tokens for it."""

    serving: Serving
    session: aiohttp.ClientSession
    keys: TokenKeys

    def token(
        self, *roles: Role, kind: Kind = Kind.PERSON, sub: str = "ada", hours: float = 1, **claims: Any
    ) -> str:
        """A token of this router's own key."""
        token, _ = self.keys.issue(sub=sub, roles=roles, kind=kind, lifetime=timedelta(hours=hours), **claims)
        return token

    def desk(self, *roles: Role, **claims: Any) -> Desk:
        """A client with these roles."""
        return Desk(self.serving.http, self.session, self.token(*roles, **claims))

    def importer(self, **claims: Any) -> Desk:
        """A client that is an integration."""
        return self.desk(kind=Kind.INTEGRATION, sub="feed", source="odf", **claims)

    async def ready(self, scene: Scene, worker: StandIn | None = None) -> StandIn:
        """A stand-in that this router has found ready."""
        made = await scene.add_worker(worker)
        pool = self.serving.services.fleet.pool(made.release, made.lane)
        await until(lambda: made.id in pool.workers and pool.workers[made.id].is_ready)
        return made

    def stranger(self, token: str = "") -> Desk:
        """A client without a token, or with any text for one."""
        return Desk(self.serving.http, self.session, token)


def settings_of(database: Database, home: Path, **changes: Any) -> RouterSettings:
    """Settings of a router on this database and this home, quick to end."""
    (home / "keys").mkdir(exist_ok=True)
    (home / "keys" / "fleet.key").write_text(FLEET_KEY + "\n")
    quick = {"router_drain_notice_ms": 0, "router_drain_grace_ms": 1_000, "router_wait_for_worker_ms": 200}
    free = {"router_listen": Listen("127.0.0.1", 0), "router_grpc_listen": Listen("127.0.0.1", 0)}
    return RouterSettings(database_url=database.dsn, home=home, **{**quick, **free, **changes})


@asynccontextmanager
async def made_router(database: Database, home: Path, **changes: Any) -> AsyncIterator[Router]:
    """A router that answers inside the block."""
    settings = settings_of(database, home, **changes)
    async with serving(settings) as made, aiohttp.ClientSession() as session:
        yield Router(made, session, TokenKeys.load_or_create(settings.token_keys))
