"""A log told under rules that it was not written under: what is true then, and what they would refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import asyncpg
import orjson

from omnium_contract.flows.types import Ctx, Event, Fixture
from omnium_store.errors import Refused
from omnium_worker import checkpoints, inputs, judging
from omnium_worker.differences import Conflict
from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed, FormatMisfit, Host
from omnium_worker.judging import NOTHING_LOADED, Derived, Loaded
from omnium_worker.plans import WorkflowPlan
from omnium_worker.refusals import Denied, Refusal, failed, not_offered, over_budget
from omnium_worker.story import Story, event_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """The state after so many events; `prefix_hash` is that of the row of the last one."""

    seq: int
    events: int
    state: bytes
    prefix_hash: bytes


class Retelling:
    """The story of one fixture as it grows: rows of its log are added in order, each once.

    All of it is the release's code: a step that fails means that the log can't be told, which is `Refused`.
    """

    def __init__(self, host: Host, workflow: WorkflowPlan, facts: str, *, known_to: int = 0) -> None:
        """`facts` are the fixture's, as JSON; `known_to` is the last row that was there when it was read."""
        self.facts: Final = facts
        self.known_to: Final = known_to
        self.workflow: Final = workflow
        self.conflicts: list[Conflict] = []
        self.checkpoints: list[Checkpoint] = []
        self.seqs: list[int] = []
        self.prefix_hash: bytes | None = None
        self._host = host
        self._reads_log = any("log" in plan.needs for plan in workflow.commands.values())
        self._log: tuple[Event, ...] = ()
        try:
            self._fixture: Fixture[Any] = host.fixture(workflow, facts)
            self._story = Story(host, workflow, self._fixture)
        except FormatMisfit as misfit:
            said = f"The settings of this fixture do not fit {misfit.title} in {host.identity.version}"
            raise Refused(f"{said}: {misfit}", reason="format_misfit") from misfit
        except (ComponentFailed, OverBudget) as error:
            raise self._untellable(error, where="before the first event") from error

    @property
    def fixture(self) -> Fixture[Any]:
        """The facts that it is told with."""
        return self._fixture

    @property
    def state(self) -> bytes:
        """The canonical state after the last event."""
        return self._story.state

    @property
    def word(self) -> str | None:
        """The status that the state says."""
        return self._story.word

    @property
    def events(self) -> int:
        """How many events made it."""
        return self._story.events

    def rows(self) -> Derived:
        """All lines and places as they stand. Raises `Refused`."""
        try:
            return self._story.rows()
        except (ComponentFailed, OverBudget) as error:
            raise self._untellable(error, where="after the last event") from error

    def add(self, row: Mapping[str, Any] | asyncpg.Record, loaded: Loaded = NOTHING_LOADED) -> None:
        """One more event of the log. `loaded` is what rules may read beside log and state."""
        event = event_of(row)
        objection = self._objection(event, loaded)
        try:
            self._story.add(event)
        except (ComponentFailed, OverBudget) as error:
            raise self._untellable(error, where=f"at event {event.seq}") from error
        if objection is not None:
            self.conflicts.append(_conflict(event, objection))
        if self._reads_log:
            self._log = (*self._log, event)
        self.seqs.append(event.seq)
        self.prefix_hash = row["row_hash"]
        if checkpoints.is_due(self.events):
            self.checkpoints.append(
                Checkpoint(seq=event.seq, events=self.events, state=self.state, prefix_hash=row["row_hash"])
            )

    def _objection(self, event: Event, loaded: Loaded) -> Refusal | None:
        """Why these rules would refuse the command, with the state before it; None if they would not."""
        try:
            self._ask(event, loaded)
        except Denied as denied:
            return denied.refusal
        except ComponentFailed as failure:
            return failed(failure)
        except OverBudget as spent:
            return over_budget(spent)
        return None

    def _ask(self, event: Event, loaded: Loaded) -> None:
        plan = self.workflow.commands.get(event.code)
        if plan is None:
            raise not_offered(f"{self.workflow.title} has no command {event.code}.", reason="no_such_command")
        kind = self._fixture.fixture_type
        if plan.applies_to and kind not in plan.applies_to:
            raise not_offered(f"{event.code} is not for a fixture of type {kind}.", reason="other_type")
        model = inputs.checked(self._host.call, plan.model, key=plan.key, sent=event.input)
        ctx = Ctx(
            fixture=self._fixture,
            derived=orjson.loads(self.state),
            log=self._log if "log" in plan.needs else (),
            stats=loaded.stats,
            masters=loaded.masters,
            children=loaded.children,
        )
        judging.ask_rules(
            self._host, plan, model, sent=event.input, ctx=ctx, confirm=frozenset(event.confirmed)
        )

    def _untellable(self, error: ComponentFailed | OverBudget, *, where: str) -> Refused:
        return Refused(
            f"Release {self._host.identity.version} can't tell this match: {error.key} failed {where} "
            f"({error}). Nothing was moved. Correct the rules and build another release.",
            reason="fold_failed",
        )


def _conflict(event: Event, refusal: Refusal) -> Conflict:
    reason = refusal.reason or refusal.kind
    match refusal.kind:  # these two tell a live sender that nothing was written, which here nobody wanted
        case "failed":
            sentence = f"{reason} failed."
        case "over_budget":
            sentence = f"{reason} took too long."
        case _:
            sentence = refusal.message
    return Conflict(seq=event.seq, code=event.code, reason=reason, sentence=sentence)
