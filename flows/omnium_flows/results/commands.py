"""What an operator may do to the result of any fixture."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, WithJsonSchema

from omnium_contract.flows.components import command
from omnium_flows.results.constants import MARKS, MOST_CONFIRMED, STATUSES
from omnium_flows.shared.inputs import Input
from omnium_flows.shared.medals import MEDALS
from omnium_flows.shared.units import Archetype


def _words(labels: Mapping[str, str]) -> WithJsonSchema:
    """What a form offers; other spellings of these words are taken too, and a rule refuses the rest."""
    offered: list[dict[str, Any]] = [{"const": word, "title": label} for word, label in labels.items()]
    return WithJsonSchema({"type": "string", "oneOf": offered})


Name = Annotated[str, Field(min_length=1, max_length=128)]
Code = Annotated[str, Field(min_length=1, max_length=64)]
Reason = Annotated[str, Field(max_length=500)]
Mark = Annotated[str | None, Field(max_length=32), _words({"": "None"} | dict(MARKS))]
Medal = Annotated[str | None, Field(max_length=32), _words({"": "None"} | {medal: medal for medal in MEDALS})]
Status = Annotated[str, Field(max_length=32), _words(STATUSES)]


class EditSideInput(Input):
    """Only the fields that were sent change; null or "" takes a value away."""

    side: uuid.UUID = Field(title="Side", description="The side to correct")
    participant_id: uuid.UUID | None = Field(
        default=None,
        title="Participant",
        description="Who it is; the name follows unless a label is sent",
    )
    label: str | None = Field(
        default=None, max_length=128, title="Label", description="What to print as its name"
    )
    score: str | None = Field(
        default=None,
        max_length=32,
        title="Score",
        description="As the sport prints it: 3, 1:52.30, 8.12",
    )
    rank: int | None = Field(default=None, ge=1, title="Rank", description="Place in this unit, 1 is best")
    shared: bool | None = Field(
        default=None, title="Shared rank", description="Another side has the same rank: a tie or a draw"
    )
    status: Mark = Field(
        default=None, title="Mark", description="Why it has no ordinary result; hides what it forbids"
    )
    medal: Medal = Field(default=None, title="Medal", description="What it won; empty takes it away")
    world_record: bool | None = Field(
        default=None, title="World record", description="Whether its mark is a world record"
    )
    event_record: bool | None = Field(
        default=None, title="Event record", description="Whether its mark is a record of this event"
    )
    qualified: bool | None = Field(default=None, title="Qualified", description="Whether it went through")
    reason: Reason | None = Field(
        default=None, title="Reason", description="Why an official result is changed; needed for one alone"
    )


class AddSideInput(Input):
    """One more side."""

    code: Code | None = Field(default=None, title="Code", description="Short code, single in this fixture")
    name: Name = Field(title="Name", description="What to print, a placeholder if it is not known yet")
    noc: str | None = Field(
        default=None, max_length=3, title="Country", description="Its country's three letters, like JPN"
    )
    participant_id: uuid.UUID | None = Field(
        default=None, title="Participant", description="Who it is, where the event knows them"
    )
    position: int | None = Field(
        default=None,
        ge=1,
        title="Position",
        description="Lane or place in the draw; the first free one",
    )


class RemoveSideInput(Input):
    """A side that goes."""

    side: uuid.UUID = Field(title="Side", description="The side to take out of this fixture")


class ChangeTypeInput(Input):
    """Another type for a unit; what it can't hold goes, and only where that was confirmed."""

    archetype: Archetype = Field(title="Archetype", description="How it is decided")
    fixture_type: Annotated[str, Field(min_length=1, max_length=64, pattern=r"^\S+$")] = Field(
        title="Type", description="The sport's kind of unit: match, heat, final"
    )
    confirm: tuple[Annotated[str, Field(min_length=1, max_length=160)], ...] = Field(
        default=(),
        max_length=MOST_CONFIRMED,
        title="Confirmed",
        description="What may be removed, by the names that the dry run lists; nothing else is",
    )
    reason: Reason | None = Field(default=None, title="Reason", description="Why; kept in the log")


class SetStatusInput(Input):
    """A step on the ladder."""

    status: Status = Field(
        title="Status", description="Where it stands. Postponed, cancelled and void hide all results"
    )
    reason: Reason | None = Field(
        default=None, title="Reason", description="Why; needed to take back an official result"
    )


class SetReleaseInput(Input):
    """Other rules for a fixture that has not started."""

    version: Code = Field(title="Release", description="Version of the release that it shall be played under")
    reason: Reason | None = Field(default=None, title="Reason", description="Why; kept with the change")


class ResultsCommands:
    """Mixed into `Results`."""

    @command(
        input=EditSideInput,
        validations=(
            "side_is_in_fixture",
            "side_keeps_someone",
            "side_status_is_known",
            "side_medal_is_known",
            "side_is_listed_once",
            "mark_leaves_no_result",
            "official_needs_a_reason",
            "official_still_fits",
        ),
        actions=("side_changes",),
        title="Correct a side",
        description="Correct one side: who it is, its score, its place, its medal, its mark, "
        "whether its mark is a record and whether it qualified.",
    )
    def edit_side(self) -> None: ...

    @command(
        input=AddSideInput,
        validations=(
            "sides_may_change",
            "duel_has_two_sides",
            "side_noc_is_a_code",
            "side_is_listed_once",
            "position_is_free",
        ),
        actions=("side_added",),
        title="Add a side",
        description="One more side in this fixture.",
    )
    def add_side(self) -> None: ...

    @command(
        input=RemoveSideInput,
        validations=("side_is_in_fixture", "sides_may_change"),
        actions=("side_removed",),
        title="Remove a side",
        description="Take a side out of this fixture. The others keep their positions.",
    )
    def remove_side(self) -> None: ...

    @command(
        input=SetStatusInput,
        validations=(
            "status_is_known",
            "log_tells_the_status",
            "official_needs_a_reason",
            "result_has_two_sides",
            "everyone_has_a_result",
            "ties_are_marked",
            "ranks_run",
            "medals_fit_the_ranks",
            "duel_has_scores",
            "winner_has_the_better_score",
        ),
        actions=("status_changes",),
        title="Set the status",
        description="Where the fixture stands: running, finished, official, postponed, cancelled. "
        "A result is official once ranks and medals fit together.",
    )
    def set_status(self) -> None: ...

    @command(
        input=ChangeTypeInput,
        validations=("type_may_change", "type_fits_the_sides"),
        actions=("type_changes",),
        title="Change the type",
        description="Make this unit one of another type. A dry run lists every rank, place, score and medal "
        "that the new type can't hold; what is confirmed of them is removed, and the sides stay.",
    )
    def change_type(self) -> None: ...

    @command(
        input=SetReleaseInput,
        validations=("is_scored_by_events", "has_not_started"),
        actions=("release_changes",),
        title="Set the release",
        description="Play this fixture under another release of the rules. Only before it starts.",
    )
    def set_release(self) -> None: ...
