"""The program document, and the gate that says all that is wrong at once."""

from typing import Any, ClassVar

from pydantic import BaseModel

from omnium_contract.flows.components import action, command, validation
from omnium_contract.flows.program import checksum, program_of, publish_problems
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Gives, Verdict, ok
from rally import Rally, RallyFormat


def test_the_document_carries_what_a_form_needs() -> None:
    document = program_of(Rally)
    (point,) = document["commands"]
    assert (point["code"], point["key"], point["title"]) == ("rally.point", "rally.point", "Point")
    assert point["validations"] == ["is_open", "side_plays", "is_ordinary"]
    assert point["input"]["properties"]["scoredBy"]["description"] == "Who scored it"
    assert point["input"]["additionalProperties"] is False
    assert point["fieldOrder"] == ["entry", "scoredBy", "worth"]
    assert document["formatSchema"]["properties"]["target"]["default"] == 3
    assert [r["confirmable"] for r in document["validations"] if r["name"] == "is_ordinary"] == [True]
    assert document["stats"][0]["declared"]["key"] == "rally.points.node"


def test_the_checksum_follows_the_document() -> None:
    changed = {**program_of(Rally), "title": "Other"}
    assert checksum(program_of(Rally)) != checksum(changed)


def test_a_sound_registry_has_no_problems() -> None:
    registry = Registry()
    registry.add_workflow(Rally)
    assert publish_problems(registry) == []


class LooseInput(BaseModel):
    a: int


class Loose(Workflow):
    code = "loose"
    mode = "apply"
    format_model = RallyFormat
    roles: ClassVar[frozenset[str]] = frozenset({"who"})

    @command(
        input=LooseInput, validations=("silent",), imports=True, actors=({"path": "input.b", "role": "who"},)
    )
    def go(self) -> None: ...

    @validation(message=" ")
    def silent(self, input: Any, ctx: Any) -> Verdict:
        return ok()

    @action(gives=Gives.LINES)
    def lines(self, log: Any, ctx: Any) -> list[Any]:
        return []


def test_the_gate_says_all_that_is_wrong_at_once() -> None:
    registry = Registry()
    registry.add_workflow(Loose)
    assert publish_problems(registry) == [
        "loose.go: has no description: say in one sentence what it does",
        "loose.go: is an import without `fields`: name its columns",
        "loose.go: takes unknown fields: set extra='forbid' on LooseInput",
        "loose.go: field a has no description: a form shows it",
        "loose.go: names an actor at 'input.b': a path is input.FIELD",
        "loose.lines: gives lines without `keys`: list every number that it writes",
        "loose.lines: gives lines, which a workflow of mode apply does not",
        "loose.silent: has no message: write the sentence that the scorer reads",
    ]
