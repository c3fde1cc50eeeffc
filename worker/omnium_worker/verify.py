"""Verifying: a fixture's log is folded from nothing, and everything that is stored must be what comes out.

A stored total is never trusted over the log. Compared are the numbering and the hash chain of all rows, the
digest after each event, scoreboard, checkpoints, lines, places, status and versions.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, TypeAlias

import asyncpg

from omnium_contract.flows.types import Fixture
from omnium_store import statuses
from omnium_store.errors import NotFound
from omnium_store.statements import Statements
from omnium_worker import canonical_fast
from omnium_worker.chain import LogRow, row_hash
from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.plans import WorkflowPlan
from omnium_worker.story import Story, event_of

sql: Final = Statements.of("omnium_worker")

Connection: TypeAlias = (
    "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What was found of one fixture; no problems: what is stored is what its log says."""

    fixture: uuid.UUID
    rows: int
    events: int
    digest: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """What the database holds of one fixture."""

    head: asyncpg.Record
    log: Sequence[asyncpg.Record]
    lines: frozenset[tuple[Any, ...]]
    places: frozenset[tuple[Any, ...]]
    checkpoints: Sequence[asyncpg.Record]

    @property
    def events(self) -> list[asyncpg.Record]:
        """The effective events, in the order of the story."""
        effective = (r for r in self.log if r["unit"] == "event" and r["status"] == "CONFIRMED")
        return sorted(effective, key=lambda row: row["fold_order"])


@dataclass(slots=True)
class _Folded:
    """What the log gives, and problems that folding showed. `told_by`: seq of the event that gave `word`."""

    state: bytes = b""
    lines: frozenset[tuple[Any, ...]] = frozenset()
    places: frozenset[tuple[Any, ...]] = frozenset()
    word: str | None = None
    told_by: int | None = None
    problems: list[str] = field(default_factory=list)


