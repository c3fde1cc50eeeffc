"""Read models: what screens show. Each is one named statement, and says what it depends on and who may see.

A statement gives rows of `at`, `record`, `version` and `value`. `at` counts the transactions that its
snapshot saw finished, so it orders the values of one watch everywhere. A list's first row is its head.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from omnium_store.database import Connection
from omnium_store.errors import BadRequest, NotFound
from omnium_store.statements import statement

Subject = Literal["fixture", "event"]
EventCode = Annotated[str, StringConstraints(min_length=1, max_length=100)]


class Access(StrEnum):
    """Who may see a read model: everybody who may see its subject, or staff alone."""

    PUBLIC = "public"
    STAFF = "staff"


class Parameters(BaseModel):
    """What a read takes, as its query's parameters are called."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FixtureParameters(Parameters):
    """One fixture."""

    fixture: Annotated[uuid.UUID, Field(description="id of the fixture")]


class LogParameters(FixtureParameters):
    """A page of a fixture's log."""

    after: Annotated[int, Field(ge=0, le=2**63 - 1, description="rows after this seq")] = 0
    limit: Annotated[int, Field(ge=1, le=1000, description="rows of a page")] = 200


class EventParameters(Parameters):
    """One event."""

    event: Annotated[EventCode, Field(description="code of the event")]


class DayParameters(EventParameters):
    """One day of an event."""

    day: Annotated[date, Field(description="a day in the event's own time zone, like 2026-10-06")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadModel:
    """One read model. `rows` names the member that holds a list's rows; None where it is one record."""

    name: str
    title: str
    parameters: type[Parameters]
    depends: frozenset[str]
    access: Access
    subject: Subject
    rows: str | None = None

    def parsed(self, given: Mapping[str, Any]) -> Parameters:
        """The parameters. Raises `BadRequest` (`bad_parameter`) that names each that is wrong."""
        try:
            return self.parameters.model_validate(given)
        except ValidationError as error:
            problems = [
                f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}" for one in error.errors()
            ]
            raise BadRequest("; ".join(problems), reason="bad_parameter") from error

    def subject_ref(self, parameters: Parameters) -> str:
        """The fixture's id or the event's code that these parameters speak of."""
        return str(getattr(parameters, self.subject))

    def key(self, parameters: Parameters) -> str:
        """Canonical text of the parameters: equal for equal watches, whatever form they came in."""
        return json.dumps(parameters.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a list, or the one record that there is."""

    record: str
    version: int | None
    value: bytes

    @property
    def h(self) -> int:
        """32 bits of a hash of its bytes."""
        return _hash(self.value)


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as it was when `at` transactions had finished. `version` is of the fixture, if there is one."""

    at: int
    version: int | None
    value: bytes
    rows: tuple[Row, ...]

    @property
    def h(self) -> int:
        """32 bits of a hash of its bytes."""
        return _hash(self.value)


READ_MODELS: Final[dict[str, ReadModel]] = {
    model.name: model
    for model in (
        ReadModel(
            name="fixture.board",
            title="A fixture with its sides, places and state",
            parameters=FixtureParameters,
            depends=frozenset({"fixture"}),
            access=Access.PUBLIC,
            subject="fixture",
        ),
        ReadModel(
            name="fixture.log",
            title="A fixture's log, paged",
            parameters=LogParameters,
            depends=frozenset({"fixture"}),
            access=Access.STAFF,
            subject="fixture",
            rows="items",
        ),
        ReadModel(
            name="games.schedule_day",
            title="The units of one day of an event",
            parameters=DayParameters,
            depends=frozenset({"fixture"}),
            access=Access.PUBLIC,
            subject="event",
            rows="units",
        ),
        ReadModel(
            name="games.medals",
            title="The medal table of an event",
            parameters=EventParameters,
            depends=frozenset({"medals"}),
            access=Access.PUBLIC,
            subject="event",
            rows="medals",
        ),
    )
}


def read_model(name: str) -> ReadModel:
    """The read model of that name. Raises `NotFound` (`no_such_read`)."""
    try:
        return READ_MODELS[name]
    except KeyError:
        raise NotFound(
            f"There is no read model {name!r}. There are {', '.join(READ_MODELS)}.", reason="no_such_read"
        ) from None


async def read(
    connection: Connection,
    name: str,
    params: Mapping[str, Any] | Parameters,
    *,
    records: Sequence[str] | None = None,
) -> Reading:
    """Read it, whole or (a list) the given records alone. Raises `NotFound` if its subject is not there."""
    model = read_model(name)
    parameters = params if isinstance(params, Parameters) else model.parsed(params)
    arguments = list(dict(parameters).values())
    if model.rows is not None:
        arguments.append(None if records is None else list(records))
    found = await connection.fetch(statement(name), *arguments)
    if not found:
        raise _missing(model, parameters)
    rows = tuple(Row(row["record"], row["version"], row["value"]) for row in found)
    value = rows[0].value if model.rows is None else _joined(rows[0].value, model.rows, rows[1:])
    return Reading(found[0]["at"], rows[0].version, value, rows if model.rows is None else rows[1:])


def _joined(head: bytes, member: str, rows: Sequence[Row]) -> bytes:
    """A list's value: the members of its head, then its rows."""
    return b'%s,"%s":[%s]}' % (head[:-1], member.encode(), b",".join(row.value for row in rows))


def _missing(model: ReadModel, parameters: Parameters) -> NotFound:
    ref = model.subject_ref(parameters)
    return NotFound(f"There is no {model.subject} {ref!r}.", reason=f"no_such_{model.subject}")


def _hash(value: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(value, digest_size=4).digest(), "big")
