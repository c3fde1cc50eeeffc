"""What is true of a fixture and its sides because of a command of results."""

from __future__ import annotations

from typing import Any

from omnium_contract.flows.components import action
from omnium_contract.flows.types import Gives, Record, RecordCtx
from omnium_flows.results.commands import (
    AddSideInput,
    ChangeTypeInput,
    EditSideInput,
    RemoveSideInput,
    SetReleaseInput,
    SetStatusInput,
)
from omnium_flows.results.constants import (
    DUEL_SIDES,
    HIDDEN_BY,
    RESULT_FIELDS,
    SCORES_NOT_HELD,
    WITHOUT_RESULT,
    medal_word,
    side_mark,
    status_word,
)
from omnium_flows.shared.medals import medals_by_rank
from omnium_flows.shared.records import sent
from omnium_flows.shared.units import Archetype


class ResultsActions:
    """Mixed into `Results`."""

    @action(gives=Gives.RECORDS)
    def side_changes(self, input: EditSideInput, ctx: RecordCtx) -> list[Record]:
        """The side fields that were sent, in stored words; `hides` is what a new mark forbids."""
        data = sent(input)
        if "medal" in data:
            data["medal"] = medal_word(data["medal"])
        if "status" in input.model_fields_set:
            data["status"] = side_mark(input.status)
            data["hides"] = sorted(HIDDEN_BY.get(data["status"], ()))
        return [Record(kind="fixture.sides.set", data=data)]

    @action(gives=Gives.RECORDS)
    def side_added(self, input: AddSideInput, ctx: RecordCtx) -> list[Record]:
        """One more side."""
        return [Record(kind="fixture.sides.add", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def side_removed(self, input: RemoveSideInput, ctx: RecordCtx) -> list[Record]:
        """One side fewer."""
        return [Record(kind="fixture.sides.remove", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def status_changes(self, input: SetStatusInput, ctx: RecordCtx) -> list[Record]:
        """The platform's word, the official mark, and which result fields each side shows no longer."""
        word = status_word(input.status)
        data: dict[str, Any] = {
            "status": "COMPLETED" if word == "OFFICIAL" else word,
            "official": word == "OFFICIAL",
            "hides": _hidden(ctx, all_of_them=word in WITHOUT_RESULT),
        }
        if input.reason:
            data["reason"] = input.reason
        return [Record(kind="fixture.status.set", data=data)]

    @action(gives=Gives.RECORDS)
    def type_changes(self, input: ChangeTypeInput, ctx: RecordCtx) -> list[Record]:
        """The new type, what it can hold, and which of what it can't may go."""
        archetype = input.archetype.value
        held: dict[str, Any] = {
            "archetype": archetype,
            "fixtureType": input.fixture_type,
            "medals": {str(rank): medals for rank, medals in medals_by_rank(archetype).items()},
            "scoresNotHeld": [{"is": word, "like": looks} for word, looks in SCORES_NOT_HELD[archetype]],
            "confirm": sorted(set(input.confirm)),
        }
        if input.archetype is Archetype.DUEL:
            held["ranks"] = DUEL_SIDES
        return [Record(kind="fixture.type.set", data=held)]

    @action(gives=Gives.RECORDS)
    def release_changes(self, input: SetReleaseInput, ctx: RecordCtx) -> list[Record]:
        """Another pin."""
        return [Record(kind="fixture.release.set", data=sent(input))]


def _hidden(ctx: RecordCtx, *, all_of_them: bool) -> dict[str, list[str]]:
    """By side: what its mark hides, or everything where the fixture has no result."""
    sides = () if ctx.fixture is None else ctx.fixture.sides
    return {
        side.entry: sorted(RESULT_FIELDS if all_of_them else HIDDEN_BY.get(side.status or "", ()))
        for side in sides
    }
