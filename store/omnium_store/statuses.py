"""The one table of statuses: what a fold's state says, what the fixture is then, and which are over."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FixtureStatus(StrEnum):
    """The words of `fixture.status`."""

    SCHEDULED = "SCHEDULED"
    LIVE = "LIVE"
    INTERRUPTED = "INTERRUPTED"
    COMPLETED = "COMPLETED"
    POSTPONED = "POSTPONED"
    CANCELLED = "CANCELLED"
    VOID = "VOID"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a fixture is: its status, and whether the result is official."""

    status: FixtureStatus
    official: bool = False

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be scored: it frees its release and feeds tables."""
        return self.status in OVER


#: The statuses that end a fixture. A postponed or interrupted one goes on.
OVER: Final = frozenset({FixtureStatus.COMPLETED, FixtureStatus.CANCELLED, FixtureStatus.VOID})

#: The ladder of the rules' words → what the fixture is.
LADDER: Final[dict[str, Standing]] = {
    "scheduled": Standing(FixtureStatus.SCHEDULED),
    "called": Standing(FixtureStatus.SCHEDULED),
    "live": Standing(FixtureStatus.LIVE),
    "interrupted": Standing(FixtureStatus.INTERRUPTED),
    "finished": Standing(FixtureStatus.COMPLETED),
    "protest": Standing(FixtureStatus.COMPLETED),
    "official": Standing(FixtureStatus.COMPLETED, official=True),
    "postponed": Standing(FixtureStatus.POSTPONED),
    "cancelled": Standing(FixtureStatus.CANCELLED),
    "abandoned": Standing(FixtureStatus.VOID),  # for good; a match that will be resumed is interrupted
    "walkover": Standing(FixtureStatus.COMPLETED),
    "no_contest": Standing(FixtureStatus.COMPLETED),
}


#: What records say of a fixture whatever its log says: it has no result then.
WITHOUT_RESULT: Final = frozenset({FixtureStatus.POSTPONED, FixtureStatus.CANCELLED, FixtureStatus.VOID})


def is_typed_over(told: Standing, found: Standing) -> bool:
    """Whether a fixture whose log told `told` may stand at `found` because of a record.

    It has no result, its result was made official or no longer is, or, postponed, it has a new start.
    """
    if found.status in WITHOUT_RESULT:
        return not found.official
    if found.status is FixtureStatus.COMPLETED:
        return told.status is FixtureStatus.COMPLETED
    return (told.status, found) == (FixtureStatus.POSTPONED, Standing(FixtureStatus.SCHEDULED))


def standing_of(word: str) -> Standing:
    """What a fixture is whose state says `word`. Raises `ValueError` for a word that is not of the ladder."""
    try:
        return LADDER[word]
    except KeyError:
        raise ValueError(f"{word!r} is not a status: use one of {', '.join(LADDER)}") from None
