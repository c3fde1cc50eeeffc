"""Prepared commands: all that a command needs of its workflow, looked up once when the release is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from pydantic import BaseModel

from omnium_contract.flows.components import ComponentKind, ComponentSpec
from omnium_contract.flows.registered import RegisteredComponent
from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Gives, When

#: What the database loads on demand; `event` and `derived` are always at hand.
LOADED: Final = frozenset({"log", "stats", "masters", "children"})
#: What is derived from a state, and all that something is written of besides the state itself.
_ROWS: Final = frozenset({Gives.LINES, Gives.PLACES})
WRITTEN: Final = _ROWS | {Gives.RECORDS}

Component = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePlan:
    """One rule. `model` is what its parameter `input` is annotated with; None: the raw mapping."""

    name: str
    key: str
    fn: Component
    message: str
    confirmable: bool
    model: type[BaseModel] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionPlan:
    """One action, by what it gives. `keys` are the numbers that its lines may hold."""

    name: str
    key: str
    fn: Component
    gives: Gives
    when: When
    reads: frozenset[str]
    keys: frozenset[str]
    model: type[BaseModel] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchPlan:
    """Routing that may add some of `actions`, by member name."""

    key: str
    fn: Component
    actions: Mapping[str, ActionPlan]
    model: type[BaseModel] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorPath:
    """Where an input names persons: a path of (camelCase name, Python name) and the role they play."""

    role: str
    path: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatPlan:
    """A stat that a command sets off. `scope` is `node` (the competition) or `event`."""

    key: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPlan:
    """One command of one workflow. `actions` are those of which something is written, in the order named."""

    code: str
    key: str
    workflow: WorkflowPlan
    model: type[BaseModel]
    imports: bool
    applies_to: frozenset[str]
    rules: tuple[RulePlan, ...]
    actions: tuple[ActionPlan, ...]
    branches: tuple[BranchPlan, ...]
    actors: tuple[ActorPath, ...]
    stats: tuple[StatPlan, ...]
    needs: frozenset[str]


class WorkflowPlan:
    """One workflow: its only instance, its step, and its commands by code. Built once, then only read."""

    def __init__(self, workflow: type[Workflow]) -> None:
        self.code: Final = workflow.code
        self.root: Final = workflow.command_root()
        self.mode: Final = workflow.mode
        self.subject: Final = workflow.subject
        self.title: Final = workflow.title or workflow.code
        self.format_model: Final = workflow.format_model
        self.instance: Final = workflow()
        self.actions: Final = {c.spec.name: _action(c) for c in workflow.of(ComponentKind.ACTION)}
        self.step: Final = self.actions["state"] if self.mode == "fold" else None
        self.rows: Final = tuple(a for a in self.actions.values() if a.gives in _ROWS)
        self.at_finish: Final = tuple(a for a in self.rows if a.when is When.FINISHED)
        self.commands: Final[Mapping[str, CommandPlan]] = {
            plan.code: plan
            for plan in (self._command(workflow, c) for c in workflow.of(ComponentKind.COMMAND))
        }

    @property
    def initial(self) -> Component:
        """What gives the state before the first event."""
        initial: Component = self.instance.initial  # type: ignore[attr-defined] # every fold workflow has it
        return initial

    def _command(self, workflow: type[Workflow], component: RegisteredComponent) -> CommandPlan:
        spec, members = component.spec, workflow.components
        model = spec.input_model
        if model is None:
            raise ValueError(f"{component.key} has no input model")
        rules = tuple(_rule(members[name]) for name in spec.validations)
        actions = tuple(a for a in (self.actions[name] for name in spec.actions) if a.gives in WRITTEN)
        branches = tuple(self._branch(members[name]) for name in spec.branches)
        return CommandPlan(
            code=f"{self.root}.{spec.name}",
            key=component.key,
            workflow=self,
            model=model,
            imports=spec.imports,
            applies_to=frozenset(spec.applies_to),
            rules=rules,
            actions=actions,
            branches=branches,
            actors=tuple(_actor(model, actor) for actor in spec.actors),
            stats=tuple(_stat(members[name].spec) for name in spec.stats),
            needs=self._needs(spec, members, branches),
        )

    def _branch(self, component: RegisteredComponent) -> BranchPlan:
        return BranchPlan(
            key=component.key,
            fn=component.fn,
            actions={name: self.actions[name] for name in component.spec.actions},
            model=input_model(component.fn),
        )

    def _needs(
        self,
        spec: ComponentSpec,
        members: Mapping[str, RegisteredComponent],
        branches: Iterable[BranchPlan],
    ) -> frozenset[str]:
        """What any component that the command may run declares in `reads`, of what is loaded on demand."""
        named = [*spec.validations, *spec.actions, *spec.branches]
        named += [name for branch in branches for name in branch.actions]
        named += [action.name for action in self.at_finish]
        if self.step is not None:
            named.append(self.step.name)
        return frozenset(read for name in named for read in members[name].spec.reads) & LOADED


def input_model(fn: Component) -> type[BaseModel] | None:
    """The model that the parameter `input` of a component is annotated with, or None for the raw mapping."""
    hint = get_type_hints(fn).get("input")
    return hint if isinstance(hint, type) and issubclass(hint, BaseModel) else None


def _rule(component: RegisteredComponent) -> RulePlan:
    spec = component.spec
    return RulePlan(
        name=spec.name,
        key=component.key,
        fn=component.fn,
        message=spec.message,
        confirmable=spec.confirmable,
        model=input_model(component.fn),
    )


def _action(component: RegisteredComponent) -> ActionPlan:
    spec = component.spec
    if spec.gives is None:
        raise ValueError(f"{component.key} does not say what it gives")
    return ActionPlan(
        name=spec.name,
        key=component.key,
        fn=component.fn,
        gives=spec.gives,
        when=spec.when,
        reads=frozenset(spec.reads),
        keys=frozenset(spec.keys),
        model=input_model(component.fn),
    )


def _stat(spec: ComponentSpec) -> StatPlan:
    declared = spec.declared
    return StatPlan(key=declared.key, scope=declared.scope)


def _actor(model: type[BaseModel], actor: Mapping[str, Any]) -> ActorPath:
    _, _, path = str(actor["path"]).partition(".")
    names = [part.removesuffix("[]") for part in path.split(".")]
    return ActorPath(role=str(actor["role"]), path=(_names(model, names[0]), *((n, n) for n in names[1:])))


def _names(model: type[BaseModel], name: str) -> tuple[str, str]:
    """A field's name on the wire and in Python, whichever of the two was given."""
    for own, field in model.model_fields.items():
        alias = field.serialization_alias or field.alias or own
        if name in (own, alias):
            return alias, own
    return name, name
