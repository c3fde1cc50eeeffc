"""Moving a match that has begun to this release: told under its rules, compared, then one transaction.

The whole log is told before the match is locked; what comes meanwhile is told on top under the lock.
A preview goes the same way and is taken back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import asyncpg
import orjson

from omnium_proto import move_pb2
from omnium_store.errors import NeedsBulk, NotFound, OutOfTime, Overloaded, Refused, WrongRelease
from omnium_store.statements import Statements
from omnium_worker import move_decisions
from omnium_worker.checkpoints import MOST_IN_LIVE
from omnium_worker.host import Host
from omnium_worker.judging import NOTHING_LOADED, Loaded
from omnium_worker.move_cases import Head, Move, move_of
from omnium_worker.move_decisions import Decision
from omnium_worker.plans import LOADED, WorkflowPlan
from omnium_worker.retelling import Retelling
from omnium_worker.rows import LineRow, PlaceRow
from omnium_worker.transactions import Connection, Pool, borrowed, call, roll_back, with_retries

#: After so many events others get their turn while a log is told.
BREATH: Final = 16
#: How often a move begins again because the match became another one meanwhile.
MOST_ATTEMPTS: Final = 5
RECORD_REFUSED: Final = "OM001"

sql: Final = Statements.of("omnium_worker")


@dataclass(slots=True)
class _Walk:
    """One move on its way. Once its transaction has begun it is never given up."""

    move: Move
    has_begun: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class _Read:
    """A match as one snapshot had it."""

    head: Head
    workflow: WorkflowPlan
    events: Sequence[asyncpg.Record]
    loaded: Loaded


class Moves:
    """Takes matches over to one release."""

    def __init__(
        self,
        host: Host,
        pool: Pool,
        bell: Callable[[], None],
        *,
        lane: Literal["live", "bulk"] = "live",
        most_told_in_live: int = MOST_IN_LIVE,
        patience_s: float = 2.0,
    ) -> None:
        self._host = host
        self._pool = pool
        self._bell = bell
        self._most = most_told_in_live if lane == "live" else None
        self._patience_s = patience_s
        self._walks: set[asyncio.Task[Decision]] = set()

    async def move(self, request: move_pb2.MoveRequest, *, timeout: float | None) -> move_pb2.MoveResponse:
        """What a move changes, and, unless it is a dry run, the move. Raises `OmniumError`."""
        wanted = request.release.code_sha
        if wanted and wanted != self._host.identity.code_sha:
            raise WrongRelease(request.release.version)
        walk = _Walk(move_of(request))
        task = asyncio.create_task(self._go(walk))
        self._walks.add(task)
        task.add_done_callback(self._ended)
        try:
            async with asyncio.timeout(timeout):
                decision = await asyncio.shield(task)
        except TimeoutError:
            what = (
                "Ask again: the answer says whether it is there." if walk.has_begun else "Nothing was moved."
            )
            raise OutOfTime(f"The move took too long here. {what}") from None
        finally:
            if not walk.has_begun:
                task.cancel()
        return move_pb2.MoveResponse(
            answer=decision.answer, changed=decision.is_kept, release=self._host.identity.on_the_wire()
        )

    async def settle(self) -> None:
        """Wait until every transaction that has begun has ended."""
        while self._walks:
            await asyncio.wait(self._walks)

    def _ended(self, task: asyncio.Task[Decision]) -> None:
        self._walks.discard(task)
        if not task.cancelled():
            task.exception()  # one whose caller has gone away has nobody else to look at it

    async def _go(self, walk: _Walk) -> Decision:
        move = walk.move
        async with borrowed(self._pool, patience=self._patience_s) as connection:
            for _ in range(MOST_ATTEMPTS):
                retelling = await self._told_so_far(connection, move)
                walk.has_begun = True
                decision = await with_retries(lambda: self._transact(connection, move, retelling))  # noqa: B023
                if decision is not None:
                    if decision.is_kept:
                        self._bell()
                    return decision
        raise Overloaded(
            "The match became another one while it was told. Nothing was moved; try again.", reason="busy"
        )

    async def _told_so_far(self, connection: Connection, move: Move) -> Retelling | None:
        """The whole log under this release, without a lock; None for a match that is on it already."""
        read = await with_retries(lambda: self._read(connection, move))
        if read is None:
            return None
        retelling = Retelling(self._host, read.workflow, read.head.facts, known_to=read.head.next_seq - 1)
        for number, row in enumerate(read.events):
            if number % BREATH == 0:
                await asyncio.sleep(0)
            retelling.add(row, read.loaded)
        return retelling

    async def _read(self, connection: Connection, move: Move) -> _Read | None:
        async with connection.transaction(isolation="repeatable_read", readonly=True):
            head = await self._head(connection, move)
            if head.release_id == self._host.identity.release_id:
                return None
            workflow = self._workflow(head)
            if self._most is not None and head.events > self._most:
                raise NeedsBulk(f"{head.events} events are to be told again: that is a bulk worker's.")
            events = await connection.fetch(sql["move_events"], move.fixture, None)
            return _Read(head, workflow, events, await self._loaded(connection, move, workflow))

    async def _transact(
        self, connection: Connection, move: Move, retelling: Retelling | None
    ) -> Decision | None:
        """One attempt under the lock; None where the log is no longer what was told."""
        await connection.execute("BEGIN")
        try:
            decision = await self._decide(connection, move, retelling)
            if decision is not None and decision.is_kept:
                await connection.execute(sql["close_move"], *decision.arguments)
            is_kept = decision is not None and decision.is_kept
            await connection.execute("COMMIT" if is_kept else "ROLLBACK")
        except BaseException:
            await roll_back(connection)
            raise
        return decision

    async def _decide(
        self, connection: Connection, move: Move, retelling: Retelling | None
    ) -> Decision | None:
        await connection.execute(sql["move_lock"], move.fixture)
        head = await self._head(connection, move)
        if head.release_id == self._host.identity.release_id:
            return move_decisions.already_there(self._host.identity, move, head)
        await self._hold_target(connection, head)
        if retelling is None or not await self._catch_up(connection, move, head, retelling):
            return None
        before = move_decisions.before(
            head,
            lines=[LineRow(*row) for row in await connection.fetch(sql["verify_lines"], move.fixture)],
            places=[PlaceRow(*row) for row in await connection.fetch(sql["verify_places"], move.fixture)],
            declared=[
                (row["action"], row["key"])
                for row in await connection.fetch(sql["move_declared"], head.release_id, head.workflow)
            ],
        )
        return move_decisions.decide(self._host.identity, move, head, before=before, retelling=retelling)

    async def _head(self, connection: Connection, move: Move) -> Head:
        row = await connection.fetchrow(sql["move_head"], move.fixture)
        if row is None:
            raise NotFound(f"There is no fixture {move.fixture}.", reason="no_such_fixture")
        if row["scoring_mode"] != "events":
            raise Refused(
                "Results of this fixture are typed: no release is pinned to it.", reason="scorecard"
            )
        return Head(**{name: row[name] for name in Head.__dataclass_fields__})

    async def _hold_target(self, connection: Connection, head: Head) -> None:
        """This release, FOR SHARE, its status read again: a pin and a retirement never both commit."""
        identity = self._host.identity
        try:
            await connection.execute(sql["move_target"], identity.release_id, identity.version, head.workflow)
        except asyncpg.PostgresError as error:
            if error.sqlstate != RECORD_REFUSED:
                raise
            raise Refused(str(error.message), reason=str(error.detail)) from None

    async def _catch_up(self, connection: Connection, move: Move, head: Head, retelling: Retelling) -> bool:
        """Tell what has come since. False where something else has changed, or it is too much to wait for."""
        row = await call(connection, sql["move_order"], [move.fixture, retelling.known_to])
        told, now = len(retelling.seqs), row["seqs"]
        tail = now[told:]
        is_same = now[:told] == retelling.seqs and not row["is_corrected"] and head.facts == retelling.facts
        if not is_same or len(tail) > MOST_IN_LIVE:
            return False
        if tail:
            loaded = await self._loaded(connection, move, retelling.workflow)
            for event in await connection.fetch(sql["move_events"], move.fixture, tail):
                retelling.add(event, loaded)
        return True

    async def _loaded(self, connection: Connection, move: Move, workflow: WorkflowPlan) -> Loaded:
        """What the rules of the release read beside state and log, as it is now."""
        needs = frozenset(need for plan in workflow.commands.values() for need in plan.needs) & LOADED
        if not needs - {"log"}:
            return NOTHING_LOADED
        text = await connection.fetchval(sql["move_loaded"], move.fixture, sorted(needs - {"log"}))
        parts = orjson.loads(text)
        return Loaded(
            stats=parts["stats"] or {},
            masters=parts["masters"] or {},
            children=tuple(parts["children"] or ()),
        )

    def _workflow(self, head: Head) -> WorkflowPlan:
        workflow = self._host.workflow(head.workflow)
        if workflow is None or workflow.mode != "fold":
            raise Refused(
                f"Release {self._host.identity.version} has no rules for {head.workflow}. "
                "Choose a release that has.",
                reason="no_such_workflow",
            )
        return workflow
