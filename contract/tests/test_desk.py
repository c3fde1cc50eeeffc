"""A desk answers as the engine would, and keeps what it would have written."""

from __future__ import annotations

from typing import ClassVar, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from omnium_contract.flows.components import action, command, validation
from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Gives, Record, RecordCtx, Verdict
from omnium_contract.testing import Desk, fixture, record_context


class LabelInput(BaseModel):
    model_config = ConfigDict(extra="forbid")
    side: str = Field(description="Whose label")
    label: str = Field(description="What to print")


class Labels(Workflow):
    code = "labels"
    subject: ClassVar[Literal["fixture", "event"]] = "fixture"

    @command(
        input=LabelInput,
        validations=("side_is_here", "is_short"),
        actions=("labelled",),
        description="Print something else.",
    )
    def label(self) -> None: ...

    @command(input=LabelInput, applies_to=("heat",), actions=("labelled",), description="Of a heat alone.")
    def heat_label(self) -> None: ...

    @validation(message="That side is not here")
    def side_is_here(self, input: LabelInput, ctx: RecordCtx) -> Verdict:
        return Verdict(ok=ctx.fixture is not None and ctx.fixture.side(input.side) is not None)

    @validation(message="That is a long label", confirmable=True)
    def is_short(self, input: LabelInput, ctx: RecordCtx) -> Verdict:
        return Verdict(ok=len(input.label) < 10)

    @action(gives=Gives.RECORDS)
    def labelled(self, input: LabelInput, ctx: RecordCtx) -> list[Record]:
        return [Record(kind="label.set", data={"side": input.side, "label": input.label})]


@pytest.fixture
def desk() -> Desk:
    return Desk(Labels, record_context(fixture(Labels, sides=("home", "away"))))


def test_an_accepted_command_leaves_its_records(desk: Desk) -> None:
    desk.must("labels.label", side="home", label="United")
    assert [Record(kind="label.set", data={"side": "home", "label": "United"})] == desk.records


def test_a_refused_command_leaves_none_and_says_why(desk: Desk) -> None:
    answer = desk.send("label", side="guests", label="United")
    assert (
        answer.refusal,
        answer.reason,
        answer.message,
    ) == ("rejected", "side_is_here", "That side is not here")
    assert desk.records == []


def test_a_warning_is_overruled_by_its_name(desk: Desk) -> None:
    refused = desk.send("label", side="home", label="Wanderers of the North")
    assert (refused.refusal, refused.reason) == ("confirm", "is_short")
    assert desk.must("label", side="home", label="Wanderers of the North", confirm=["is_short"]).accepted


def test_an_unknown_field_is_refused_and_named(desk: Desk) -> None:
    answer = desk.send("label", side="home", label="United", lable="United")
    assert (answer.refusal, answer.problems[0]["field"]) == ("input", "lable")


def test_a_command_of_other_fixture_types_is_not_offered(desk: Desk) -> None:
    assert desk.send("heat_label", side="home", label="United").refusal == "not_offered"
    assert desk.send("lable", side="home").refusal == "not_offered"


def test_must_raises_with_the_refusal(desk: Desk) -> None:
    with pytest.raises(AssertionError, match="side_is_here"):
        desk.must("label", side="guests", label="United")
