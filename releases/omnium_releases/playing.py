"""Plays recorded matches as live commands and compares what came of them with what their files state."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from omnium_contract.canonical import normal
from omnium_contract.testing.goldens import differences
from omnium_releases.readers.recorded import RecordedCommand, RecordedMatch, SideRef


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeFixture:
    """A fixture that was made for a match; `entries` has each side's entry by the code of the file."""

    id: str
    entries: Mapping[str, str]


class Facade(Protocol):
    """What playing needs of the facade. Raises the platform's errors; a refusal is an answer."""

    def make(self, match: RecordedMatch) -> MadeFixture:
        """Create the fixture of a match."""

    def send(self, fixture: MadeFixture, sport: str, command: Mapping[str, Any]) -> Mapping[str, Any]:
        """Send one command (code, input, confirm, occurredAt) and give its answer."""

    def board(self, fixture: MadeFixture) -> Mapping[str, Any]:
        """The fixture's board as the read model gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """What came of one match. `disagrees`: where board and file part; a refused command is such a place."""

    name: str
    fixture: str = ""
    board: Mapping[str, Any] = field(default_factory=dict)
    commands: int = 0
    disagrees: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


#: Reads from a board what the sport's files state, under the same names.
Observer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast: `speed` times as fast as the match was, or None for as fast as it goes."""

    speed: float | None = None

    def wait(self, since: float, offset_s: float) -> None:
        """Sleep until the moment of an offset, for a match that began at `since` (monotonic seconds)."""
        if self.speed:
            time.sleep(max(0.0, since + offset_s / self.speed - time.monotonic()))


def play(match: RecordedMatch, facade: Facade, *, observer: Observer, pace: Pace) -> PlayedMatch:
    """Play one match to its end and compare. The first refused command ends it."""
    fixture = facade.make(match)
    began = time.monotonic()
    for number, command in enumerate(match.commands, 1):
        pace.wait(began, command.offset_s)
        problem = _sent(facade, fixture, match.sport, command)
        if problem:
            return _played(
                match, fixture, facade, commands=number, disagrees=(f"command {number} {problem}",)
            )
    board = facade.board(fixture)
    seen = in_codes(observer(board), {entry: code for code, entry in fixture.entries.items()})
    disagrees = tuple(disagreements(match.stated, seen))
    return _played(match, fixture, facade, commands=len(match.commands), disagrees=disagrees, board=board)


def disagreements(stated: Mapping[str, Any], seen: Mapping[str, Any]) -> list[str]:
    """Every place where what was seen does not bear out a statement, as `name.path: stated -> seen`."""
    return [
        f"{name}{where}"
        for name, value in stated.items()
        for where in differences(normal(value), normal(seen.get(name)))
    ]


def in_codes(value: Any, codes: Mapping[str, str]) -> Any:
    """The value with entries of this database replaced by the codes of the file, in keys as well."""
    match value:
        case str():
            return codes.get(value, value)
        case Mapping():
            return {codes.get(key, key): in_codes(item, codes) for key, item in value.items()}
        case list() | tuple():
            return [in_codes(item, codes) for item in value]
        case _:
            return value


def in_entries(value: Any, entries: Mapping[str, str]) -> Any:
    """The input with every reference to a side replaced by its entry."""
    match value:
        case SideRef():
            return entries[value.code]
        case Mapping():
            return {key: in_entries(item, entries) for key, item in value.items()}
        case list() | tuple():
            return [in_entries(item, entries) for item in value]
        case _:
            return value


def _sent(facade: Facade, fixture: MadeFixture, sport: str, command: RecordedCommand) -> str:
    told = {
        "code": command.code,
        "input": in_entries(command.input, fixture.entries),
        "confirm": list(command.confirm),
        "occurredAt": command.occurred_at,
    }
    answer = facade.send(fixture, sport, told)
    if answer["accepted"]:
        return ""
    return f"{command.code} was refused ({answer['refusal']} {answer.get('reason')}): {answer['message']}"


def _played(
    match: RecordedMatch,
    fixture: MadeFixture,
    facade: Facade,
    *,
    commands: int,
    disagrees: tuple[str, ...],
    board: Mapping[str, Any] | None = None,
) -> PlayedMatch:
    return PlayedMatch(
        name=match.name,
        fixture=fixture.id,
        board=facade.board(fixture) if board is None else board,
        commands=commands,
        disagrees=disagrees,
        contradictions=match.contradictions,
        left_out=match.left_out,
    )


@dataclass(slots=True)
class PlayReport:
    """What came of all files; counts are of files. Each file is in one class only."""

    files: int = 0
    played: int = 0
    as_stated: int = 0
    scores_only: int = 0
    disagree: list[dict[str, str]] = field(default_factory=list)
    contradicts: list[dict[str, str]] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    matches: int = 0
    commands: int = 0

    def skip(self, file: Path, reason: str) -> None:
        """A file that no reader takes."""
        self.files += 1
        self.skipped.append({"file": str(file), "reason": reason})

    def add(self, file: Path, played: Sequence[PlayedMatch]) -> None:
        """A file that was read; `played` are those of its matches that have a log."""
        self.files += 1
        if not played:
            self.scores_only += 1
            return
        self.played += 1
        self.matches += len(played)
        self.commands += sum(m.commands for m in played)
        contradictions = [(m, c) for m in played for c in m.contradictions]
        disagreements = [(m, d) for m in played for d in m.disagrees]
        self.contradicts += [_reason(file, m, c) for m, c in contradictions]
        self.disagree += [_reason(file, m, d) for m, d in disagreements]
        self.as_stated += not contradictions and not disagreements

    def as_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "files": self.files,
            "played": self.played,
            "as_stated": self.as_stated,
            "scores_only": self.scores_only,
            "disagree": self.disagree,
            "contradicts": self.contradicts,
            "skipped": self.skipped,
            "matches": self.matches,
            "commands": self.commands,
        }


def _reason(file: Path, match: PlayedMatch, reason: str) -> dict[str, str]:
    return {"file": str(file), "reason": f"{match.name}: {reason}"}
