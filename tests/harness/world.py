"""A small world of rows, straight in the tables: for tests of what reads them."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from omnium_store.database import Connection

__all__ = ["EVER", "SHA", "START", "Connection", "World"]

SHA: Final = "0" * 64
EVER: Final = datetime.min.replace(tzinfo=UTC)
START: Final = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class World:
    """Makes rows; each method returns the id of what it made."""

    connection: Connection

    async def sport(self, code: str = "football") -> uuid.UUID:
        """A sport; the same one for the same code."""
        return await self._id(
            """INSERT INTO sport (code, name) VALUES ($1, $1)
               ON CONFLICT (code) DO UPDATE SET name = sport.name RETURNING id""",
            code,
        )

    async def release(self, version: str = "0.1.0+g000000000001", *, status: str = "prod") -> uuid.UUID:
        """A release without wheels."""
        return await self._id(
            """INSERT INTO plugin_release
                   (version, code_sha, contract_sha, contract_version, status, registered_by)
               VALUES ($1, $2, $2, '0.1.0', $3, 'test') RETURNING id""",
            version, SHA, status,
        )  # fmt: skip

    async def release_of(self, version: str, *sports: str, status: str = "prod") -> uuid.UUID:
        """A release that holds small programs of these sports."""
        made = await self.release(version, status=status)
        for sport in sports:
            await self.sport(sport)
            await self.connection.execute(
                """INSERT INTO scoring_program_version
                       (release_id, workflow, format_number, document, checksum)
                   VALUES ($1, $2, 1, '{"title": "T", "mode": "fold", "commands": []}', 'x')""",
                made, sport,
            )  # fmt: skip
        return made

    async def report(self, release: uuid.UUID, *sports: str) -> int:
        """A passed replay report of a release, by goldens alone."""
        stored: int = await self.connection.fetchval(
            """INSERT INTO replay_report
                   (release_id, new_code_sha, new_contract_sha, corpus_digest, content_sha, passed, sports,
                    matches, events, differences, failures, document, stored_by)
               SELECT id, code_sha, contract_sha, $3, $3, true, $2, 1, 1, 0, 0, '{}', 'test'
               FROM plugin_release WHERE id = $1 RETURNING id""",
            release, list(sports), SHA,
        )  # fmt: skip
        return stored

    async def event(
        self, code: str = "games", *, timezone: str = "UTC", settings: Mapping[str, Any] | None = None
    ) -> uuid.UUID:
        """An event: the root of a tree of competitions."""
        return await self._id(
            """INSERT INTO competition (id, event_id, code, name, timezone, settings)
               SELECT id, id, $1, initcap($1), $2, $3::jsonb FROM gen_random_uuid() AS id RETURNING id""",
            code, timezone, json.dumps(settings or {}),
        )  # fmt: skip

    async def competition(self, code: str, *, parent: uuid.UUID, sport: uuid.UUID | None = None) -> uuid.UUID:
        """A competition below another one, or below an event."""
        return await self._id(
            """INSERT INTO competition (event_id, parent_id, code, name, sport_id)
               SELECT event_id, id, $1, initcap($1), $3 FROM competition WHERE id = $2 RETURNING id""",
            code, parent, sport,
        )  # fmt: skip

    async def default(
        self,
        release: uuid.UUID,
        *,
        sport: uuid.UUID,
        competition: uuid.UUID | None = None,
        at: datetime = EVER,
    ) -> uuid.UUID:
        """A default from a moment on."""
        return await self._id(
            """INSERT INTO release_default (sport_id, competition_id, release_id, from_at, set_by)
               VALUES ($1, $2, $3, $4, 'test') RETURNING id""",
            sport, competition, release, at,
        )  # fmt: skip

    async def fixture(
        self,
        code: str,
        *,
        competition: uuid.UUID,
        sport: uuid.UUID,
        release: uuid.UUID | None = None,
        start: datetime | None = START,
        status: str = "SCHEDULED",
        workflow: str = "football",
    ) -> uuid.UUID:
        """A duel; `events` mode if it has a release."""
        return await self._id(
            """INSERT INTO fixture
                   (event_id, competition_id, sport_id, code, archetype, fixture_type, workflow,
                    scoring_mode, release_id, scheduled_start, status)
               SELECT event_id, id, $3, $1, 'duel', 'match', $8, $7, $4, $5, $6 FROM competition WHERE id = $2
               RETURNING id""",
            code, competition, sport, release, start, status, "events" if release else "scorecard", workflow,
        )  # fmt: skip

    async def sides(self, fixture: uuid.UUID, *names: str) -> list[uuid.UUID]:
        """Sides in order; a side's code is the first three letters of its name."""
        made = []
        for position, name in enumerate(names, start=1):
            made.append(
                await self._id(
                    """INSERT INTO fixture_competitor (fixture_id, position, code, name, noc)
                       VALUES ($1, $2, $3, $4, $3) RETURNING id""",
                    fixture, position, name[:3].upper(), name,
                )
            )  # fmt: skip
        return made

    async def result(self, side: uuid.UUID, *, rank: int | None = None, **result: Any) -> None:
        """What a side has: a typed rank, and the fields of its result."""
        await self.connection.execute(
            "UPDATE fixture_competitor SET rank = $2, result = $3 WHERE id = $1",
            side, rank, json.dumps(result),
        )  # fmt: skip

    async def place(self, side: uuid.UUID, rank: int, *, shared: bool = False) -> None:
        """A side's place, as its log's rules gave it."""
        await self.connection.execute(
            """INSERT INTO fixture_competitor_rank (fixture_competitor_id, fixture_id, rank, shared)
               SELECT id, fixture_id, $2, $3 FROM fixture_competitor WHERE id = $1""",
            side, rank, shared,
        )  # fmt: skip

    async def official(self, fixture: uuid.UUID) -> None:
        """Its result stands."""
        await self.connection.execute(
            "UPDATE fixture SET status = 'COMPLETED', official = true WHERE id = $1", fixture
        )

    async def board(self, fixture: uuid.UUID, state: bytes, *, seq: int = 1) -> None:
        """The stored state of a fixture, and the version that it came with."""
        await self.connection.execute(
            """INSERT INTO scoreboard
                   (fixture_id, state, digest, seq, events, prefix_hash, code_sha, runtime_sha)
               VALUES ($1, $2, $3, $4::bigint, ($4::bigint)::int, $3, $5, $5)
               ON CONFLICT (fixture_id) DO UPDATE SET state = $2, digest = $3, seq = $4""",
            fixture, state, hashlib.sha256(state).digest(), seq, SHA,
        )  # fmt: skip
        await self.connection.execute("UPDATE fixture SET version = version + 1 WHERE id = $1", fixture)

    async def log_row(
        self,
        fixture: uuid.UUID,
        seq: int,
        code: str,
        payload: Mapping[str, Any] | str,
        *,
        confirmed: Sequence[str] = (),
        release: uuid.UUID | None = None,
    ) -> None:
        """One accepted command of a fixture."""
        await self.connection.execute(
            """INSERT INTO timeline_item
                   (stream_id, fixture_id, sender, actor, event_type, unit, seq, fold_order,
                    occurred_at, payload, confirmed, idempotency_key, input_hash, answer, code_sha,
                    runtime_sha, row_hash, release_id)
               VALUES ($1, $1, 'person:ada', 'Ada', $2, 'event', $3::bigint, $3::bigint, $4, $5, $6,
                       'key-' || $3::bigint, '\\x00', '{}', $7, $7, '\\x00', $8)""",
            fixture, code, seq, START, payload if isinstance(payload, str) else json.dumps(payload),
            list(confirmed), SHA, release,
        )  # fmt: skip
        await self.connection.execute(
            "UPDATE fixture SET next_seq = greatest(next_seq, $2 + 1) WHERE id = $1", fixture, seq
        )

    async def medals(
        self,
        event: uuid.UUID,
        noc: str,
        *numbers: int | None,
        origin: str = "imported",
        place: int | None = None,
    ) -> None:
        """Gold, silver and bronze of a country from one origin; None where that origin says nothing."""
        await self.connection.execute(
            """INSERT INTO medal_count (event_id, noc, origin, gold, silver, bronze, place)
               VALUES ($1, $2, $3, $4, $5, $6, $7)""",
            event, noc, origin, *numbers, place,
        )  # fmt: skip

    async def _id(self, query: str, *args: Any) -> uuid.UUID:
        made: uuid.UUID = await self.connection.fetchval(query, *args)
        return made
