"""Facts that components read, made from the JSON that the database (or a corpus) gives."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import orjson
from pydantic import BaseModel

from omnium_contract.flows.types import Event, EventFacts, Fixture, Side

T = TypeVar("T")

#: How much text of fixtures is kept parsed. Beyond it the one that was used longest ago goes.
KEPT_BYTES: Final = 4 * 1024 * 1024


def fixture_of(format_model: type[BaseModel] | None, text: str | bytes) -> Fixture[Any]:
    """A fixture from JSON: id, sport, fixtureType, archetype, formatCode, format, sides, and more."""
    facts = orjson.loads(text)
    settings = facts.get("format") or {}
    return _made(
        Fixture,
        id=facts["id"],
        format=settings if format_model is None else format_model.model_validate(settings),
        sport=facts.get("sport") or "",
        fixture_type=facts.get("fixtureType") or "match",
        archetype=facts.get("archetype") or "duel",
        format_code=facts.get("formatCode"),
        scoring_mode=facts.get("scoringMode") or "events",
        status=facts.get("status") or "SCHEDULED",
        official=bool(facts.get("official")),
        competition=facts.get("competition"),
        scheduled_start=facts.get("scheduledStart"),
        venue=facts.get("venue"),
        sides=tuple(side_of(side, number) for number, side in enumerate(facts.get("sides") or (), 1)),
    )


def side_of(facts: Mapping[str, Any], number: int) -> Side:
    """One side; its position is its place in the list where none is given."""
    return _made(
        Side,
        entry=facts["entry"],
        position=facts.get("position") or number,
        code=facts.get("code"),
        name=facts.get("name"),
        noc=facts.get("noc"),
        participant_id=facts.get("participantId"),
        result=facts.get("result") or {},
        rank=facts.get("rank"),
        status=facts.get("status"),
        pinned=tuple(facts.get("pinned") or ()),
    )


def _made(kind: type[T], **facts: Any) -> T:
    """A value of the release's own contract, which may be older than this platform and know fewer facts."""
    known = kind.__dataclass_fields__  # type: ignore[attr-defined] # all of them are dataclasses
    return kind(**{name: fact for name, fact in facts.items() if name in known})


def event_facts_of(text: str | bytes) -> EventFacts:
    """The event (a whole Games, a tournament) from JSON."""
    facts = orjson.loads(text)
    return EventFacts(
        id=facts["id"],
        code=facts["code"],
        name=facts.get("name") or "",
        timezone=facts.get("timezone") or "UTC",
    )


def log_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Event, ...]:
    """Events of a log from the rows that `events_v1` gives."""
    return tuple(
        Event(
            seq=row["seq"],
            code=row["code"],
            input=row["input"],
            occurred_at=row["at"],
            actor=row["actor"],
            confirmed=tuple(row["confirmed"]),
        )
        for row in rows
    )


class FixtureCache:
    """Parsed fixtures under (workflow, their text), bounded by the length of the texts."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._kept: OrderedDict[tuple[str, str | bytes], Fixture[Any]] = OrderedDict()
        self._bytes = 0
        self._most = most

    def get(self, workflow: str, text: str | bytes) -> Fixture[Any] | None:
        """The fixture of this text, or None."""
        kept = self._kept.get((workflow, text))
        if kept is not None:
            self._kept.move_to_end((workflow, text))
        return kept

    def keep(self, workflow: str, text: str | bytes, fixture: Fixture[Any]) -> None:
        """Keep it until there is too much."""
        self._kept[workflow, text] = fixture
        self._bytes += len(text)
        while self._bytes > self._most and len(self._kept) > 1:
            (_, gone), _ = self._kept.popitem(last=False)
            self._bytes -= len(gone)
