"""Facts for tests: fixtures, contexts and events with sensible defaults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Ctx, Event, EventFacts, Fixture, RecordCtx, Side


def fixture(
    workflow: type[Workflow],
    *,
    sides: Iterable[str | Side] = ("home", "away"),
    format: Mapping[str, Any] | None = None,
    **facts: Any,
) -> Fixture[Any]:
    """A fixture of `workflow`. Sides may be given by entry; `format` is parsed by the format model.

    >>> from omnium_contract.flows.sport import Workflow
    >>> fixture(Workflow, sides=("red", "blue")).sides[1].entry
    'blue'
    """
    model = workflow.format_model
    parsed = dict(format or {}) if model is None else model.model_validate(dict(format or {}))
    made = tuple(
        s if isinstance(s, Side) else Side(entry=s, position=n, name=s) for n, s in enumerate(sides, 1)
    )
    return Fixture(
        **{"id": "fixture", "sport": getattr(workflow, "code", ""), **facts}, format=parsed, sides=made
    )


def context(fixture: Fixture[Any], derived: Mapping[str, Any] | None = None, **loaded: Any) -> Ctx[Any]:
    """What a rule or action of a fold reads: the fixture, a state, and what else is named in `loaded`."""
    return Ctx(fixture=fixture, derived=dict(derived or {}), **loaded)


def event(code: str, *, seq: int = 1, occurred_at: str = "2026-01-01T12:00:00Z", **input: Any) -> Event:
    """One event of a log; the input is given by keyword, in its camelCase form."""
    return Event(seq=seq, code=code, input=input, occurred_at=occurred_at, actor="scorer")


def record_context(
    fixture: Fixture[Any] | None = None,
    *,
    source: Literal["person", "integration"] = "person",
    event: str = "games",
    actor: str = "operator",
) -> RecordCtx:
    """What a rule or action of an apply workflow reads."""
    facts = EventFacts(id="event", code=event, name=event.title())
    return RecordCtx(event=facts, fixture=fixture, source=source, actor=actor)
