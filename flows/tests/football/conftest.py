"""A desk for football's tests: a match between `A` and `B`, driven in the words of a scorer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from omnium_contract.flows.types import Side
from omnium_contract.testing import Answer, Match, fixture
from omnium_flows.football import Football

KNOCK_OUT = {"extraTime": "2x15"}


class Desk:
    """A match and its shorthand. Players of `A` are `a1` to `a11` with `a12` … on the bench; `B` likewise."""

    def __init__(self, **format: Any) -> None:
        sides = [Side(entry="A", position=1, name="Aris"), Side(entry="B", position=2, name="Byes")]
        self.match = Match(Football, fixture(Football, sides=sides, format=format))

    def __call__(self, name: str, **told: Any) -> Answer:
        """Send a command that must be accepted."""
        return self.match.must(name, **told)

    def refused(self, name: str, **told: Any) -> tuple[str | None, str | None]:
        """Send a command that must be refused: the rule's name and the sentence."""
        answer = self.match.send(name, **told)
        assert not answer.accepted, f"{name} was accepted"
        return answer.reason, answer.message

    def lineups(self, *entries: str, starters: int = 11) -> None:
        """Line-ups of both sides, or of those named."""
        for entry in entries or ("A", "B"):
            people = [f"{entry.lower()}{number}" for number in range(1, 16)]
            self(
                "lineup",
                entry=entry,
                starters=people[:starters],
                bench=people[11:],
                captain=people[4],
                keeper=people[0],
            )

    def start(self) -> None:
        """Kick-off."""
        self("match_start", home="A", away="B", kickOff="A")

    def play_to(self, period: str) -> None:
        """End what is open and start each period up to `period`."""
        order = ("1H", "2H", "ET1", "ET2")
        for following in order[len(self.state["halves"]) : order.index(period) + 1]:
            if self.state["halfOpen"]:
                self("half_end")
            self("half_start", period=following)

    def goal(self, entry: str, scorer: str | None = None, **told: Any) -> int:
        """A goal; its number in the log."""
        seq = self("goal", **{"entry": entry, "kind": "open_play", "scorer": scorer, **told}).seq
        assert seq is not None
        return seq

    def card(self, entry: str, person: str, colour: str = "yellow", **told: Any) -> int:
        """A card; its number in the log."""
        seq = self("card", entry=entry, person=person, colour=colour, **told).seq
        assert seq is not None
        return seq

    def finish(self) -> None:
        """Play what is left of regular time and end the match."""
        if len(self.state["halves"]) < 2:
            self.play_to("2H")
        self("half_end")
        self("match_end")

    def to_shootout(self, first: str = "A") -> None:
        """End the open period, with extra time behind it where the format has it, and begin the kicks."""
        if self.match.fixture.format.extra_minutes:
            self.play_to("ET2")
        self("half_end")
        self("shootout_start", first=first)

    def kicks(self, *outcomes: str) -> None:
        """Kicks by turns, `x` scored and `o` missed: `A` first."""
        for number, outcome in enumerate(outcomes):
            self.kick("AB"[number % 2], outcome)

    def kick(self, entry: str, outcome: str = "x", kicker: str | None = None) -> None:
        """One kick."""
        word = "scored" if outcome == "x" else "missed"
        self("shootout_kick", entry=entry, outcome=word, kicker=kicker)

    @property
    def state(self) -> dict[str, Any]:
        """The board."""
        return self.match.state

    @property
    def score(self) -> list[int]:
        """Goals of `A` and `B`."""
        return [self.state["goals"][entry] for entry in "AB"]

    def person(self, name: str) -> dict[str, int]:
        """All numbers of a person, zeros left out."""
        lines = [line for line in self.match.lines() if line.person == name]
        return dict(lines[0].values) if lines else {}

    def side(self, entry: str) -> dict[str, int]:
        """All numbers of a side for the whole match."""
        lines = [ln for ln in self.match.lines() if (ln.entry, ln.person, ln.segment) == (entry, None, None)]
        return dict(lines[0].values)

    def places(self) -> list[tuple[str, int | None, bool]]:
        """Entry, rank and whether it is shared."""
        return [(place.entry, place.rank, place.shared) for place in self.match.places()]

    def amended(self, seq: int, **told: Any) -> Desk:
        """The same match folded with another input of one event, as a correction does it."""
        again = Desk()
        again.match = Match(Football, self.match.fixture)
        for event in self.match.log:
            changed = {**event.input, **told} if event.seq == seq else event.input
            again.match.append(replace(event, input=changed))
        return again

    def without(self, *seqs: int) -> Desk:
        """The same match folded without these events, as a correction does it."""
        again = Desk()
        again.match = Match(Football, self.match.fixture)
        for event in self.match.log:
            if event.seq not in seqs:
                again.match.append(event)
        return again


@pytest.fixture
def desk() -> Desk:
    """A match with the default settings that has kicked off."""
    made = Desk()
    made.start()
    return made


@pytest.fixture
def squads() -> Desk:
    """A match with the default settings and both line-ups that has kicked off."""
    made = Desk()
    made.lineups()
    made.start()
    return made


@pytest.fixture
def new_desk() -> Callable[..., Desk]:
    """Makes a desk with settings; nothing has happened yet."""
    return Desk


@pytest.fixture
def kicks_desk() -> Desk:
    """A knock-out match without line-ups, 1-1, at the start of its shoot-out."""
    made = Desk(**KNOCK_OUT)
    made.start()
    made.goal("A", "p")
    made.goal("B", "q")
    made.to_shootout()
    return made


@pytest.fixture
def squad_kicks() -> Desk:
    """A knock-out match with line-ups, 0-0, all periods over."""
    made = Desk(**KNOCK_OUT)
    made.lineups()
    made.start()
    made.play_to("ET2")
    made("half_end")
    return made
