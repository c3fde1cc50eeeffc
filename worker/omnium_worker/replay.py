"""Recorded matches through the rules of one release: judged as live commands are, with no database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import orjson

from omnium_contract.flows.types import Ctx, Event
from omnium_proto import replay_pb2, replay_pb2_grpc
from omnium_store.errors import BadRequest, OmniumError
from omnium_worker import canonical_fast, judging
from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.plans import CommandPlan, WorkflowPlan
from omnium_worker.refusals import Denied, Refusal, failed, not_offered, over_budget
from omnium_worker.server import KeyCheck, abort


class PlayedMatch:
    """One match as it goes: facts, log and state. Its commands change it only when they are accepted."""

    def __init__(self, host: Host, head: replay_pb2.ReplayMatch) -> None:
        """Raises `BadRequest` for a workflow that the release has not, `ComponentFailed` for its start."""
        workflow = host.workflow(head.workflow)
        if workflow is None or workflow.mode != "fold":
            raise BadRequest(
                f"{host.identity.version} has no fold workflow {head.workflow}.", reason="no_workflow"
            )
        self._host = host
        self._workflow: WorkflowPlan = workflow
        self._fixture = host.fixture(workflow, head.fixture)
        self._log: list[Event] = []
        self._state = judging.initial(host, workflow, self._fixture)

    def judge(self, sent: replay_pb2.ReplayCommand) -> replay_pb2.ReplayJudged:
        """One command: the verdict, and digests of what is true after it."""
        refusal = self._refusal_of(sent)
        judged = replay_pb2.ReplayJudged(
            seq=sent.seq,
            accepted=refusal is None,
            refusal=refusal.kind if refusal else "",
            message=refusal.message if refusal else "",
            state=canonical_fast.digest(self._state),
        )
        if sent.derive:
            lines, places = self._rows()
            judged.lines, judged.places = canonical_fast.digest(lines), canonical_fast.digest(places)
        return judged

    def values(self) -> replay_pb2.ReplayValues:
        """What is behind the digests at this moment."""
        lines, places = self._rows()
        return replay_pb2.ReplayValues(state=self._state, lines=lines, places=places)

    def _refusal_of(self, sent: replay_pb2.ReplayCommand) -> Refusal | None:
        try:
            plan = self._plan(sent.code)
            judgement = judging.judge_fold(self._host, self._case(plan, sent))
        except Denied as denied:
            return denied.refusal
        except ComponentFailed as failure:
            return failed(failure)
        except OverBudget as spent:
            return over_budget(spent)
        self._state = judgement.state
        self._log.append(judgement.event)
        return None

    def _plan(self, code: str) -> CommandPlan:
        plan = self._workflow.commands.get(code)
        if plan is None:
            raise not_offered(f"{self._workflow.title} has no command {code}.", reason="no_such_command")
        if plan.applies_to and self._fixture.fixture_type not in plan.applies_to:
            raise not_offered(f"{code} is not for a {self._fixture.fixture_type}.", reason="fixture_type")
        return plan

    def _case(self, plan: CommandPlan, sent: replay_pb2.ReplayCommand) -> judging.FoldCase:
        log = tuple(self._log) if "log" in plan.needs else ()
        return judging.FoldCase(
            plan=plan,
            fixture=self._fixture,
            state=self._state,
            sent=orjson.loads(sent.input or b"{}"),
            seq=sent.seq,
            occurred_at=sent.occurred_at,
            actor="",
            confirm=frozenset(sent.confirm),
            loaded=judging.Loaded(log=log) if log else judging.NOTHING_LOADED,
        )

    def _rows(self) -> tuple[bytes, bytes]:
        """Canonical lines and places of the state as it is, whichever command would give them."""
        ctx: Ctx[Any] = Ctx(fixture=self._fixture, derived=orjson.loads(self._state), log=tuple(self._log))
        try:
            derived = judging.rows_due(self._host, self._workflow, self._workflow.rows, ctx=ctx)
        except (ComponentFailed, OverBudget) as error:
            said = canonical_fast.dumps({"failed": str(error)})
            return said, said
        return (
            canonical_fast.dumps([line._asdict() for line in derived.lines]),
            canonical_fast.dumps([place._asdict() for place in derived.places or ()]),
        )


class ReplayServicer(replay_pb2_grpc.ReplayServiceServicer):
    """ReplayService: each message of a stream is answered before the next is read."""

    def __init__(self, host: Host, key: KeyCheck) -> None:
        self._host = host
        self._key = key

    async def Replay(  # noqa: N802  # the protocol's name
        self,
        request_iterator: AsyncIterator[replay_pb2.ReplayRequest],
        context: grpc.aio.ServicerContext[Any, Any],
    ) -> AsyncIterator[replay_pb2.ReplayResponse]:
        """Many matches, one after another."""
        await self._key.check(context)
        match: PlayedMatch | None = None
        try:
            async for request in request_iterator:
                if request.WhichOneof("part") == "match":
                    match, started = self._start(request.match)
                    yield replay_pb2.ReplayResponse(started=started)
                else:
                    yield _answer(match, request)
        except OmniumError as error:
            await abort(context, error)

    def _start(self, head: replay_pb2.ReplayMatch) -> tuple[PlayedMatch | None, replay_pb2.ReplayStarted]:
        started = replay_pb2.ReplayStarted(id=head.id, release=self._host.identity.on_the_wire())
        try:
            return PlayedMatch(self._host, head), started
        except (BadRequest, ComponentFailed, OverBudget) as error:
            started.problem = str(error)
        except (orjson.JSONDecodeError, KeyError, TypeError) as error:
            started.problem = f"The fixture's facts can't be read: {type(error).__name__}: {error}"
        return None, started


def _answer(match: PlayedMatch | None, request: replay_pb2.ReplayRequest) -> replay_pb2.ReplayResponse:
    if match is None:
        raise BadRequest("A replay begins with a match that can be played.", reason="no_match")
    match request.WhichOneof("part"):
        case "command":
            try:
                return replay_pb2.ReplayResponse(judged=match.judge(request.command))
            except orjson.JSONDecodeError as error:
                raise BadRequest(
                    f"The input of command {request.command.seq} is not JSON: {error}", reason="bad_json"
                ) from error
        case "inspect":
            return replay_pb2.ReplayResponse(values=match.values())
        case _:
            raise BadRequest("The message asks nothing.", reason="bad_request")