async def verify_fixture(connection: Connection, host: Host, fixture: uuid.UUID) -> Verification:
    """Fold one fixture from nothing and compare. Raises `NotFound`; what is wrong is in the result."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        stored = await _read(connection, fixture)
    problems = [*_numbering(stored), *_chain(fixture, stored.log), *_versions(stored)]
    folded = _Folded()
    workflow = host.workflow(stored.head["workflow"])
    if workflow is None or workflow.mode != "fold":
        problems.append(f"release {host.identity.version} has no workflow {stored.head['workflow']}")
    elif stored.head["scoring_mode"] == "events":
        folded = _fold(host, workflow, stored)
        problems += [*folded.problems, *_differences(host, stored, folded)]
    return Verification(
        fixture=fixture,
        rows=len(stored.log),
        events=len(stored.events),
        digest=canonical_fast.digest(folded.state).hex(),
        problems=tuple(problems),
    )


async def _read(connection: Connection, fixture: uuid.UUID) -> Stored:
    head = await connection.fetchrow(sql["verify_fixture"], fixture)
    if head is None:
        raise NotFound(f"There is no fixture {fixture}.", reason="no_such_fixture")
    return Stored(
        head=head,
        log=await connection.fetch(sql["verify_log"], fixture),
        lines=frozenset(tuple(row) for row in await connection.fetch(sql["verify_lines"], fixture)),
        places=frozenset(tuple(row) for row in await connection.fetch(sql["verify_places"], fixture)),
        checkpoints=await connection.fetch(sql["verify_checkpoints"], fixture),
    )


def _numbering(stored: Stored) -> Iterator[str]:
    numbers = [row["seq"] for row in stored.log]
    if numbers != list(range(1, len(numbers) + 1)):
        yield f"the log is not numbered 1 to {len(numbers)}"
    if stored.head["next_seq"] != len(numbers) + 1:
        yield f"the next number is {stored.head['next_seq']}, but the log has {len(numbers)} rows"
    yield from (
        f"row {r['seq']} answered as {r['answer_seq']}" for r in stored.log if r["answer_seq"] != r["seq"]
    )


def _chain(stream: uuid.UUID, log: Iterable[asyncpg.Record]) -> Iterator[str]:
    previous: bytes | None = None
    for row in log:
        if row["previous_hash"] != previous:
            yield f"row {row['seq']} does not follow the row before it"
        if row["row_hash"] != row_hash(_log_row(stream, row), row["previous_hash"]):
            yield f"row {row['seq']} is not what its hash was made of"
        previous = row["row_hash"]


def _versions(stored: Stored) -> Iterator[str]:
    told = [row["answer_version"] for row in stored.log]
    if any(later <= earlier for earlier, later in pairwise(told)):
        yield "versions in the log do not grow"
    head = stored.head
    if told and told[-1] > head["version"]:
        yield f"the fixture has version {head['version']}, but its last row told {told[-1]}"
    # outbox rows are pruned; what is there must agree
    if head["outbox_version"] is not None and head["outbox_version"] != head["version"]:
        yield f"the fixture has version {head['version']}, its outbox row {head['outbox_version']}"
    if head["newest_outbox"] is not None and head["newest_outbox"] > head["changed_seq"]:
        yield f"outbox row {head['newest_outbox']} is newer than changed_seq {head['changed_seq']}"


def _fold(host: Host, workflow: WorkflowPlan, stored: Stored) -> _Folded:
    folded = _Folded()
    try:
        fixture = host.fixture(workflow, stored.head["facts"])
        _follow(host, workflow, fixture, stored, folded)
    except (ComponentFailed, OverBudget) as error:
        folded.problems.append(f"the log can't be folded: {error.key}: {error}")
    return folded


def _follow(
    host: Host, workflow: WorkflowPlan, fixture: Fixture[Any], stored: Stored, folded: _Folded
) -> None:
    """Fold event by event, comparing digests and checkpoints of the same code on the way."""
    story = Story(host, workflow, fixture)
    folded.word = story.word
    checkpoints = {row["seq"]: row for row in stored.checkpoints if _is_ours(host, row)}
    for row in stored.events:
        story.add(event_of(row))
        if story.word != folded.word:
            folded.word, folded.told_by = story.word, row["seq"]
        digest = canonical_fast.digest(story.state)
        if _is_ours(host, row) and row["state_digest"] != digest:
            folded.problems.append(
                f"row {row['seq']}: the state after it is another one than its digest says"
            )
        checkpoint = checkpoints.get(row["seq"])
        if checkpoint is not None and checkpoint["prefix_hash"] == row["row_hash"]:
            folded.problems += _checkpoint(checkpoint, story.state, story.events)
    folded.state = story.state
    rows = story.rows()
    folded.lines = frozenset(tuple(row) for row in rows.lines)
    folded.places = frozenset(tuple(row) for row in rows.places or ())


def _checkpoint(checkpoint: asyncpg.Record, state: bytes, events: int) -> Iterator[str]:
    if (checkpoint["state"], checkpoint["events"]) != (state, events):
        yield f"the checkpoint at row {checkpoint['seq']} is not what the log gives"


def _differences(host: Host, stored: Stored, folded: _Folded) -> Iterator[str]:
    head, events = stored.head, stored.events
    if not events:
        if head["state"] is not None:
            yield "there is a scoreboard, but no event"
        return
    if not _is_ours(host, head):
        yield "the scoreboard is of other code: it is folded again with the next command"
        return
    last = events[-1]
    found = (head["state"], head["digest"], head["seq"], head["events"], head["prefix_hash"])
    expected = (
        folded.state,
        canonical_fast.digest(folded.state),
        last["seq"],
        len(events),
        last["row_hash"],
    )
    names = ("state", "digest", "seq", "events", "prefix_hash")
    yield from (
        f"the scoreboard's {name} is not what the log gives"
        for name, is_, should in zip(names, found, expected, strict=True)
        if is_ != should
    )
    yield from _row_differences("line", stored.lines, folded.lines)
    yield from _row_differences("place", stored.places, folded.places)
    yield from _status(stored, folded)


def _row_differences(
    kind: str, is_: frozenset[tuple[Any, ...]], should: frozenset[tuple[Any, ...]]
) -> Iterator[str]:
    yield from (
        f"{kind} {row} is stored, but the log does not give it" for row in sorted(is_ - should, key=repr)
    )
    yield from (f"{kind} {row} is missing" for row in sorted(should - is_, key=repr))


def _status(stored: Stored, folded: _Folded) -> Iterator[str]:
    """The status that the log gave last, or one that a record may have given since."""
    if folded.word is None:
        return
    told, head = statuses.standing_of(folded.word), stored.head
    found = statuses.Standing(statuses.FixtureStatus(head["status"]), head["official"])
    if found == told or (_has_record_since(stored, folded.told_by) and statuses.is_typed_over(told, found)):
        return
    official = " and official" if found.official else ""
    yield f"the fixture is {found.status}{official}, but its state says {folded.word}"


def _has_record_since(stored: Stored, seq: int | None) -> bool:
    """Whether a record has changed the fixture since that row. Another stream's shows in the versions."""
    if seq is None:
        return True
    since = [row for row in stored.log if row["seq"] >= seq]
    is_all_ours = stored.head["version"] == since[0]["answer_version"] + len(since) - 1
    return not is_all_ours or any(row["unit"] == "record" for row in since)


def _is_ours(host: Host, row: asyncpg.Record) -> bool:
    identity = host.identity
    return (row["code_sha"], row["runtime_sha"]) == (identity.code_sha, identity.runtime_sha)


def _log_row(stream: uuid.UUID, row: asyncpg.Record) -> LogRow:
    return LogRow(
        stream=stream,
        unit=row["unit"],
        seq=row["seq"],
        fold_order=f"{row['fold_order'].normalize():f}",
        code=row["event_type"],
        payload=row["payload"].encode(),
        confirmed=tuple(row["confirmed"]),
        corrects=row["corrects"],
        key=row["idempotency_key"],
        sender=row["sender"],
        actor=row["actor"],
        source_code=row["source_code"],
        input_hash=row["input_hash"],
        occurred_at=row["occurred_at"],
        release_id=row["release_id"],
        code_sha=row["code_sha"],
        runtime_sha=row["runtime_sha"],
        digest=row["state_digest"],
    )
