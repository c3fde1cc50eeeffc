"""When the schedule and the medal table of an event may be changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from omnium_contract.flows.components import validation
from omnium_contract.flows.types import RecordCtx, Verdict, ok, reject
from omnium_flows.games.commands import AddUnitInput, MoveUnitInput, SetMedalsInput
from omnium_flows.games.constants import MEDAL_NUMBERS
from omnium_flows.shared.nations import is_noc
from omnium_flows.shared.units import Archetype


class GamesValidations:
    """Mixed into `Games`."""

    @validation(message="A duel has two sides.")
    def duel_has_two_sides(self, input: AddUnitInput, ctx: RecordCtx) -> Verdict:
        """Or none yet, before the draw."""
        if input.archetype is not Archetype.DUEL or len(input.sides) in (0, 2):
            return ok()
        if len(input.sides) == 1:
            return reject("A duel has two sides. Name a placeholder, or leave both out until the draw.")
        return reject("A duel has two sides. Choose the archetype ranking for more.")

    @validation(message="A country is its three capital letters, like JPN")
    def sides_have_noc_codes(self, input: AddUnitInput, ctx: RecordCtx) -> Verdict:
        """Or none."""
        wrong = next((side for side in input.sides if side.noc and not is_noc(side.noc)), None)
        if wrong is None:
            return ok()
        return reject(
            f"{wrong.noc!r} of {wrong.name} is not a country's code. Give three capital letters, like JPN."
        )

    @validation(message="A side is listed twice")
    def sides_are_listed_once(self, input: AddUnitInput, ctx: RecordCtx) -> Verdict:
        """No code and no participant twice. Two people may have one name."""
        for twice in (
            _twice(side.code for side in input.sides),
            _twice(str(side.participant_id) for side in input.sides if side.participant_id),
        ):
            if twice is not None:
                return reject(f"{twice} is listed twice.")
        return ok()

    @validation(message="Say the new start or the new venue")
    def moves_something(self, input: MoveUnitInput, ctx: RecordCtx) -> Verdict:
        """A move that moves nothing is a slip."""
        return Verdict(ok=bool(input.model_fields_set & {"scheduled_start", "venue"}))

    @validation(message="A country is its three capital letters, like JPN")
    def noc_is_a_code(self, input: SetMedalsInput, ctx: RecordCtx) -> Verdict:
        """A name would open a second row for the same country."""
        return Verdict(ok=is_noc(input.noc))

    @validation(message="Type at least one of gold, silver, bronze and place")
    def sets_a_number(self, input: SetMedalsInput, ctx: RecordCtx) -> Verdict:
        """A row without a number says nothing."""
        return Verdict(ok=bool(input.model_fields_set & set(MEDAL_NUMBERS)))


def _twice(values: Iterable[str | None]) -> str | None:
    times = Counter(value for value in values if value)
    return next((value for value, count in times.items() if count > 1), None)
