"""What an operator may do to a whole Games: competitions, the schedule, the medal table."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from omnium_contract.flows.components import command
from omnium_flows.games.constants import MOST_SIDES, ScoringMode
from omnium_flows.shared.inputs import Input
from omnium_flows.shared.units import Archetype

Code = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S+$")]
Name = Annotated[str, Field(min_length=1, max_length=128)]
Venue = Annotated[str, Field(min_length=1, max_length=128)]
Noc = Annotated[str, Field(max_length=8)]
Count = Annotated[int, Field(ge=0, le=9999)]


class AddCompetitionInput(Input):
    """One more branch of the event's tree."""

    code: Code = Field(title="Code", description="Short code, single in the event")
    name: Name = Field(title="Name", description="What to print")
    sport: Code | None = Field(
        default=None, title="Sport", description="Code of its sport; its parent's if empty"
    )
    parent: Code | None = Field(
        default=None, title="Parent", description="Code of the competition above; the event itself if empty"
    )


class UnitSide(Input):
    """One side of a new unit."""

    code: Annotated[str, Field(min_length=1, max_length=64)] | None = Field(
        default=None, title="Code", description="Short code, single in the unit"
    )
    name: Name = Field(title="Name", description="What to print, a placeholder if it is not known yet")
    noc: Noc | None = Field(
        default=None, title="Country", description="Its country's three letters, like JPN"
    )
    participant_id: uuid.UUID | None = Field(
        default=None, title="Participant", description="Who it is, where the event knows them"
    )


class AddUnitInput(Input):
    """A unit of the schedule: a match, a heat, a final."""

    competition: Code = Field(title="Competition", description="Code of its competition, or of the event")
    code: Code = Field(title="Code", description="Short code, single in the event")
    name: Annotated[str, Field(max_length=128)] = Field(
        default="", title="Name", description="What to print beside the sides, like Semi-final 1"
    )
    sport: Code = Field(title="Sport", description="Code of its sport")
    fixture_type: Code = Field(title="Type", description="The sport's kind of unit: match, heat, final")
    archetype: Archetype = Field(title="Archetype", description="How it is decided")
    format_code: Code | None = Field(
        default=None, title="Format", description="Code of a stored format; the sport's own if empty"
    )
    format: dict[str, Any] | None = Field(
        default=None, title="Settings", description="Settings of this unit that differ from its format"
    )
    scoring_mode: ScoringMode = Field(title="Scoring", description="Where its result comes from")
    scheduled_start: AwareDatetime | None = Field(
        default=None, title="Start", description="When it starts, with its offset from UTC"
    )
    venue: Venue | None = Field(default=None, title="Venue", description="Where it is held")
    sides: tuple[UnitSide, ...] = Field(
        default=(),
        max_length=MOST_SIDES,
        title="Sides",
        description="Who takes part, in the order of the draw",
    )


class MoveUnitInput(Input):
    """Only what was sent changes; null takes it away."""

    fixture: Code = Field(title="Unit", description="Id or code of the unit")
    scheduled_start: AwareDatetime | None = Field(
        default=None, title="Start", description="The new start, with its offset from UTC"
    )
    venue: Venue | None = Field(default=None, title="Venue", description="The new venue")
    reason: Annotated[str, Field(max_length=500)] | None = Field(
        default=None, title="Reason", description="Why; kept in the log"
    )


class CancelUnitInput(Input):
    """A unit that will not be held."""

    fixture: Code = Field(title="Unit", description="Id or code of the unit")
    reason: Annotated[str, Field(min_length=1, max_length=500)] = Field(
        title="Reason", description="Why; kept in the log"
    )


class SetMedalsInput(Input):
    """A country's numbers; null gives one back to the feed."""

    noc: Noc = Field(title="Country", description="Its three letters, like JPN")
    gold: Count | None = Field(default=None, title="Gold", description="How many golds it has")
    silver: Count | None = Field(default=None, title="Silver", description="How many silvers it has")
    bronze: Count | None = Field(default=None, title="Bronze", description="How many bronzes it has")
    place: Annotated[int, Field(ge=1, le=9999)] | None = Field(
        default=None, title="Place", description="Its place in the table"
    )


class GamesCommands:
    """Mixed into `Games`."""

    @command(
        input=AddCompetitionInput,
        actions=("competition_added",),
        title="Add a competition",
        description="One more competition of this event, below another one or directly below the event.",
    )
    def add_competition(self) -> None: ...

    @command(
        input=AddUnitInput,
        validations=("duel_has_two_sides", "sides_have_noc_codes", "sides_are_listed_once"),
        actions=("unit_added",),
        title="Add a unit",
        description="One more unit of the schedule. Scored by events, it is pinned to the default release "
        "of the moment that it starts.",
    )
    def add_unit(self) -> None: ...

    @command(
        input=MoveUnitInput,
        validations=("moves_something",),
        actions=("unit_moved",),
        title="Move a unit",
        description="Another start or venue for a unit. It keeps its id and its release.",
    )
    def move_unit(self) -> None: ...

    @command(
        input=CancelUnitInput,
        actions=("unit_cancelled",),
        title="Cancel a unit",
        description="A unit that will not be held: no score and no places, and it stays on the schedule.",
    )
    def cancel_unit(self) -> None: ...

    @command(
        input=SetMedalsInput,
        validations=("noc_is_a_code", "sets_a_number"),
        actions=("medals_changed",),
        title="Set medals",
        description="Type a country's counts or place. Each number typed is kept from the feed.",
    )
    def set_medals(self) -> None: ...
