"""What a release makes of a match when it is played again, and the proof that this is what was recorded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any, Protocol

from omnium_releases.replay.entries import (
    CorpusEntry,
    EntryCommand,
    EntryLine,
    EntryPlace,
    EntryRefusal,
    RecordedBy,
)


class Unproven(Exception):
    """A match does not give again what was recorded of it; the message says where, and names nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the rules said of one command, and the hex digest of the state after it."""

    accepted: bool
    refusal: str = ""
    reason: str | None = None
    message: str = ""
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """One match, played: a verdict for each command of its log, and the canonical bytes of its end."""

    verdicts: tuple[Verdict, ...]
    state: bytes
    lines: bytes
    places: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is true at one moment of a match, as canonical bytes. `command`: what was played just now."""

    command: EntryCommand | None
    state: bytes
    lines: bytes
    places: bytes


class Stage(Protocol):
    """A worker of one release without a database. Accepted commands are folded, refused ones never."""

    @property
    def release(self) -> RecordedBy:
        """What it plays under."""

    @property
    def runtime_sha(self) -> str:
        """What remains of the platform that rules may depend on."""

    def program(self, workflow: str) -> Mapping[str, Any] | None:
        """The program document of a workflow, None if the release has no such one."""

    async def play(self, entry: CorpusEntry) -> Performance:
        """Play a match. Raises `Unproven` where the release can't take it at all."""

    def watch(self, entry: CorpusEntry) -> AsyncIterator[Standing]:
        """Play a match and tell what is true before its first command and after each. Raises `Unproven`."""


class Stages(Protocol):
    """Workers by release."""

    def of(self, version: str) -> AbstractAsyncContextManager[Stage]:
        """A worker of this release for as long as the context lasts."""


def proven(entry: CorpusEntry, played: Performance, *, digest: str | None) -> CorpusEntry:
    """The entry as far as its own release bears it out. Raises `Unproven` for another state at the end.

    A refusal that is not given again (another release gave it, or a fact that has changed) is left out. An
    accepted command that is refused now stays, marked as not judged at its place: it is folded all the same.
    """
    state = hashlib.sha256(played.state).hexdigest()
    if digest is not None and state != digest:
        raise Unproven(
            "its log gives another state than the scoreboard has: look at it with omnium fixtures verify"
        )
    pairs = zip(entry.log, played.verdicts, strict=True)
    return replace(entry, log=tuple(_as_judged(c, v) for c, v in pairs if _is_borne_out(c, v)))


def completed(masked: CorpusEntry, played: Performance) -> CorpusEntry:
    """The masked entry with what its release makes of it. Raises `Unproven` if a mask changed a verdict."""
    for command, verdict in zip(masked.log, played.verdicts, strict=True):
        if command.judged and not _is_same(command.refused, verdict):
            raise Unproven(
                f"row {command.seq} {command.code} is judged otherwise under pseudonyms "
                f"({verdict.refusal or 'accepted'}): a field of it needs a pattern in its model"
            )
    return with_end(
        replace(
            masked,
            log=tuple(
                replace(command, digest=verdict.digest, refused=command.refused and _refusal(verdict))
                for command, verdict in zip(masked.log, played.verdicts, strict=True)
            ),
        ),
        played,
    )


def with_end(entry: CorpusEntry, played: Performance) -> CorpusEntry:
    """The entry with the state, lines and places that it ends with. Raises `Unproven`."""
    lines, places = json.loads(played.lines), json.loads(played.places)
    if failed := [rows["failed"] for rows in (lines, places) if isinstance(rows, Mapping)]:
        raise Unproven(f"its rows can't be made: {failed[0]}")
    return replace(
        entry,
        state=json.loads(played.state),
        lines=tuple(_line(line) for line in lines),
        places=tuple(_place(place) for place in places),
    )


def _is_borne_out(command: EntryCommand, verdict: Verdict) -> bool:
    return command.refused is None or _is_same(command.refused, verdict)


def _as_judged(command: EntryCommand, verdict: Verdict) -> EntryCommand:
    is_judged = command.judged and _is_same(command.refused, verdict)
    return command if is_judged == command.judged else replace(command, judged=is_judged)


def _is_same(refused: EntryRefusal | None, verdict: Verdict) -> bool:
    if refused is None:
        return verdict.accepted
    return (refused.refusal, refused.reason) == (verdict.refusal, verdict.reason)


def _refusal(verdict: Verdict) -> EntryRefusal:
    return EntryRefusal(refusal=verdict.refusal, message=verdict.message, reason=verdict.reason)


def _line(row: Mapping[str, Any]) -> EntryLine:
    return EntryLine(**row)


def _place(row: Mapping[str, Any]) -> EntryPlace:
    return EntryPlace(**{name: value for name, value in row.items() if name != "sort"})
