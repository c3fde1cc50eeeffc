"""Rows that actions give, checked: lines as one row a number, places as one row a side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import orjson

from omnium_contract.flows.types import Line, Place, Record
from omnium_worker.host import ComponentFailed
from omnium_worker.plans import ActionPlan

_LARGEST: Final = 2**63


class LineRow(NamedTuple):
    """One number of one subject in one segment, under the key of the action that gave it."""

    action: str
    entry: str | None
    person: str | None
    segment: str | None
    key: str
    value: int


class PlaceRow(NamedTuple):
    """A side's rank; `sort` is its place in the list that the action gave."""

    entry: str
    rank: int | None
    shared: bool
    display: str
    value: int | None
    sort: int


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record for the platform's writer of its kind; `data` is JSON, nulls kept: they clear a field."""

    kind: str
    data: bytes


def line_rows(action: ActionPlan, given: Any) -> list[LineRow]:
    """The rows of a LINES action. Raises `ComponentFailed` for what no line may be."""
    rows: list[LineRow] = []
    for line in _all_of(Line, action, given):
        if not line.values.keys() <= action.keys:
            unknown = ", ".join(sorted(line.values.keys() - action.keys))
            raise ComponentFailed(action.key, f"gave {unknown}, which is not in its keys")
        for key, value in line.values.items():
            if type(value) is not int or not -_LARGEST <= value < _LARGEST:
                raise ComponentFailed(action.key, f"gave {value!r} as {key!r}: a line holds integers")
            rows.append(LineRow(action.key, line.entry, line.person, line.segment, key, value))
    if len({row[:5] for row in rows}) < len(rows):
        raise ComponentFailed(action.key, "gave a number of one subject and segment twice")
    return rows


def place_rows(action: ActionPlan, given: Any, entries: frozenset[str]) -> tuple[PlaceRow, ...]:
    """The rows of a PLACES action. Raises `ComponentFailed` for a side not of the fixture, or twice."""
    rows: dict[str, PlaceRow] = {}
    for sort, place in enumerate(_all_of(Place, action, given), 1):
        if place.entry not in entries or place.entry in rows:
            raise ComponentFailed(
                action.key, f"placed {place.entry!r}, which is no side of the fixture, or twice"
            )
        rows[place.entry] = PlaceRow(place.entry, place.rank, place.shared, place.display, place.value, sort)
    return tuple(rows.values())


def record_rows(action: ActionPlan, given: Any) -> list[RecordRow]:
    """The records of an action. Raises `ComponentFailed` for data that JSON cannot carry."""
    try:
        return [
            RecordRow(record.kind, orjson.dumps(dict(record.data), option=orjson.OPT_SORT_KEYS))
            for record in _all_of(Record, action, given)
        ]
    except TypeError as error:
        raise ComponentFailed(action.key, f"gave a record that JSON cannot carry: {error}") from error


def _all_of(kind: type[Any], action: ActionPlan, given: object) -> Iterable[Any]:
    if not isinstance(given, list | tuple) or not all(isinstance(item, kind) for item in given):
        raise ComponentFailed(action.key, f"gave {type(given).__name__}, not a list of {kind.__name__}")
    return given
