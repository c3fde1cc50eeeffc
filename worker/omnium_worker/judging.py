"""Judging: input model, rules, step, rows. Values in, values out: the road and the replay both call this."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson
from pydantic import BaseModel

from omnium_contract.flows.types import Ctx, Event, Fixture, RecordCtx, Verdict
from omnium_store import statuses
from omnium_worker import canonical_fast, inputs
from omnium_worker.host import ComponentFailed, Host
from omnium_worker.plans import (
    WRITTEN,
    ActionPlan,
    ActorPath,
    BranchPlan,
    CommandPlan,
    RulePlan,
    WorkflowPlan,
)
from omnium_worker.refusals import Denied, Refusal
from omnium_worker.rows import LineRow, PlaceRow, RecordRow, line_rows, place_rows, record_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What components asked for in `reads`."""

    log: tuple[Event, ...] = ()
    stats: Mapping[str, Any] = field(default_factory=dict)
    masters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    children: tuple[Mapping[str, Any], ...] = ()


NOTHING_LOADED = Loaded()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldCase:
    """All that the judgement of a fold command may depend on."""

    plan: CommandPlan
    fixture: Fixture[Any]
    state: bytes
    sent: Mapping[str, Any]
    seq: int
    occurred_at: str
    actor: str
    confirm: frozenset[str] = frozenset()
    loaded: Loaded = NOTHING_LOADED


