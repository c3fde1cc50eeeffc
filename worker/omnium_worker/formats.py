"""Settings of fixtures: whether they fit the format model of the workflow that is going to play them."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import asyncpg
import orjson
from pydantic import BaseModel, ValidationError

from omnium_worker.host import FormatMisfit, Host
from omnium_worker.inputs import problems_of
from omnium_worker.refusals import Refusal
from omnium_worker.rows import RecordRow

ADDS: Final = "fixture.add"
_UNKNOWN: Final = "is not a setting of this format"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewUnit:
    """A fixture that a record adds, as far as its settings go. `start` is RFC 3339."""

    code: str
    sport: str | None
    competition: str | None
    scoring_mode: str | None
    start: str | None
    format_code: str | None
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """By which release and workflow a new unit is going to be played, and its stored format's values."""

    release_id: uuid.UUID | None
    workflow: str
    stored: Mapping[str, Any]


def new_units(records: Iterable[RecordRow]) -> list[NewUnit]:
    """The fixtures that these records add."""
    return [_unit(orjson.loads(record.data)) for record in records if record.kind == ADDS]


def terms_of(row: Mapping[str, Any] | asyncpg.Record) -> Terms:
    """The terms from a row of `unit_terms_v1`."""
    return Terms(release_id=row["release_id"], workflow=row["workflow"], stored=orjson.loads(row["stored"]))


def problems(host: Host, unit: NewUnit, terms: Terms) -> tuple[Mapping[str, str], ...]:
    """What does not fit, each with its field. Of another release's formats nothing is known here."""
    workflow = host.workflow(terms.workflow)
    if workflow is None or workflow.format_model is None or terms.release_id != host.identity.release_id:
        return ()
    settings = {**terms.stored, **unit.settings}
    error = host.call(f"{workflow.code}.format_model", _misfit, workflow.format_model, settings)
    if error is None:
        return ()
    return tuple(_note(unit, note) for note in problems_of(error, unknown=_UNKNOWN))


def refusal(misfit: FormatMisfit, *, version: str) -> Refusal:
    """The answer to a command on a fixture whose settings its own rules can't read."""
    notes = tuple(
        {**note, "field": f"format.{note['field']}".rstrip(".")}
        for note in problems_of(misfit.error, unknown=_UNKNOWN)
    )
    said = "; ".join(f"{note['field']}: {note['message']}" for note in notes)
    return Refusal(
        kind="not_offered",
        message=f"The settings of this fixture do not fit {misfit.title} in {version}: {said}. "
        "Before its first event: pin a release that they fit, or cancel it and add it with other settings.",
        reason="format_misfit",
        notes=notes,
    )


def _unit(data: Mapping[str, Any]) -> NewUnit:
    return NewUnit(
        code=data.get("code") or "",
        sport=data.get("sport"),
        competition=data.get("competition"),
        scoring_mode=data.get("scoringMode"),
        start=data.get("scheduledStart"),
        format_code=data.get("formatCode"),
        settings=data.get("format") or {},
    )


def _misfit(model: type[BaseModel], settings: Mapping[str, Any]) -> ValidationError | None:
    try:
        model.model_validate(settings)
    except ValidationError as error:
        return error
    return None


def _note(unit: NewUnit, note: Mapping[str, str]) -> Mapping[str, str]:
    """A problem at the field of the form that it came from: the unit's own settings, or its stored format."""
    name = note["field"]
    top = name.partition(".")[0]
    if unit.format_code is not None and top and top not in unit.settings:
        return {
            "field": "formatCode",
            "message": f"{unit.format_code} does not fit: {name} {_lowered(note['message'])}",
        }
    return {**note, "field": f"format.{name}".rstrip(".")}


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
