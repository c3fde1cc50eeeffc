"""`Match`: a fold workflow played command by command as the engine does it, without an engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, get_type_hints

from pydantic import BaseModel, ValidationError

from omnium_contract import canonical
from omnium_contract.flows.components import ComponentKind, ComponentSpec
from omnium_contract.flows.sport import Sport, Workflow
from omnium_contract.flows.types import Ctx, Event, Fixture, Gives, Line, Place, Verdict
from omnium_contract.testing.facts import fixture as fixture_of

#: When a match begins that says nothing else.
FIRST_TAP = datetime(2026, 1, 1, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the sender of a command would be told."""

    accepted: bool
    seq: int | None = None
    refusal: str | None = None
    reason: str | None = None
    message: str | None = None
    problems: tuple[Mapping[str, str], ...] = ()

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(slots=True)
class Match:
    """One fixture with its log and state. `send` judges a command; each step gets a fresh parse of the state.

    `digests` has the state's digest after each event.
    """

    workflow: type[Sport]
    fixture: Fixture[Any]
    log: list[Event] = field(default_factory=list)
    digests: list[str] = field(default_factory=list)
    _sport: Sport = field(init=False)
    _state: bytes = field(init=False)

    def __post_init__(self) -> None:
        self._sport = self.workflow()
        self._state = canonical.dumps(self._sport.initial(Ctx(fixture=self.fixture)))

    @classmethod
    def of(cls, workflow: type[Sport], *sides: str, **format: Any) -> Match:
        """A match between `sides` (`home` and `away` unless given) under the format settings given."""
        return cls(workflow, fixture_of(workflow, sides=sides or ("home", "away"), format=format))

    @property
    def state(self) -> dict[str, Any]:
        """A fresh parse of the state: changing it changes nothing."""
        parsed: dict[str, Any] = json.loads(self._state)
        return parsed

    @property
    def state_bytes(self) -> bytes:
        """The canonical bytes of the state."""
        return self._state

    def send(
        self, name: str, /, *, at: str | None = None, confirm: Iterable[str] = (), **input: Any
    ) -> Answer:
        """Send the command `name` (with or without the workflow's code in front) and say what came of it."""
        spec = self._command(name)
        if spec is None or spec.input_model is None:
            return Answer(accepted=False, refusal="not_offered", message=f"{name} is not offered")
        try:
            model = spec.input_model.model_validate(input)
        except ValidationError as error:
            return input_refusal(error)
        ctx = Ctx(fixture=self.fixture, derived=self.state, log=tuple(self.log))
        refusal, overruled = judged(self._sport, spec, input, ctx, confirm=confirm)
        if refusal is not None:
            return refusal
        self.append(
            Event(
                seq=len(self.log) + 1,
                code=f"{self.workflow.command_root()}.{spec.name}",
                input=canonical.normal(model.model_dump(mode="json", by_alias=True)),
                occurred_at=at or _stamp(len(self.log)),
                actor="scorer",
                confirmed=overruled,
            )
        )
        return Answer(accepted=True, seq=len(self.log))

    def must(self, name: str, /, **told: Any) -> Answer:
        """`send`, and an `AssertionError` with the refusal if it was not accepted."""
        answer = self.send(name, **told)
        if not answer.accepted:
            raise AssertionError(f"{name} was refused ({answer.refusal} {answer.reason}): {answer.message}")
        return answer

    def append(self, event: Event) -> None:
        """Fold one event in without asking the rules, as a refold does."""
        self.log.append(event)
        step, ctx = self.workflow.components["state"], Ctx(fixture=self.fixture)
        if "log" in step.spec.reads:
            stepped = step.fn(self._sport, tuple(self.log), ctx)
        else:
            stepped = step.fn(self._sport, self.state, event, ctx)
        self._state = canonical.dumps(stepped)
        self.digests.append(hashlib.sha256(self._state).hexdigest())

    def lines(self) -> list[Line]:
        """All lines that the LINES actions give now."""
        return self._derive(Gives.LINES)

    def places(self) -> list[Place]:
        """All places that the PLACES actions give now."""
        return self._derive(Gives.PLACES)

    def number(
        self, key: str, *, entry: str | None = None, person: str | None = None, segment: str | None = None
    ) -> int:
        """The number `key` of one line; 0 where no line has it."""
        wanted = (entry, person, segment)
        found = [ln.values for ln in self.lines() if key in ln.values and _matches(ln, wanted)]
        return sum(values[key] for values in found)

    def _derive(self, gives: Gives) -> list[Any]:
        ctx = Ctx(fixture=self.fixture, derived=self.state)
        given: list[Any] = []
        for component in self.workflow.of(ComponentKind.ACTION):
            if component.spec.gives is gives:
                log = tuple(self.log) if "log" in component.spec.reads else ()
                given += component.fn(self._sport, log, ctx)
        return given

    def _command(self, name: str) -> ComponentSpec | None:
        found = self.workflow.components.get(name.removeprefix(f"{self.workflow.command_root()}."))
        if found is None or found.spec.kind is not ComponentKind.COMMAND:
            return None
        applies = found.spec.applies_to
        return None if applies and self.fixture.fixture_type not in applies else found.spec


def judged(
    workflow: Workflow, spec: ComponentSpec, raw: Mapping[str, Any], ctx: Any, *, confirm: Iterable[str] = ()
) -> tuple[Answer | None, tuple[str, ...]]:
    """The first rule's no as a refusal, or None, and the names of the rules that `confirm` overruled."""
    overruled: list[str] = []
    confirmed = frozenset(confirm)
    for name in spec.validations:
        rule = workflow.components[name]
        verdict: Verdict = rule.fn(workflow, typed_input(rule.fn, raw), ctx)
        if verdict.ok:
            continue
        if rule.spec.confirmable and name in confirmed:
            overruled.append(name)
            continue
        kind = "confirm" if rule.spec.confirmable else "rejected"
        said = verdict.message or rule.spec.message
        return Answer(accepted=False, refusal=kind, reason=name, message=said), ()
    return None, tuple(overruled)


def typed_input(fn: Callable[..., Any], raw: Mapping[str, Any]) -> Any:
    """The input as the parameter `input` of a rule wants it: the raw mapping, or its annotated model."""
    model = _input_model(fn)
    return dict(raw) if model is None else model.model_validate(dict(raw))


@cache
def _input_model(fn: Callable[..., Any]) -> type[BaseModel] | None:
    hint = get_type_hints(fn).get("input")
    return hint if isinstance(hint, type) and issubclass(hint, BaseModel) else None


def input_refusal(error: ValidationError) -> Answer:
    """The refusal of an input that its model does not take, with every problem and its field."""
    problems = tuple(
        {"field": ".".join(str(part) for part in e["loc"]), "message": e["msg"]} for e in error.errors()
    )
    said = "; ".join(f"{p['field']}: {p['message']}" for p in problems)
    return Answer(accepted=False, refusal="input", message=said, problems=problems)


def _matches(line: Line, wanted: tuple[str | None, str | None, str | None]) -> bool:
    return (line.entry if wanted[0] else None, line.person, line.segment) == wanted


def _stamp(number: int) -> str:
    return (FIRST_TAP + timedelta(seconds=number)).isoformat().replace("+00:00", "Z")
