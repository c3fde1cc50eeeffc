"""The values that components take and return. All frozen, all plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Generic, Literal, TypeVar

F = TypeVar("F")

#: Words that a fold's state may use in its `status`; the platform maps them to those of a fixture.
STATE_STATUSES: Final = (
    "scheduled",
    "called",
    "live",
    "interrupted",
    "finished",
    "protest",
    "official",
    "postponed",
    "cancelled",
    "abandoned",
    "walkover",
    "no_contest",
)


class Gives(StrEnum):
    """What an action returns, and so where the engine puts it."""

    STATE = "state"
    LINES = "lines"
    PLACES = "places"
    RECORDS = "records"
    NOTHING = "nothing"


class When(StrEnum):
    """When an action runs: with its command, or once the fixture is finished."""

    NOW = "now"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says: yes, or no with the sentence that the scorer reads."""

    ok: bool
    message: str | None = None


_YES = Verdict(ok=True)


def ok() -> Verdict:
    """Yes."""
    return _YES


def reject(message: str) -> Verdict:
    """No, with one sentence that names the thing and says the way out."""
    return Verdict(ok=False, message=message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side of a fixture. `entry` is what commands call it by (the id of its row)."""

    entry: str
    position: int = 0
    code: str | None = None
    name: str | None = None
    noc: str | None = None
    participant_id: str | None = None
    result: Mapping[str, Any] = field(default_factory=dict)
    rank: int | None = None
    status: str | None = None
    pinned: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixture(Generic[F]):
    """The facts of a fixture. `format` is parsed by the workflow's format model (a mapping in apply mode)."""

    id: str
    format: F
    sport: str = ""
    fixture_type: str = "match"
    archetype: str = "duel"
    format_code: str | None = None
    scoring_mode: str = "events"
    status: str = "SCHEDULED"
    official: bool = False
    competition: str | None = None
    scheduled_start: str | None = None
    venue: str | None = None
    sides: tuple[Side, ...] = ()

    def side(self, entry: str) -> Side | None:
        """The side that `entry` names, or None."""
        return next((side for side in self.sides if side.entry == entry), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One accepted command of a fold, as its log row holds it.

    `input` is the validated input in its camelCase form with defaults. `occurred_at` is RFC 3339 in UTC.
    `confirmed` names the rules that the sender overruled.
    """

    seq: int
    code: str
    input: Mapping[str, Any]
    occurred_at: str = ""
    actor: str = ""
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ctx(Generic[F]):
    """What a component of a fold workflow may read.

    `derived` is the state: before the command for rules, after it for LINES, PLACES and branches.
    `log`, `stats`, `masters` and `children` are loaded only for components that name them in `reads`.
    """

    fixture: Fixture[F]
    derived: Mapping[str, Any] = field(default_factory=dict)
    log: tuple[Event, ...] = ()
    stats: Mapping[str, Any] = field(default_factory=dict)
    masters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    children: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFacts:
    """The event (a whole Games, a tournament) that an apply command belongs to."""

    id: str
    code: str
    name: str = ""
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordCtx:
    """What a component of an apply workflow may read."""

    event: EventFacts
    fixture: Fixture[Mapping[str, Any]] | None = None
    source: Literal["person", "integration"] = "person"
    actor: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Numbers of one subject: a side (`entry`) or a person, in a segment or (None) the whole fixture.

    All that an action returns replaces all that it returned before. Values are integers.
    """

    values: Mapping[str, int]
    entry: str | None = None
    person: str | None = None
    segment: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A side's rank. `shared` says that others have it too; `value` ranked it, `display` is printed."""

    entry: str
    rank: int | None
    shared: bool = False
    display: str = ""
    value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A change for the platform's writer of this kind (`fixture.sides.set`), in camelCase data."""

    kind: str
    data: Mapping[str, Any]
