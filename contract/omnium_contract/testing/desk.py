"""`Desk`: a workflow whose commands change records, judged command by command as the engine does it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from omnium_contract.flows.components import ComponentKind, ComponentSpec
from omnium_contract.flows.sport import Workflow
from omnium_contract.flows.types import Gives, Record, RecordCtx
from omnium_contract.testing.match import Answer, input_refusal, judged, typed_input


@dataclass(slots=True)
class Desk:
    """Commands of one apply workflow on one subject. `records` has what the accepted ones asked writers for.

    Nothing is written: a writer is the platform's. Change `ctx` to say what a writer would have made true.
    """

    workflow: type[Workflow]
    ctx: RecordCtx
    records: list[Record] = field(default_factory=list)

    def send(self, name: str, /, *, confirm: Iterable[str] = (), **input: Any) -> Answer:
        """Send the command `name` (with or without the workflow's code in front) and say what came of it."""
        spec = self._command(name)
        if spec is None or spec.input_model is None:
            return Answer(accepted=False, refusal="not_offered", message=f"{name} is not offered")
        try:
            spec.input_model.model_validate(input)
        except ValidationError as error:
            return input_refusal(error)
        workflow = self.workflow()
        refusal, _ = judged(workflow, spec, input, self.ctx, confirm=confirm)
        if refusal is not None:
            return refusal
        for action in (self.workflow.components[name] for name in spec.actions):
            if action.spec.gives is Gives.RECORDS:
                self.records += action.fn(workflow, typed_input(action.fn, input), self.ctx)
        return Answer(accepted=True)

    def must(self, name: str, /, **told: Any) -> Answer:
        """`send`, and an `AssertionError` with the refusal if it was not accepted."""
        answer = self.send(name, **told)
        if not answer.accepted:
            raise AssertionError(f"{name} was refused ({answer.refusal} {answer.reason}): {answer.message}")
        return answer

    def _command(self, name: str) -> ComponentSpec | None:
        found = self.workflow.components.get(name.removeprefix(f"{self.workflow.command_root()}."))
        if found is None or found.spec.kind is not ComponentKind.COMMAND:
            return None
        fixture, applies = self.ctx.fixture, found.spec.applies_to
        offered = not applies or (fixture is not None and fixture.fixture_type in applies)
        return found.spec if offered else None
