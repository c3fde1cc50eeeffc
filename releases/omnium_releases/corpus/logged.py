"""Matches as the database logged them: their log, their end, their release, and every name in them."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import asyncpg

from omnium_releases.corpus.moments import moment
from omnium_releases.corpus.names import Names
from omnium_releases.replay.entries import (
    CorpusEntry,
    EntryCommand,
    EntryLine,
    EntryPlace,
    EntryRefusal,
    EntrySide,
    RecordedBy,
)
from omnium_store import statuses
from omnium_store.database import Connection
from omnium_store.errors import NotFound
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchHead:
    """A finished match that can be exported."""

    fixture: uuid.UUID
    workflow: str
    release: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """Who sent a command, and under which release it was judged."""

    actor: str
    sender: str
    release: str | None
    code_sha: str
    runtime_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMatch:
    """One match with its names in it. `entry` is its log and its end as they are stored.

    `authors` are of the accepted commands, by seq; `titles` has names of persons by the ids that the log has.
    """

    fixture: uuid.UUID
    name: str
    status: str
    release: str
    entry: CorpusEntry
    authors: Mapping[int, Author]
    state_digest: str | None
    runtime_sha: str | None
    names: Names = field(repr=False)
    titles: Mapping[str, str] = field(repr=False)


async def finished_matches(conn: Connection, *, since: datetime | None = None) -> list[MatchHead]:
    """Every match with a log that is over, of which something was logged since then; by release."""
    rows = await conn.fetch(_SQL["finished_matches"], sorted(statuses.OVER), since)
    return [MatchHead(fixture=row["id"], workflow=row["workflow"], release=row["release"]) for row in rows]


async def read_match(conn: Connection, fixture: uuid.UUID) -> LoggedMatch:
    """One match, all of it as of one moment. Raises `NotFound` if there is none, or none with a log."""
    async with conn.transaction(isolation="repeatable_read", readonly=True):
        head = await conn.fetchrow(_SQL["logged_match"], fixture)
        if head is None:
            raise NotFound(
                f"There is no match {fixture} that is scored event by event.", reason="no_such_fixture"
            )
        return _match(
            head,
            events=await conn.fetch(_SQL["match_events"], fixture),
            refusals=await conn.fetch(_SQL["match_refusals"], fixture),
            lines=await conn.fetch(_SQL["match_lines"], fixture),
            places=await conn.fetch(_SQL["match_places"], fixture),
            persons=await conn.fetch(_SQL["match_persons"], fixture, head["event_id"]),
        )


def _match(
    head: asyncpg.Record,
    *,
    events: Sequence[asyncpg.Record],
    refusals: Sequence[asyncpg.Record],
    lines: Sequence[asyncpg.Record],
    places: Sequence[asyncpg.Record],
    persons: Sequence[asyncpg.Record],
) -> LoggedMatch:
    facts = json.loads(head["facts"])
    known = {text for row in persons for text in (row["id"], *row["names"])}
    return LoggedMatch(
        fixture=head["id"],
        name=head["name"] or head["code"],
        status=head["status"],
        release=head["release"],
        entry=_entry(head, facts, log=_log(events, refusals), lines=lines, places=places),
        authors={row["seq"]: _author(row) for row in events},
        state_digest=head["digest"].hex() if head["digest"] else None,
        runtime_sha=head["runtime_sha"],
        names=Names(
            all=frozenset({*known, *_names(head, facts), *_senders(events), *_senders(refusals)}),
            persons=frozenset(known),
            identities=dict(_identities(persons)),
        ),
        titles={row["id"]: row["names"][0] for row in persons if row["names"]},
    )


def _entry(
    head: asyncpg.Record,
    facts: Mapping[str, Any],
    *,
    log: tuple[EntryCommand, ...],
    lines: Sequence[asyncpg.Record],
    places: Sequence[asyncpg.Record],
) -> CorpusEntry:
    return CorpusEntry(
        id=str(head["id"]),
        workflow=head["workflow"],
        sport=facts["sport"],
        fixture_type=facts["fixtureType"],
        archetype=facts["archetype"],
        format_code=facts["formatCode"],
        format=facts["format"],
        scheduled_start=facts["scheduledStart"],
        fixture_id=str(head["id"]),
        sides=tuple(
            EntrySide(entry=side["entry"], code=side["code"], name=side["name"], noc=side["noc"])
            for side in facts["sides"]
        ),
        log=log,
        state=json.loads(head["state"]) if head["state"] else None,
        lines=tuple(EntryLine(**row) for row in lines),
        places=tuple(EntryPlace(**row) for row in places),
        recorded_by=RecordedBy(version=head["release"], code_sha=head["release_sha"]),
    )


def _log(events: Sequence[asyncpg.Record], refusals: Sequence[asyncpg.Record]) -> tuple[EntryCommand, ...]:
    """Accepted commands in the order of the story, refused ones behind what they came after."""
    waiting = list(refusals)
    log: list[EntryCommand] = []
    for event in events:
        log += _before(waiting, event["seq"])
        log.append(_accepted(event))
    return (*log, *_before(waiting, None))


def _before(waiting: list[asyncpg.Record], seq: int | None) -> Iterator[EntryCommand]:
    """The refused commands that came before the row `seq`; None: all that are left."""
    while waiting and (seq is None or waiting[0]["after_seq"] < seq):
        yield _refused(waiting.pop(0))


def _accepted(row: asyncpg.Record) -> EntryCommand:
    return EntryCommand(
        seq=row["seq"],
        code=row["code"],
        input=json.loads(row["payload"]),
        occurred_at=moment(row["occurred_at"]),
        confirmed=tuple(row["confirmed"]),
        digest=row["state_digest"].hex() if row["state_digest"] else None,
    )


def _refused(row: asyncpg.Record) -> EntryCommand:
    return EntryCommand(
        seq=row["after_seq"] + 1,
        code=row["code"],
        input=json.loads(row["payload"]),
        occurred_at=moment(row["created_at"]),
        confirmed=tuple(row["confirmed"]),
        refused=EntryRefusal(refusal=row["refusal"], message=row["message"], reason=row["reason"]),
    )


def _author(row: asyncpg.Record) -> Author:
    return Author(
        actor=row["actor"],
        sender=row["sender"],
        release=row["release"],
        code_sha=row["code_sha"],
        runtime_sha=row["runtime_sha"],
    )


def _names(head: asyncpg.Record, facts: Mapping[str, Any]) -> Iterator[str]:
    """What the match itself, its sides and its competition are called."""
    yield from (str(head["id"]), head["code"], head["name"])
    yield from (head["event_code"], head["event_name"], head["competition_name"])
    yield from (text for text in (facts["competition"], facts["venue"]) if text)
    for side in facts["sides"]:
        yield side["entry"]
        yield from (side[name] for name in ("code", "name", "noc", "participantId") if side[name])


def _senders(rows: Sequence[asyncpg.Record]) -> Iterator[str]:
    for row in rows:
        yield from (row["actor"], row["sender"], row["sender"].partition(":")[2])


def _identities(persons: Sequence[asyncpg.Record]) -> Iterator[tuple[str, str]]:
    """Who an id is: by the source that knows the person in every event, else by the participant's own id."""
    for row in persons:
        if row["same_as"] is not None:
            known = row["source"] is not None and row["external_id"] is not None
            yield (
                row["id"],
                (
                    f"source:{row['source']}:{row['external_id']}"
                    if known
                    else f"participant:{row['same_as']}"
                ),
            )
