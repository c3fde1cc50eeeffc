"""Corpus entries: matches as they were recorded, without personal data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySide:
    """One side. `entry` is what the log's inputs call it by; code and name are a pseudonym's."""

    entry: str
    code: str | None = None
    name: str | None = None
    noc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRefusal:
    """What the sender of a refused command was told."""

    refusal: str
    message: str
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCommand:
    """One command of the log, in the order of the story.

    `seq` is the number that its log row has; a refused command has the number that it would have got.
    `digest` is the hex SHA-256 of the canonical state after it, where that is known. `judged` is false where
    the verdict was not given at this place of the log, since a correction changed what stands before it.
    """

    seq: int
    code: str
    input: Mapping[str, Any]
    occurred_at: str = ""
    confirmed: tuple[str, ...] = ()
    refused: EntryRefusal | None = None
    digest: str | None = None
    judged: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """One number of one subject; `action` is the key of the action that gave it, where that is known."""

    key: str
    value: int
    entry: str | None = None
    person: str | None = None
    segment: str | None = None
    action: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPlace:
    """A side's rank at the end."""

    entry: str
    rank: int | None = None
    shared: bool = False
    display: str = ""
    value: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedBy:
    """The release under which the match was played."""

    version: str
    code_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusEntry:
    """One match. `state`, `lines` and `places` are what it ended with; None where nobody recorded them.

    `id` names it in reports and is one of a kind in its corpus; `fixture_id` is the id that its rules read.
    """

    id: str
    workflow: str
    sides: tuple[EntrySide, ...]
    log: tuple[EntryCommand, ...]
    what: str = ""
    sport: str = ""
    fixture_type: str = "match"
    archetype: str = "duel"
    format_code: str | None = None
    format: Mapping[str, Any] = field(default_factory=dict)
    scheduled_start: str | None = None
    fixture_id: str = ""
    state: Mapping[str, Any] | None = None
    lines: tuple[EntryLine, ...] | None = None
    places: tuple[EntryPlace, ...] | None = None
    recorded_by: RecordedBy | None = None
