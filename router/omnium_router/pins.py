"""Which release a command belongs to: a fixture's pin, read once; the default of the moment for the rest."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace

import asyncpg

from omnium_router.databases import Database
from omnium_router.identities import ReleaseRef
from omnium_router.metrics import Metrics
from omnium_store.errors import NotFound, Refused
from omnium_store.statements import Statements


@dataclass(frozen=True, slots=True)
class Located:
    """A fixture as the router needs it. `release` is None in scorecard mode."""

    id: uuid.UUID
    event: str
    event_id: uuid.UUID
    competition_id: uuid.UUID
    sport_id: uuid.UUID
    workflow: str
    scoring_mode: str
    release: ReleaseRef | None


@dataclass(frozen=True, slots=True)
class LocatedEvent:
    """An event: the root of a tree of competitions."""

    id: uuid.UUID
    code: str


class Pins:
    """Caches of fixtures, events, releases and defaults; all but the defaults stay until corrected."""

    def __init__(
        self,
        database: Database,
        metrics: Metrics,
        *,
        limit: int,
        default_ttl_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._metrics = metrics
        self._limit = limit
        self._default_ttl_s = default_ttl_s
        self._clock = clock
        self._sql = Statements.of("omnium_router")
        self._fixtures: OrderedDict[uuid.UUID, Located] = OrderedDict()
        self._events: OrderedDict[str, LocatedEvent] = OrderedDict()
        self._releases: dict[str, ReleaseRef] = {}
        self._sports: dict[str, uuid.UUID] = {}
        self._defaults: dict[tuple[uuid.UUID, uuid.UUID], tuple[float, ReleaseRef]] = {}

    def __len__(self) -> int:
        return len(self._fixtures)

    async def fixture(self, ref: uuid.UUID) -> Located:
        """Where a fixture belongs. Raises `NotFound`."""
        known = self._fixtures.get(ref)
        if known is not None:
            self._fixtures.move_to_end(ref)
            self._metrics.pin("hit")
            return known
        self._metrics.pin("miss")
        row = await self._database.row(self._sql["located_fixture"], ref)
        if row is None:
            raise NotFound(f"There is no fixture {ref}.", reason="no_such_fixture")
        return self._keep(_located(row))

    async def event(self, code: str) -> LocatedEvent:
        """An event by its code. Raises `NotFound`."""
        known = self._events.get(code)
        if known is None:
            row = await self._database.row(self._sql["located_event"], code)
            if row is None:
                raise no_such_event(code)
            known = self._events[code] = LocatedEvent(row["id"], row["code"])
            if len(self._events) > self._limit:
                self._events.popitem(last=False)
        return known

    async def release(self, version: str) -> ReleaseRef:
        """A release by its version. Raises `NotFound`."""
        known = self._releases.get(version)
        if known is None:
            row = await self._database.row(self._sql["release_by_version"], version)
            if row is None:
                raise NotFound(f"There is no release {version}.", reason="no_such_release")
            known = self._releases[version] = release_of(row)
        return known

    async def release_to_pin(self, version: str) -> ReleaseRef:
        """A release that a fixture may be pinned to. Raises `NotFound`; `Refused` unless it is prod now."""
        release = await self.release(version)
        row = await self._database.row(self._sql["release_status"], release.id)
        status = row["status"] if row else "gone"
        if status != "prod":
            raise Refused(
                f"Release {version} is {status}. Only a prod release is pinned: "
                "approve it, or choose another one.",
                reason="release_not_prod",
                metadata={"release": version},
            )
        return release

    async def default(self, sport: uuid.UUID, competition: uuid.UUID) -> ReleaseRef:
        """The release of commands without a pin, at most a second old. Raises `Refused` without a default."""
        until, known = self._defaults.get((sport, competition), (0.0, None))
        if known is not None and self._clock() < until:
            return known
        row = await self._database.row(self._sql["default_for_competition"], sport, competition)
        if row is None:
            raise Refused(
                "No release is the default for this. Set one: omnium releases default VERSION --sport SPORT",
                reason="no_default",
            )
        release = release_of(row)
        if len(self._defaults) > self._limit:
            self._defaults.clear()
        self._defaults[sport, competition] = (self._clock() + self._default_ttl_s, release)
        return release

    async def sport(self, code: str) -> uuid.UUID:
        """The sport that a workflow owns its subjects under. Raises `NotFound`."""
        known = self._sports.get(code)
        if known is None:
            row = await self._database.row(self._sql["sport_by_code"], code)
            if row is None:
                raise NotFound(f"There is no workflow {code}.", reason="no_such_workflow")
            known = self._sports[code] = row["id"]
        return known

    async def correct(self, fixture: uuid.UUID | None, version: str) -> ReleaseRef:
        """A worker knew better: it belongs to `version`."""
        self._metrics.pin("corrected")
        release = await self.release(version)
        self._defaults.clear()
        if fixture is not None and (known := self._fixtures.get(fixture)) and known.release is not None:
            self._keep(replace(known, release=release))
        return release

    def _keep(self, located: Located) -> Located:
        self._fixtures[located.id] = located
        if len(self._fixtures) > self._limit:
            self._fixtures.popitem(last=False)
        return located


def no_such_event(code: str) -> NotFound:
    """What is answered for an event that is not there."""
    return NotFound(f"There is no event {code}.", reason="no_such_event")


def release_of(row: asyncpg.Record, column: str = "id") -> ReleaseRef:
    """The release in a row; `column` has its id."""
    return ReleaseRef(row[column], row["version"], row["code_sha"], row["contract_sha"])


def _located(row: asyncpg.Record) -> Located:
    return Located(
        id=row["id"],
        event=row["event"],
        event_id=row["event_id"],
        competition_id=row["competition_id"],
        sport_id=row["sport_id"],
        workflow=row["workflow"],
        scoring_mode=row["scoring_mode"],
        release=release_of(row, "release_id") if row["release_id"] else None,
    )
