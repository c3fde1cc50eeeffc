"""Inputs: pydantic's problems as notes for a form, and the bounds of the moment that a sender may claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from omnium_worker import instants
from omnium_worker.refusals import Denied, Refusal

_SAID_PLAINLY: Final[Mapping[str, str]] = {
    "missing": "is required",
    "none_required": "must be left out",
}


def checked(
    call: Callable[..., BaseModel | ValidationError],
    model: type[BaseModel],
    *,
    key: str,
    sent: Mapping[str, Any],
) -> BaseModel:
    """The input as its model. Raises `Denied` with all problems; `call` is the host's door to plugin code."""
    made = call(key, _validated, model, sent)
    if isinstance(made, ValidationError):
        raise refused_fields(problems_of(made))
    return made


def _validated(model: type[BaseModel], sent: Mapping[str, Any]) -> BaseModel | ValidationError:
    """The error as a value: it is the sender's problem, not a component that failed."""
    try:
        return model.model_validate(sent)
    except ValidationError as error:
        return error


def refused_fields(notes: tuple[Mapping[str, str], ...]) -> Denied:
    """The refusal `input` with its problems, each with its field."""
    message = "; ".join(
        f"{note['field']}: {note['message']}" if note["field"] else note["message"] for note in notes
    )
    return Denied(Refusal(kind="input", message=message, notes=notes))


def problems_of(
    error: ValidationError, *, unknown: str = "is not a field of this command"
) -> tuple[Mapping[str, str], ...]:
    """One note a problem, in pydantic's order. `unknown` is said of a name that the model does not know."""
    said = {**_SAID_PLAINLY, "extra_forbidden": unknown}
    return tuple(
        {"field": ".".join(str(part) for part in detail["loc"]), "message": _sentence(detail, said)}
        for detail in error.errors(include_url=False, include_context=True, include_input=False)
    )


def _sentence(detail: ErrorDetails, said: Mapping[str, str]) -> str:
    plain = said.get(detail["type"])
    return plain or detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")


def occurred_at(claimed: str, *, now: datetime, previous: datetime | None, ahead: timedelta) -> datetime:
    """When the event happened: as claimed within bounds, else now; never before the log's previous event.

    `now` is the database's clock under the lock. Raises `Denied` for a claim out of bounds.
    """
    if not claimed:
        return now if previous is None else max(now, previous)
    try:
        moment = instants.parse(claimed)
    except ValueError:
        raise _out_of_bounds("is not a moment like 2026-10-07T18:00:00Z") from None
    if moment > now + ahead:
        raise _out_of_bounds(f"is in the future: it is {instants.instant(now)} here")
    if previous is not None and moment < previous:
        raise _out_of_bounds(f"is before the previous event, which was at {instants.instant(previous)}")
    return moment


def _out_of_bounds(message: str) -> Denied:
    return refused_fields(({"field": "occurredAt", "message": message},))
