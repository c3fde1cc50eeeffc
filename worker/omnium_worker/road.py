"""The one road that every command takes, in both modes: one transaction, four round trips.

 1. find the command             7. its input
 2. its sender                   8. its rules
 3. a connection with limits     9. its log row
 4. lock the subject            10. its actions
 5. its pin                     11. the outbox
 6. the same key again?         12. the answer

`open_v1` does 4 to 6 and reads what 1, 2, 7, 8 and 10 judge, which are functions of values in `fold` and
`apply`; `close_fold_v1` and `close_apply_v1` write 9 to 11. 1 and 2 are judged after 5 and 6: only the
release that is pinned may say what is not offered, and a retry is answered whatever is offered by now.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal

import structlog

from omnium_proto import command_pb2
from omnium_store.errors import NotFound, OutOfTime, Overloaded, Refused, WrongRelease
from omnium_store.statements import Statements
from omnium_worker import apply, fold, formats, inputs
from omnium_worker.answers import Answer, duplicate_of, fresh_board
from omnium_worker.checkpoints import MOST_IN_LIVE
from omnium_worker.command import Command, command_of
from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed, FormatMisfit, Host
from omnium_worker.identity import Identity
from omnium_worker.offers import check_sender, find, mode_of
from omnium_worker.opening import Opened
from omnium_worker.plans import CommandPlan
from omnium_worker.refusals import Denied, Refusal, failed, over_budget
from omnium_worker.transactions import Connection, Pool, borrowed, call, roll_back, with_retries
from omnium_worker.turns import Turns

log = structlog.get_logger("omnium.worker")
sql: Final = Statements.of("omnium_worker")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadSettings:
    """Bounds of the road. `ahead`: how far in the future a sender's moment may lie (clocks are off)."""

    lane: Literal["live", "bulk"] = "live"
    most_folded_in_live: int = MOST_IN_LIVE
    ahead: timedelta = timedelta(minutes=5)
    patience_s: float = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What became of a walk: the answer, and whether its transaction is kept and others are to be told."""

    answer: bytes
    is_accepted: bool = False
    is_duplicate: bool = False
    refusal: str = ""
    is_kept: bool = False


@dataclass(slots=True)
class _Walk:
    """One command on its way. Before its transaction begins it may be given up; after that, never."""

    command: Command
    has_begun: bool = field(default=False)


class Road:
    """Takes commands for one release. Imports may have a pool of their own, with longer limits."""

    def __init__(
        self,
        host: Host,
        pool: Pool,
        identity: Identity,
        bell: Callable[[], None],
        *,
        imports_pool: Pool | None = None,
        settings: RoadSettings | None = None,
    ) -> None:
        self._host = host
        self._pools: Final = {"person": pool, "integration": imports_pool or pool}
        self._identity = identity
        self._bell = bell
        self._settings = settings or RoadSettings()
        self._turns = Turns()
        self._walks: set[asyncio.Task[Told]] = set()

    async def execute(
        self, request: command_pb2.ExecuteRequest, *, timeout: float
    ) -> command_pb2.ExecuteResponse:
        """Answer one command. A rule's no is an answer; all else raises an `OmniumError`.

        A caller that goes away, or whose time is over, cancels what has not begun; a transaction that has
        begun ends by itself, and the key gives its answer.
        """
        wanted = request.release.code_sha
        if wanted and wanted != self._identity.code_sha:
            raise WrongRelease(request.release.version)
        walk = _Walk(command_of(request))
        task = asyncio.create_task(self._go(walk))
        self._walks.add(task)
        task.add_done_callback(self._ended)
        try:
            async with asyncio.timeout(timeout):
                told = await asyncio.shield(task)
        except TimeoutError:
            if walk.has_begun:
                raise OutOfTime("The command took too long here. The same key gives its answer.") from None
            raise Overloaded(
                "Its turn did not come in time. Nothing has run; try again.", reason="busy"
            ) from None
        finally:
            if not walk.has_begun:
                task.cancel()
        return self._response(told)

    async def settle(self) -> None:
        """Wait until every transaction that has begun has ended."""
        while self._walks:
            await asyncio.wait(self._walks)

    def _ended(self, task: asyncio.Task[Told]) -> None:
        self._walks.discard(task)
        if not task.cancelled():
            task.exception()  # one whose caller has gone away has nobody else to look at it

    async def _go(self, walk: _Walk) -> Told:
        pool = self._pools[walk.command.source]
        async with (
            self._turns.of(walk.command.subject),
            borrowed(pool, patience=self._settings.patience_s) as connection,  # 3
        ):
            walk.has_begun = True
            told = await with_retries(lambda: self._transact(connection, walk.command))
        if told.is_accepted and told.is_kept:
            self._bell()
        return told

    async def _transact(self, connection: Connection, command: Command) -> Told:
        await connection.execute("BEGIN")
        try:
            told = await self._walk(connection, command)
            await connection.execute("COMMIT" if told.is_kept else "ROLLBACK")
        except BaseException:
            await roll_back(connection)
            raise
        return told

    async def _walk(self, connection: Connection, command: Command) -> Told:
        opened = await self._open(connection, command)  # 4
        self._check_pin(command, opened)  # 5
        if opened.outcome == "known":  # 6
            return await self._known(connection, command, opened)
        try:
            plan = find(self._host, command, opened)  # 1
            check_sender(plan, command)  # 2
            decided = self._decide(plan, command, opened)  # 7, 8, 10
            if isinstance(decided, apply.ApplyDecision):
                await self._check_formats(connection, decided)
        except Denied as denied:
            return await self._refuse(connection, command, opened=opened, refusal=denied.refusal)
        except OverBudget as spent:
            return await self._refuse(connection, command, opened=opened, refusal=over_budget(spent))
        except FormatMisfit as misfit:
            no = formats.refusal(misfit, version=self._identity.version)
            return await self._refuse(connection, command, opened=opened, refusal=no)
        except ComponentFailed as failure:
            log_id = uuid.uuid4().hex
            log.error(
                "component.failed", id=log_id, key=failure.key, subject=command.subject, exc_info=failure
            )
            return await self._refuse(
                connection, command, opened=opened, refusal=failed(failure, log_id=log_id)
            )
        if isinstance(decided, fold.FoldDecision):
            return await self._close_fold(connection, decided)  # 9 to 12
        return await self._close_apply(connection, decided)

    async def _open(self, connection: Connection, command: Command) -> Opened:
        identity, bulk = self._identity, self._settings.lane == "bulk"
        row = await call(
            connection,
            sql["open"],
            [
                command.fixture,
                None if command.fixture else command.event,
                mode_of(self._host, command),
                identity.release_id,
                identity.code_sha,
                identity.runtime_sha,
                command.sender,
                command.key,
                sorted(self._host.needs(command.workflow, command.code)),
                None if bulk else self._settings.most_folded_in_live,
            ],
        )
        return Opened(**row)

    def _check_pin(self, command: Command, opened: Opened) -> None:
        """Whether the subject is there, in the event that was named, and of this release."""
        if opened.outcome == "missing":
            kind, ref = ("fixture", command.fixture) if command.fixture else ("event", command.event)
            raise NotFound(f"There is no {kind} {ref}.", reason=f"no_such_{kind}")
        if opened.outcome == "wrong_release":
            if opened.release is None:
                raise Refused(
                    "No release is the default here. Set one: omnium releases default VERSION --sport SPORT",
                    reason="no_default",
                )
            raise WrongRelease(opened.release)
        if command.fixture and command.event and opened.event_code != command.event:
            raise NotFound(
                f"Event {command.event} has no fixture {command.fixture}.", reason="no_such_fixture"
            )

    def _decide(
        self, plan: CommandPlan, command: Command, opened: Opened
    ) -> fold.FoldDecision | apply.ApplyDecision:
        ahead = self._settings.ahead
        if plan.workflow.mode == "fold":
            return fold.decide(self._host, plan, command, opened=opened, ahead=ahead)
        return apply.decide(self._host, plan, command, opened=opened, ahead=ahead)

    async def _check_formats(self, connection: Connection, decision: apply.ApplyDecision) -> None:
        """Settings of new fixtures are refused now, with every problem, and not at the first whistle."""
        notes: list[Mapping[str, str]] = []
        for unit in formats.new_units(decision.judgement.records):
            row = await connection.fetchrow(
                sql["unit_terms"],
                decision.event_id,
                unit.sport,
                unit.competition,
                unit.format_code,
                unit.scoring_mode,
                unit.start,
                self._identity.release_id,
            )
            if row is not None:  # else the writer has a sentence for what is not there
                notes += formats.problems(self._host, unit, formats.terms_of(row))
        if notes:
            raise inputs.refused_fields(tuple(notes))

    async def _known(self, connection: Connection, command: Command, opened: Opened) -> Told:
        """The stored answer; or, where the key was another command's, a refusal instead of a silent loss."""
        if opened.input_hash != command.input_hash:
            refusal = Refusal(
                kind="key_reused",
                message="This key was used for another command. Send this one with a new key.",
            )
            return await self._refuse(connection, command, opened=opened, refusal=refusal)
        is_fold = mode_of(self._host, command) == "fold"
        fresh = fresh_board(opened.state, version=opened.version, status=opened.status) if is_fold else {}
        answer = duplicate_of(opened.answer or "{}", is_dry_run=command.is_dry_run, fresh=fresh)
        return Told(answer=answer, is_accepted=True, is_duplicate=True)

    async def _refuse(
        self, connection: Connection, command: Command, *, opened: Opened, refusal: Refusal
    ) -> Told:
        if not command.is_dry_run:
            await call(connection, sql["refuse"], self._refusal_arguments(command, opened, refusal))
        return self._told_no(command, opened, refusal)

    def _told_no(self, command: Command, opened: Opened, refusal: Refusal) -> Told:
        answer = Answer(
            accepted=False,
            release=self._identity.version,
            version=opened.version,
            fixture_status=opened.status,
            is_dry_run=command.is_dry_run,
            refusal=refusal,
        )
        return Told(answer=answer.to_json(), refusal=refusal.kind, is_kept=not command.is_dry_run)

    async def _close_fold(self, connection: Connection, decision: fold.FoldDecision) -> Told:
        await call(connection, sql["close_fold"], fold.close_arguments(decision))
        return Told(
            answer=decision.answer.to_json(), is_accepted=True, is_kept=not decision.command.is_dry_run
        )

    async def _close_apply(self, connection: Connection, decision: apply.ApplyDecision) -> Told:
        command = decision.command
        row = await call(connection, sql["close_apply"], apply.close_arguments(decision))
        if row["answer"] is None:  # a writer's no; its refusal is written already
            refusal = Refusal(kind="record", message=row["message"], reason=row["reason"])
            return self._told_no(command, decision.opened, refusal)
        return Told(answer=row["answer"].encode(), is_accepted=True, is_kept=not command.is_dry_run)

    def _refusal_arguments(self, command: Command, opened: Opened, refusal: Refusal) -> list[object]:
        """The arguments of `refuse_v1`, in its order."""
        return [
            opened.stream,
            command.fixture,
            command.code,
            command.sent_text.decode(),
            sorted(command.confirm),
            refusal.kind,
            refusal.reason,
            refusal.message,
            opened.next_seq - 1,
            command.sender,
            command.actor,
            self._identity.release_id,
            self._identity.code_sha,
            self._identity.runtime_sha,
        ]

    def _response(self, told: Told) -> command_pb2.ExecuteResponse:
        return command_pb2.ExecuteResponse(
            answer=told.answer,
            accepted=told.is_accepted,
            duplicate=told.is_duplicate,
            refusal=told.refusal,
            release=self._identity.on_the_wire(),
        )
