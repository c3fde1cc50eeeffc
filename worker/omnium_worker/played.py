"""A recorded match as it goes: each command judged as a live one is, folded in as the record went on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import orjson

from omnium_contract.flows.types import Event, Fixture
from omnium_proto import replay_pb2
from omnium_store import statuses
from omnium_store.errors import BadRequest
from omnium_worker import canonical_fast, judging
from omnium_worker.guard import Guard, OverBudget
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.plans import CommandPlan, WorkflowPlan
from omnium_worker.refusals import Denied, Refusal, failed, not_offered, over_budget
from omnium_worker.story import Story

T = TypeVar("T")

#: Rules that a person's no comes from; other refusals name a component, or nothing.
_RULES_NO: Final = frozenset({"rejected", "confirm"})


@dataclass(slots=True)
class Ran:
    """Which components ran, by key: calls, commands that were accepted, rules that said no."""

    called: Counter[str] = field(default_factory=Counter)
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    def clear(self) -> None:
        """Begin anew."""
        self.called.clear()
        self.accepted.clear()
        self.refused.clear()

    def on_the_wire(self) -> replay_pb2.ReplayRan:
        """As the protocol has it."""
        return replay_pb2.ReplayRan(called=self.called, accepted=self.accepted, refused=self.refused)


class CountingGuard:
    """Counts calls, and passes them on to the guard that keeps the limits."""

    __slots__ = ("_called", "_guard")

    def __init__(self, guard: Guard, ran: Ran) -> None:
        self._guard = guard
        self._called = ran.called

    def call(self, key: str, fn: Callable[..., T], /, *args: object) -> T:
        """`fn(*args)`, on behalf of the component `key`."""
        self._called[key] += 1
        return self._guard.call(key, fn, *args)


class PlayedMatch:
    """One match: facts, log and state.

    The fixture's status follows the state as it does live. A command that its `course` says was accepted is
    folded in whatever this release says of it, so that two releases always judge the same story.
    """

    def __init__(self, host: Host, head: replay_pb2.ReplayMatch, ran: Ran) -> None:
        """Raises `BadRequest` for a workflow that the release has not, `ComponentFailed` for its start."""
        workflow = host.workflow(head.workflow)
        if workflow is None or workflow.mode != "fold":
            raise BadRequest(
                f"{host.identity.version} has no fold workflow {head.workflow}.", reason="no_workflow"
            )
        self._host = host
        self._ran = ran
        self._workflow: WorkflowPlan = workflow
        self._fixture: Fixture[Any] = host.fixture(workflow, head.fixture)
        self._story = Story(host, workflow, self._fixture)
        self._word = self._story.word
        self._log: list[Event] = []

    def judge(self, sent: replay_pb2.ReplayCommand) -> replay_pb2.ReplayJudged:
        """One command: the verdict, and digests of what is true after it."""
        refusal = self._refusal_of(sent)
        judged = replay_pb2.ReplayJudged(
            seq=sent.seq, accepted=refusal is None, state=canonical_fast.digest(self._story.state)
        )
        if refusal is not None:
            judged.refusal, judged.message, judged.reason = (
                refusal.kind,
                refusal.message,
                refusal.reason or "",
            )
        if sent.derive:
            lines, places = self._rows()
            judged.lines, judged.places = canonical_fast.digest(lines), canonical_fast.digest(places)
        return judged

    def values(self, *, are_rows_wanted: bool) -> replay_pb2.ReplayValues:
        """What is behind the digests at this moment."""
        lines, places = self._rows() if are_rows_wanted else (b"", b"")
        return replay_pb2.ReplayValues(state=self._story.state, lines=lines, places=places)

    def _refusal_of(self, sent: replay_pb2.ReplayCommand) -> Refusal | None:
        given = orjson.loads(sent.input or b"{}")
        try:
            plan = self._plan(sent.code)
            judged = judging.judge_event(self._host, self._case(plan, sent, given))
            if sent.course != replay_pb2.COURSE_REFUSED:
                self._follow(judged.event, judged.state, judged.word)
        except (Denied, ComponentFailed, OverBudget) as no:
            refusal = _refusal(no)
            if refusal.kind in _RULES_NO:
                self._ran.refused[f"{self._workflow.code}.{refusal.reason}"] += 1
            if sent.course == replay_pb2.COURSE_ACCEPTED:
                self._fold_all_the_same(sent, given)
            return refusal
        self._ran.accepted[plan.key] += 1
        return None

    def _fold_all_the_same(self, sent: replay_pb2.ReplayCommand, given: Any) -> None:
        """As a correction folds what is in the log, whatever rules say of it now."""
        event = Event(
            seq=sent.seq,
            code=sent.code,
            input=given,
            occurred_at=sent.occurred_at,
            confirmed=tuple(sent.confirm),
        )
        log = self._log_for_step()
        try:
            state, word = judging.step_with_word(
                self._host, self._workflow, self._fixture, state=self._story.state, event=event, log=log
            )
            self._follow(event, state, word)
        except (Denied, ComponentFailed, OverBudget):
            return  # the verdict has said so already; the state stays as it was

    def _follow(self, event: Event, state: bytes, word: str | None) -> None:
        fixture = self._fixture if word == self._word else self._standing_at(word)
        self._story.follow(event, state, word)
        self._fixture, self._word = fixture, word
        self._log.append(event)

    def _standing_at(self, word: str | None) -> Fixture[Any]:
        try:
            standing = statuses.standing_of(str(word))
        except ValueError as error:
            raise ComponentFailed(f"{self._workflow.code}.state", str(error)) from error
        return replace(self._fixture, status=str(standing.status), official=standing.official)

    def _plan(self, code: str) -> CommandPlan:
        plan = self._workflow.commands.get(code)
        if plan is None:
            raise not_offered(f"{self._workflow.title} has no command {code}.", reason="no_such_command")
        if plan.applies_to and self._fixture.fixture_type not in plan.applies_to:
            raise not_offered(f"{code} is not for a {self._fixture.fixture_type}.", reason="fixture_type")
        return plan

    def _case(self, plan: CommandPlan, sent: replay_pb2.ReplayCommand, given: Any) -> judging.FoldCase:
        return judging.FoldCase(
            plan=plan,
            fixture=self._fixture,
            state=self._story.state,
            sent=given,
            seq=sent.seq,
            occurred_at=sent.occurred_at,
            actor="",
            confirm=frozenset(sent.confirm),
            loaded=judging.Loaded(log=tuple(self._log)) if "log" in plan.needs else judging.NOTHING_LOADED,
        )

    def _log_for_step(self) -> tuple[Event, ...]:
        step = self._workflow.step
        return tuple(self._log) if step is not None and "log" in step.reads else ()

    def _rows(self) -> tuple[bytes, bytes]:
        """Lines and places as they would be stored now: a set of lines, and places in their order."""
        try:
            derived = self._story.rows()
        except (ComponentFailed, OverBudget) as error:
            said = canonical_fast.dumps({"failed": f"{error.key}: {error}"})
            return said, said
        lines = sorted(derived.lines, key=lambda row: tuple(str(part or "") for part in row))
        return (
            canonical_fast.dumps([line._asdict() for line in lines]),
            canonical_fast.dumps([place._asdict() for place in derived.places or ()]),
        )


def _refusal(no: Denied | ComponentFailed | OverBudget) -> Refusal:
    match no:
        case Denied():
            return no.refusal
        case ComponentFailed():
            return failed(no)
        case OverBudget():
            return over_budget(no)