@dataclass(frozen=True, slots=True, kw_only=True)
class Derived:
    """Rows that actions gave. `ran`: keys of the LINES actions; `places` None: no PLACES action ran."""

    ran: tuple[str, ...] = ()
    lines: tuple[LineRow, ...] = ()
    places: tuple[PlaceRow, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEvent:
    """A fold command that the rules take: its event, the state after it, and the status that this says."""

    event: Event
    payload: bytes
    state: bytes
    word: str | None
    model: BaseModel
    before: Ctx[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldJudgement:
    """An accepted fold command: what its log row says and what is true after it."""

    event: Event
    payload: bytes
    state: bytes
    digest: bytes
    status_before: str | None
    status: str | None
    derived: Derived
    actors: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyJudgement:
    """An accepted apply command: the records for the platform's writers."""

    confirmed: tuple[str, ...]
    records: tuple[RecordRow, ...]
    actors: tuple[tuple[str, str], ...]


def judge_fold(host: Host, case: FoldCase) -> FoldJudgement:
    """Input, rules, step, rows. Raises `Denied`; `ComponentFailed` and `OverBudget` for a component."""
    judged = judge_event(host, case)
    event, log = judged.event, case.loaded.log
    after = replace(judged.before, derived=orjson.loads(judged.state), log=(*log, event) if log else (event,))
    return FoldJudgement(
        event=event,
        payload=judged.payload,
        state=judged.state,
        digest=canonical_fast.digest(judged.state),
        status_before=judged.before.derived.get("status"),
        status=judged.word,
        derived=_derive(host, case, judged.model, after=after),
        actors=persons(case.plan.actors, event.input),
    )


def judge_event(host: Host, case: FoldCase) -> JudgedEvent:
    """Input, rules, step: all of a fold command but its rows. Raises as `judge_fold` does."""
    plan, loaded = case.plan, case.loaded
    model = inputs.checked(host.call, plan.model, key=plan.key, sent=case.sent)
    before = Ctx(
        fixture=case.fixture,
        derived=orjson.loads(case.state),
        log=loaded.log,
        stats=loaded.stats,
        masters=loaded.masters,
        children=loaded.children,
    )
    confirmed = ask_rules(host, plan, model, sent=case.sent, ctx=before, confirm=case.confirm)
    payload = canonical_fast.dumps(model.model_dump(mode="json", by_alias=True))
    event = Event(
        seq=case.seq,
        code=plan.code,
        input=orjson.loads(payload),
        occurred_at=case.occurred_at,
        actor=case.actor,
        confirmed=confirmed,
    )
    state, word = step_with_word(
        host, plan.workflow, case.fixture, state=case.state, event=event, log=loaded.log
    )
    return JudgedEvent(event=event, payload=payload, state=state, word=word, model=model, before=before)


def judge_apply(
    host: Host, plan: CommandPlan, *, sent: Mapping[str, Any], ctx: RecordCtx, confirm: frozenset[str]
) -> ApplyJudgement:
    """Input, rules, records. Raises as `judge_fold` does."""
    model = inputs.checked(host.call, plan.model, key=plan.key, sent=sent)
    confirmed = ask_rules(host, plan, model, sent=sent, ctx=ctx, confirm=confirm)
    records: list[RecordRow] = []
    for action in routed(host, plan, model, sent=sent, ctx=ctx):
        given = host.call(
            action.key, action.fn, plan.workflow.instance, _typed(host, action, plan, model, sent), ctx
        )
        records += record_rows(action, given)
    return ApplyJudgement(confirmed=confirmed, records=tuple(records), actors=persons(plan.actors, sent))


def ask_rules(
    host: Host,
    plan: CommandPlan,
    model: BaseModel,
    *,
    sent: Mapping[str, Any],
    ctx: Any,
    confirm: frozenset[str],
) -> tuple[str, ...]:
    """The rules in order; the names of those that the sender overruled. Raises `Denied` at the first no."""
    overruled: list[str] = []
    for rule in plan.rules:
        verdict = host.call(
            rule.key, rule.fn, plan.workflow.instance, _typed(host, rule, plan, model, sent), ctx
        )
        if not isinstance(verdict, Verdict):
            raise ComponentFailed(rule.key, f"gave {type(verdict).__name__}, not a verdict")
        if verdict.ok:
            continue
        if not (rule.confirmable and rule.name in confirm):
            raise Denied(
                Refusal(
                    kind="confirm" if rule.confirmable else "rejected",
                    message=verdict.message or rule.message,
                    reason=rule.name,
                )
            )
        overruled.append(rule.name)
    return tuple(overruled)


def initial(host: Host, workflow: WorkflowPlan, fixture: Fixture[Any]) -> bytes:
    """The canonical state before the first event."""
    key = f"{workflow.code}.initial"
    return _state_bytes(key, host.call(key, workflow.initial, Ctx(fixture=fixture)))


def step(
    host: Host,
    workflow: WorkflowPlan,
    fixture: Fixture[Any],
    *,
    state: bytes,
    event: Event,
    log: tuple[Event, ...] = (),
) -> bytes:
    """The canonical state after one event. `log` are those before it, for a fold of the whole log only."""
    return step_with_word(host, workflow, fixture, state=state, event=event, log=log)[0]


def step_with_word(
    host: Host,
    workflow: WorkflowPlan,
    fixture: Fixture[Any],
    *,
    state: bytes,
    event: Event,
    log: tuple[Event, ...],
) -> tuple[bytes, str | None]:
    """The canonical state after one event, and its `status`, which so needs no second parse."""
    action = workflow.step
    if action is None:
        raise ComponentFailed(workflow.code, "has no state: it applies records")
    ctx = Ctx(fixture=fixture)
    if "log" in action.reads:
        given = host.call(action.key, action.fn, workflow.instance, (*log, event), ctx)
    else:
        given = host.call(action.key, action.fn, workflow.instance, orjson.loads(state), event, ctx)
    made = _state_bytes(action.key, given)
    word = given.get("status")
    return made, None if word is None else str(word)


def derive(host: Host, workflow: WorkflowPlan, actions: Iterable[ActionPlan], *, ctx: Ctx[Any]) -> Derived:
    """The rows that `actions` give for the state in `ctx.derived`."""
    entries = frozenset(side.entry for side in ctx.fixture.sides)
    ran: list[str] = []
    lines: list[LineRow] = []
    places: tuple[PlaceRow, ...] | None = None
    without_log = replace(ctx, log=())
    for action in actions:
        log, read = (ctx.log, ctx) if "log" in action.reads else ((), without_log)
        given = host.call(action.key, action.fn, workflow.instance, log, read)
        if action.gives == "lines":
            ran.append(action.key)
            lines += line_rows(action, given)
        else:
            places = place_rows(action, given, entries)
    return Derived(ran=tuple(ran), lines=tuple(lines), places=places)


def persons(paths: Iterable[ActorPath], value: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """(role, person) for every person that an input names, each once."""
    found = ((actor.role, person) for actor in paths for person in _at(value, actor.path))
    return tuple(dict.fromkeys(found))


def _at(value: Any, path: tuple[tuple[str, str], ...]) -> Iterable[str]:
    if isinstance(value, list):
        for item in value:
            yield from _at(item, path)
    elif path and isinstance(value, Mapping):
        (wire, own), *rest = path
        yield from _at(value.get(wire, value.get(own)), tuple(rest))
    elif not path and isinstance(value, str) and value:
        yield value


def _derive(host: Host, case: FoldCase, model: BaseModel, *, after: Ctx[Any]) -> Derived:
    named = routed(host, case.plan, model, sent=case.sent, ctx=after)
    return rows_due(host, case.plan.workflow, named, ctx=after)


def rows_due(host: Host, workflow: WorkflowPlan, named: Sequence[ActionPlan], *, ctx: Ctx[Any]) -> Derived:
    """The rows of the actions that a command names, and of those that wait for the finish if this is one."""
    run, emptied = due(workflow, named, word=ctx.derived.get("status"))
    derived = derive(host, workflow, run, ctx=ctx)
    lines = tuple(action.key for action in emptied if action.gives == "lines")
    places = () if derived.places is None and len(lines) < len(emptied) else derived.places
    return replace(derived, ran=(*derived.ran, *lines), places=places)


def due(
    workflow: WorkflowPlan, named: Sequence[ActionPlan], *, word: object
) -> tuple[Sequence[ActionPlan], Sequence[ActionPlan]]:
    """Which row-making actions run after a command, and which have no rows as nothing is finished."""
    waiting = workflow.at_finish
    if not waiting:
        return named, ()
    now = [action for action in named if action not in waiting]
    return ([*now, *waiting], ()) if is_over(workflow, word) else (now, waiting)


def is_over(workflow: WorkflowPlan, word: object) -> bool:
    """Whether a state with this status ends its fixture. A word not of the ladder is the step's fault."""
    if word is None:
        return False
    try:
        return statuses.standing_of(str(word)).is_over
    except ValueError as error:
        raise ComponentFailed(f"{workflow.code}.state", str(error)) from error


def routed(
    host: Host, plan: CommandPlan, model: BaseModel, *, sent: Mapping[str, Any], ctx: Any
) -> list[ActionPlan]:
    """The actions that the command names, then those that its branches add; each once."""
    named = list(plan.actions)
    for branch in plan.branches:
        names = host.call(
            branch.key, branch.fn, plan.workflow.instance, _typed(host, branch, plan, model, sent), ctx
        )
        for name in names:
            action = branch.actions.get(name)
            if action is None:
                raise ComponentFailed(branch.key, f"picked {name!r}, which is not among its actions")
            if action not in named and action.gives in WRITTEN:
                named.append(action)
    return named


def _typed(
    host: Host,
    component: RulePlan | ActionPlan | BranchPlan,
    plan: CommandPlan,
    model: BaseModel,
    sent: Mapping[str, Any],
) -> Any:
    """The input as a component's annotation wants it: raw, the command's model, or a model of its own."""
    if component.model is None:
        return sent
    if component.model is plan.model:
        return model
    return inputs.checked(host.call, component.model, key=component.key, sent=sent)


def _state_bytes(key: str, given: object) -> bytes:
    if not isinstance(given, dict):
        raise ComponentFailed(key, f"gave {type(given).__name__}, not a state")
    try:
        return canonical_fast.dumps(given)
    except ValueError as error:
        raise ComponentFailed(key, f"gave a state that JSON cannot carry: {error}") from error
