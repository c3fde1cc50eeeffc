"""Football commands in order: opens and closes periods around what a file says happened in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from omnium_releases.readers.recorded import RecordedCommand, SideRef

#: Period as files number them, and the command's word for it (the first opens with the match).
PERIODS = {1: "1H", 2: "2H", 3: "ET1", 4: "ET2"}
#: Warnings that a recorded match overrules, because what they warn of did happen: a second yellow whose
#: first the file does not have, and more substitutions or windows than a match has.
CAUTION_MISSING = ("caution_was_shown",)
MORE_SUBSTITUTIONS = ("substitutions_left", "windows_left")


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One thing that happened: in which period, at which printed minute, and the command that says so."""

    period: int
    minute: int | None
    stoppage: int = 0
    code: str
    input: Mapping[str, Any]
    confirm: tuple[str, ...] = ()


@dataclass(slots=True)
class FootballLog:
    """Collects commands; `commands` has them once `finish` was called."""

    home: str
    away: str
    half_minutes: int = 45
    commands: list[RecordedCommand] = field(default_factory=list)
    _period: int = 0
    _offset_s: float = 0.0

    def play(self, happenings: Iterable[Happening], *, periods: int, sudden_end: bool = False) -> None:
        """Everything up to the end of the last period that was played.

        With `sudden_end` the last period ends by its last goal (a golden goal) and is not closed.
        """
        self.send("match_start", home=SideRef(self.home), away=SideRef(self.away))
        self._period = 1
        for happening in happenings:
            self._enter(max(happening.period, self._period))
            self._at(happening.minute, happening.stoppage)
            self.commands.append(self._command(happening.code, happening.input, happening.confirm))
        self._enter(max(periods, self._period))
        if not sudden_end:
            self.send("half_end")

    def shootout(self, kicks: Iterable[tuple[str, str, str]], *, first: str) -> None:
        """The kicks (side, kicker, outcome) in the order in which they were taken."""
        self.send("shootout_start", first=SideRef(first))
        for side, kicker, outcome in kicks:
            self._offset_s += 40
            self.send("shootout_kick", entry=SideRef(side), kicker=kicker, outcome=outcome)

    def finish(self) -> None:
        """The end of the match."""
        self.send("match_end")

    def send(self, code: str, **given: Any) -> None:
        """Add one command at the moment that the log has come to."""
        self.commands.append(self._command(code, given))

    def _command(self, code: str, given: Mapping[str, Any], confirm: tuple[str, ...] = ()) -> RecordedCommand:
        return RecordedCommand(
            code=f"football.{code}", input=dict(given), offset_s=self._offset_s, confirm=confirm
        )

    def _enter(self, period: int) -> None:
        while self._period < period:
            self.send("half_end")
            self._period += 1
            self._offset_s += 60
            self.send("half_start", period=PERIODS[self._period])

    def _at(self, minute: int | None, stoppage: int) -> None:
        if minute is not None:
            self._offset_s = max(self._offset_s, 60.0 * (minute + stoppage))
