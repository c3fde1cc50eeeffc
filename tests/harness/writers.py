"""Writers of records, called as the engine calls them: in a transaction, with a worker's rights."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import asyncpg

from harness.world import Connection, World
from omnium_store import read_models

VERSION = "0.1.0+g000000000001"


class RecordRefused(Exception):
    """A writer's no: `args` are the reason and the sentence."""


@dataclass(frozen=True, slots=True)
class Writers:
    """One event with football in it, its default release, and a competition FBL; and the writers on them."""

    connection: Connection
    world: World
    event: uuid.UUID
    sport: uuid.UUID
    release: uuid.UUID
    competition: uuid.UUID

    async def write(
        self,
        kind: str,
        data: Mapping[str, Any],
        *,
        fixture: uuid.UUID | None = None,
        source: str = "person",
        is_dry_run: bool = False,
    ) -> dict[str, Any]:
        """The report of one record; a dry run is taken back. Raises `RecordRefused`."""
        context = {
            "eventId": str(self.event),
            "fixtureId": None if fixture is None else str(fixture),
            "source": source,
            "actor": "Ada",
            "releaseId": str(self.release),
            "version": 0,
            "dryRun": is_dry_run,
        }
        name = f"write_{kind.replace('.', '_')}_v1"
        transaction = self.connection.transaction()
        await transaction.start()
        try:
            await self.connection.execute("SET LOCAL ROLE omnium_worker")
            told = await self.connection.fetchval(
                f"SELECT {name}($1::jsonb, $2::jsonb)", json.dumps(context), json.dumps(data)
            )
        except asyncpg.PostgresError as error:
            await transaction.rollback()
            if error.sqlstate != "OM001":
                raise
            raise RecordRefused(error.detail, error.message) from None
        await (transaction.rollback() if is_dry_run else transaction.commit())
        report: dict[str, Any] = json.loads(told)
        return report

    @classmethod
    async def in_fresh_event(cls, connection: Connection) -> Writers:
        """A fresh event with football, below it the competition FBL."""
        world = World(connection)
        sport = await world.sport("football")
        await world.sport("games")
        event = await world.event("games-2026")
        release = await world.release(VERSION)
        competition = await world.competition("FBL", parent=event, sport=sport)
        made = cls(connection, world, event, sport, release, competition)
        await world.default(release, sport=sport)
        await made.program(release)
        return made

    async def program(self, release: uuid.UUID, workflow: str = "football", **document: Any) -> None:
        """A release's program of one workflow."""
        await self.connection.execute(
            """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
               VALUES ($1, $2, 1, $3, '')""",
            release, workflow, json.dumps({"code": workflow, "scope": [], **document}),
        )  # fmt: skip

    async def match(
        self, *sides: str, mode: str = "scorecard", status: str = "SCHEDULED", code: str = "M1"
    ) -> Match:
        """A duel of football with these sides."""
        made = await self.world.fixture(
            code,
            competition=self.competition,
            sport=self.sport,
            release=self.release if mode == "events" else None,
            status=status,
        )
        return Match(self, made, await self.world.sides(made, *sides))

    async def participant(self, name: str, *, noc: str | None = None) -> uuid.UUID:
        """Somebody whom the event knows."""
        made: uuid.UUID = await self.connection.fetchval(
            "INSERT INTO participant (event_id, name, noc) VALUES ($1, $2, $3) RETURNING id",
            self.event,
            name,
            noc,
        )
        return made

    async def row(self, query: str, *args: Any) -> dict[str, Any]:
        """The one row of a query, by column."""
        found = await self.connection.fetchrow(query, *args)
        assert found is not None
        return dict(found)


@dataclass(frozen=True, slots=True)
class Match:
    """One fixture and what its own commands' records do to it."""

    writers: Writers
    id: uuid.UUID
    sides: list[uuid.UUID]

    async def write(self, kind: str, source: str = "person", **data: Any) -> dict[str, Any]:
        """The report of a record of kind `fixture.…`."""
        return await self.writers.write(f"fixture.{kind}", data, fixture=self.id, source=source)

    async def edit(self, number: int, source: str = "person", **data: Any) -> dict[str, Any]:
        """Correct side 1, 2, …"""
        return await self.write("sides.set", source, side=str(self.sides[number - 1]), **data)

    async def side(self, number: int) -> dict[str, Any]:
        """The row of side 1, 2, … with its JSON parsed."""
        row = await self.writers.row("SELECT * FROM fixture_competitor WHERE id = $1", self.sides[number - 1])
        return row | {"result": json.loads(row["result"]), "held": json.loads(row["held"])}

    async def row(self) -> dict[str, Any]:
        """The row of the fixture."""
        return await self.writers.row("SELECT * FROM fixture WHERE id = $1", self.id)

    async def place(self, *ranks: int) -> None:
        """Places as a fold's rules would have given them."""
        for entry, rank in zip(self.sides, ranks, strict=True):
            await self.writers.connection.execute(
                """INSERT INTO fixture_competitor_rank (fixture_competitor_id, fixture_id, rank)
                   VALUES ($1, $2, $3)""",
                entry, self.id, rank,
            )  # fmt: skip

    async def shown_places(self) -> int:
        """How many places a screen shows."""
        reading = await read_models.read(self.writers.connection, "fixture.board", {"fixture": str(self.id)})
        return len(json.loads(reading.value).get("places", ()))
