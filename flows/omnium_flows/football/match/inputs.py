"""What each command is told: the input models that forms are made of."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from omnium_flows.football.constants import (
    AbandonReason,
    CancelReason,
    Colour,
    GoalKind,
    KickOutcome,
    PenaltyOutcome,
    Period,
    Phase,
    Role,
    StatKind,
    SubKind,
)
from omnium_flows.shared.inputs import Entry, Input, Person, Seq

Squad = Annotated[tuple[Person, ...], Field(max_length=40)]
Goals = Annotated[int | None, Field(ge=0, le=99)]


class Timed(Input):
    """An event at a printed minute. The clock gives what is not typed."""

    period: Period | None = Field(
        default=None,
        title="Period",
        description="To add it to a period that has ended; else the one that is open.",
    )
    minute: int | None = Field(
        default=None, ge=1, le=240, title="Minute", description="The printed minute: 45 for 45+2."
    )
    stoppage: int | None = Field(
        default=None, ge=0, le=60, title="Stoppage", description="Minutes beyond it: 2 for 45+2."
    )

    @model_validator(mode="after")
    def _stoppage_has_a_minute(self) -> Self:
        if self.stoppage and self.minute is None:
            raise ValueError("a stoppage needs its minute: 45 and 2 for 45+2")
        return self


class Nothing(Input):
    """A command that needs no more than its name."""


class LineupInput(Input):
    """The squad of a side."""

    entry: Entry
    starters: Squad = Field(min_length=1, title="Starters", description="Who begins on the field.")
    bench: Squad = Field(default=(), title="Bench", description="The named substitutes.")
    captain: Person | None = Field(
        default=None, title="Captain", description="The captain, one of the starters."
    )
    keeper: Person | None = Field(
        default=None, title="Goalkeeper", description="The goalkeeper, one of the starters."
    )


class MatchStartInput(Input):
    """Who plays, and who kicks off."""

    home: Entry = Field(title="Home", description="The side named first.")
    away: Entry = Field(title="Away", description="The side named second.")
    kick_off: Entry | None = Field(default=None, title="Kick-off", description="The side that kicks off.")


class HalfStartInput(Input):
    """Which period begins."""

    period: Period = Field(title="Period", description="The period that begins.")
    kick_off: Entry | None = Field(
        default=None,
        title="Kick-off",
        description="The side that kicks off, where it is not the other one's turn.",
    )


class HalfEndInput(Input):
    """How long the period went on."""

    added: int | None = Field(
        default=None, ge=0, le=60, title="Added", description="Minutes played beyond regular time."
    )


class InjuryTimeInput(Input):
    """The time that is shown."""

    announced: int = Field(
        ge=0, le=60, title="Announced", description="Minutes that the fourth official shows."
    )


class GoalInput(Timed):
    """A goal."""

    entry: Entry = Field(title="Side", description="The side that the goal counts for, at an own goal too.")
    kind: GoalKind = Field(title="Kind", description="How the goal came about.")
    scorer: Person | None = Field(
        default=None, title="Scorer", description="Who scored; at an own goal the player of the other side."
    )
    assist: Person | None = Field(default=None, title="Assist", description="Who gave the last pass.")


class GoalCancelInput(Input):
    """Which goal, and why it does not stand."""

    seq: Seq
    reason: CancelReason = Field(title="Reason", description="Why the goal does not stand.")


class PenaltyInput(Timed):
    """A penalty in play."""

    entry: Entry
    taker: Person | None = Field(default=None, title="Taker", description="Who took it.")
    outcome: PenaltyOutcome = Field(title="Outcome", description="What became of it; scored is a goal.")


class CardInput(Timed):
    """A card."""

    entry: Entry
    person: Person
    role: Role = Field(default=Role.PLAYER, title="Role", description="Who the person is in the match.")
    colour: Colour = Field(title="Card", description="The card shown.")
    reason: str | None = Field(default=None, max_length=200, title="Reason", description="What it was for.")
    phase: Phase | None = Field(
        default=None, title="When", description="When it was shown; else what the match is at now."
    )


class CardCancelInput(Input):
    """Which card does not stand."""

    seq: Seq


class CardMoveInput(Input):
    """Which card, and whose it is."""

    seq: Seq
    to: Person = Field(title="To", description="The person of the same side who should have been shown it.")


class SubstitutionInput(Timed):
    """Who goes off and who comes on."""

    entry: Entry
    off: Person = Field(title="Off", description="Who goes off.")
    on: Person = Field(title="On", description="Who comes on.")
    kind: SubKind = Field(default=SubKind.NORMAL, title="Kind", description="Which allowance it uses.")
    window: str | None = Field(
        default=None,
        min_length=1,
        max_length=32,
        title="Window",
        description="A name for the stoppage, shared by its substitutions; else the printed minute.",
    )


class StatInput(Timed):
    """What is counted."""

    entry: Entry
    player: Person | None = Field(default=None, title="Player", description="Whose it was.")
    kind: StatKind = Field(title="Kind", description="What is counted. Goals are counted by themselves.")


class ShootoutStartInput(Input):
    """Who begins."""

    first: Entry = Field(title="First", description="The side that kicks first.")
    end: str | None = Field(default=None, max_length=64, title="End", description="The goal that is used.")


class ShootoutExcludeInput(Input):
    """Who is left out."""

    entry: Entry
    player: Person = Field(title="Player", description="Who is left out.")


class ShootoutKickInput(Input):
    """A kick."""

    entry: Entry = Field(title="Side", description="The side that kicks.")
    kicker: Person | None = Field(default=None, title="Kicker", description="Who kicked.")
    outcome: KickOutcome = Field(title="Outcome", description="What became of it.")


class InterruptInput(Input):
    """Why play is suspended."""

    reason: str = Field(min_length=1, max_length=200, title="Reason", description="Why play is suspended.")


class AbandonInput(Input):
    """Why the match is broken off."""

    reason: AbandonReason = Field(title="Reason", description="Why the match is broken off.")


class AwardInput(Input):
    """What is given."""

    winner: Entry | None = Field(
        default=None, title="Winner", description="Who is given the match; nobody at a draw."
    )
    home: Goals = Field(default=None, title="Home", description="Goals given to the side named first.")
    away: Goals = Field(default=None, title="Away", description="Goals given to the side named second.")
    keep_cards: bool = Field(
        default=True, title="Keep cards", description="Whether the cards shown still count."
    )

    @model_validator(mode="after")
    def _score_or_winner(self) -> Self:
        if (self.home is None) != (self.away is None):
            raise ValueError("an awarded score has goals for both sides")
        if self.winner is None and self.home is None:
            raise ValueError("an award names the winner, or the score, or both")
        return self
