"""The five decorators. Each stamps a frozen spec on a function and returns the function unchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeVar

from pydantic import BaseModel

from omnium_contract.flows.types import Gives, When

_F = TypeVar("_F", bound=Callable[..., Any])
_SPEC: Final = "__omnium_component__"

#: What a component may ask the engine to load for it; corpus entries carry the same.
READABLE: Final = frozenset({"log", "event", "derived", "stats", "masters", "children"})


class ComponentKind(StrEnum):
    """What a decorated member is to the engine."""

    COMMAND = "command"
    VALIDATION = "validation"
    ACTION = "action"
    BRANCH = "branch"
    STAT = "stat"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentSpec:
    """All that a decorator was told. Names in it are member names of the same workflow.

    `actors` name the persons in an input: `{"path": "input.scorer", "role": "scorer", "optional": True}`.
    `fields` are the columns of an import: `{"name": …, "label": …, "hint": …, "required": …}`.
    """

    kind: ComponentKind
    name: str
    description: str = ""
    title: str = ""
    reads: tuple[str, ...] = ()
    input_model: type[BaseModel] | None = None
    validations: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    stats: tuple[str, ...] = ()
    actors: tuple[Mapping[str, Any], ...] = ()
    applies_to: tuple[str, ...] = ()
    imports: bool = False
    fields: tuple[Mapping[str, Any], ...] = ()
    message: str = ""
    confirmable: bool = False
    gives: Gives | None = None
    when: When = When.NOW
    keys: tuple[str, ...] = ()
    declared: Any = field(default=None, compare=False)


def spec_of(member: object) -> ComponentSpec | None:
    """The spec that a decorator stamped on `member`, or None."""
    spec = getattr(member, _SPEC, None)
    return spec if isinstance(spec, ComponentSpec) else None


def command(  # noqa: PLR0913 - the decorator is the whole declaration of a command
    *,
    input: type[BaseModel],
    validations: Iterable[str] = (),
    actions: Iterable[str] = (),
    branches: Iterable[str] = (),
    stats: Iterable[str] = (),
    actors: Iterable[Mapping[str, Any]] = (),
    applies_to: Iterable[str] = (),
    title: str = "",
    description: str = "",
    imports: bool = False,
    fields: Iterable[Mapping[str, Any]] = (),
) -> Callable[[_F], _F]:
    """A named request. The method's body is empty: rules guard it, actions say what is true afterwards.

    `validations` run in the order given; the first no is the answer. `applies_to` are fixture types, none
    for all. `imports` marks a command that only an integration may send, with `fields` as its columns.
    """
    return _stamp(
        ComponentKind.COMMAND,
        input_model=input,
        validations=tuple(validations),
        actions=tuple(actions),
        branches=tuple(branches),
        stats=tuple(stats),
        actors=tuple(actors),
        applies_to=tuple(applies_to),
        title=title,
        description=description,
        imports=imports,
        fields=tuple(fields),
    )


def validation(
    *,
    message: str,
    confirmable: bool = False,
    reads: Iterable[str] = (),
    title: str = "",
    description: str = "",
) -> Callable[[_F], _F]:
    """A rule: `(self, input, ctx) -> Verdict`, pure. `message` is spoken where its no has no sentence.

    A `confirmable` no may be overruled by the sender, who names the rule in `confirm`.
    The parameter `input` is the raw mapping, or a model where its annotation is one.
    """
    return _stamp(
        ComponentKind.VALIDATION,
        message=message,
        confirmable=confirmable,
        reads=tuple(reads),
        title=title,
        description=description,
    )


def action(
    *,
    gives: Gives,
    reads: Iterable[str] = (),
    keys: Iterable[str] = (),
    when: When = When.NOW,
    title: str = "",
    description: str = "",
) -> Callable[[_F], _F]:
    """What is true because of a command. Its shape follows from `gives`:

    - STATE, `reads=("event",)`, the step: `(self, state: dict, event: Event, ctx) -> dict`;
    - STATE, `reads=("log",)`, a whole fold: `(self, log: tuple[Event, ...], ctx) -> dict`;
    - LINES: `(self, log, ctx) -> list[Line]`, PLACES: `(self, log, ctx) -> list[Place]`, the new state in
      `ctx.derived`, `log` empty unless `reads` names it;
    - RECORDS, apply mode: `(self, input, ctx: RecordCtx) -> list[Record]`.

    `keys` lists every number that a LINES action may write; each is a fact of the sport.
    """
    return _stamp(
        ComponentKind.ACTION,
        gives=gives,
        reads=tuple(reads),
        keys=tuple(keys),
        when=when,
        title=title,
        description=description,
    )


def branch(
    *, actions: Iterable[str], reads: Iterable[str] = (), title: str = "", description: str = ""
) -> Callable[[_F], _F]:
    """Routing: `(self, input, ctx) -> tuple[str, ...]` picks which of `actions` run too, on the new state."""
    return _stamp(
        ComponentKind.BRANCH,
        actions=tuple(actions),
        reads=tuple(reads),
        title=title,
        description=description,
    )


def stat(*, declared: Any, title: str = "", description: str = "") -> Callable[[_F], _F]:
    """A stat as data: `declared` is a `StatSpec`. Written by `omnium_contract.stats.declared_stat`."""
    return _stamp(ComponentKind.STAT, declared=declared, title=title, description=description)


def _stamp(kind: ComponentKind, **told: Any) -> Callable[[_F], _F]:
    def decorate(fn: _F) -> _F:
        setattr(fn, _SPEC, ComponentSpec(kind=kind, name=fn.__name__, **told))
        return fn

    return decorate
