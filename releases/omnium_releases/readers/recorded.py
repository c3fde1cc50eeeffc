"""What a reader makes of a file: matches with their commands, what it states, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class UnreadableFile(Exception):
    """The file is not of the format that its name and first bytes promise; the message says where."""


@dataclass(frozen=True, slots=True)
class SideRef:
    """Stands in an input for the entry of the side with this code; the id is known when the match is made."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSide:
    """One side as the file names it."""

    code: str
    name: str
    noc: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCommand:
    """One command. `offset_s` is seconds since the match began, for playing at a speed.

    `confirm` names warnings that the recorder of the match overruled, because it did happen. `occurred_at`
    (RFC 3339) is sent where what comes of the match depends on its time of day; empty: now.
    """

    code: str
    input: Mapping[str, Any]
    offset_s: float = 0.0
    confirm: tuple[str, ...] = ()
    occurred_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedMatch:
    """A match of a file.

    `stated` is what the publisher says came of it, by name; the sport's `observed` gives the same names.
    `contradictions` are places where the file disagrees with itself; `stated` has nothing that one of them
    touches. `left_out` is what the file holds and no command says. `scores_only` matches have no log.
    """

    name: str
    sport: str
    sides: tuple[RecordedSide, ...]
    fixture_type: str = "match"
    archetype: str = "duel"
    format: Mapping[str, Any] = field(default_factory=dict)
    commands: tuple[RecordedCommand, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)
    contradictions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    scores_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """All that one file holds. `note` says why nothing can be played from it, where that is so."""

    format_name: str
    matches: tuple[RecordedMatch, ...]
    note: str = ""
