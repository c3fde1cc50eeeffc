"""A fixture's story told again from nothing: state and rows exactly as they became, event by event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import asyncpg
import orjson

from omnium_contract.flows.types import Ctx, Event, Fixture
from omnium_worker import inputs, judging
from omnium_worker.host import Host
from omnium_worker.instants import instant
from omnium_worker.judging import Derived
from omnium_worker.plans import ActionPlan, WorkflowPlan


def event_of(row: Mapping[str, Any] | asyncpg.Record) -> Event:
    """The event that a log row holds, as a step saw it."""
    return Event(
        seq=row["seq"],
        code=row["event_type"],
        input=orjson.loads(row["payload"]),
        occurred_at=instant(row["occurred_at"]),
        actor=row["actor"],
        confirmed=tuple(row["confirmed"]),
    )


@dataclass(frozen=True, slots=True)
class _Run:
    """When an action ran last, with which state and log; its rows are a function of these."""

    action: ActionPlan
    state: bytes
    log: tuple[Event, ...]


class Story:
    """Events in order. Rows are those that each action gave when a command last ran it, as stored."""

    def __init__(self, host: Host, workflow: WorkflowPlan, fixture: Fixture[Any]) -> None:
        self._host = host
        self._workflow = workflow
        self._fixture = fixture
        self._log: tuple[Event, ...] = ()
        self._needs_log = workflow.step is not None and "log" in workflow.step.reads
        self._keeps_log = self._needs_log or any("log" in action.reads for action in workflow.rows)
        #: by action; those that give places share one, since a fixture has one set of them
        self._last: dict[str, _Run | None] = {}
        self.state = judging.initial(host, workflow, fixture)
        self.events = 0

    @property
    def word(self) -> str | None:
        """The status that the state says."""
        word: str | None = orjson.loads(self.state).get("status")
        return word

    def add(self, event: Event) -> None:
        """One more event: its step, and a note of which actions its command ran."""
        log = self._log if self._needs_log else ()
        state, word = judging.step_with_word(
            self._host, self._workflow, self._fixture, state=self.state, event=event, log=log
        )
        self.follow(event, state, word)

    def follow(self, event: Event, state: bytes, word: str | None) -> None:
        """One more event, of which somebody else took the step: `state` and its status are what it gave."""
        log = (*self._log, event) if self._keeps_log else ()
        named = self._named(event, state=state, log=log)
        run, emptied = judging.due(self._workflow, named, word=word)
        self.state, self._log = state, log
        self.events += 1
        self._last.update({_slot(action): None for action in emptied})
        self._last.update({_slot(action): _Run(action, state, log) for action in run})

    def rows(self) -> Derived:
        """All lines and places as they stand."""
        derived = [self._derived(run) for run in self._last.values() if run is not None]
        return Derived(
            lines=tuple(line for one in derived for line in one.lines),
            places=tuple(place for one in derived for place in one.places or ()),
        )

    def _named(self, event: Event, *, state: bytes, log: tuple[Event, ...]) -> Sequence[ActionPlan]:
        plan = self._workflow.commands.get(event.code)
        if plan is None:  # a command of an earlier release, which this one's step passes over
            return ()
        if not plan.branches:
            return plan.actions
        ctx = Ctx(fixture=self._fixture, derived=orjson.loads(state), log=log)
        model = inputs.checked(self._host.call, plan.model, key=plan.key, sent=event.input)
        return judging.routed(self._host, plan, model, sent=event.input, ctx=ctx)

    def _derived(self, run: _Run) -> Derived:
        ctx = Ctx(fixture=self._fixture, derived=orjson.loads(run.state), log=run.log)
        return judging.derive(self._host, self._workflow, [run.action], ctx=ctx)


def _slot(action: ActionPlan) -> str:
    return "places" if action.gives == "places" else action.key
