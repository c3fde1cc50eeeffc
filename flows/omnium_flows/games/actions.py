"""What is true of an event because of a command of games."""

from __future__ import annotations

from omnium_contract.flows.components import action
from omnium_contract.flows.types import Gives, Record, RecordCtx
from omnium_flows.games.commands import (
    AddCompetitionInput,
    AddUnitInput,
    CancelUnitInput,
    MoveUnitInput,
    SetMedalsInput,
)
from omnium_flows.shared.records import sent


class GamesActions:
    """Mixed into `Games`."""

    @action(gives=Gives.RECORDS)
    def competition_added(self, input: AddCompetitionInput, ctx: RecordCtx) -> list[Record]:
        """One more competition."""
        return [Record(kind="competition.add", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def unit_added(self, input: AddUnitInput, ctx: RecordCtx) -> list[Record]:
        """One more fixture with its sides."""
        return [Record(kind="fixture.add", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def unit_moved(self, input: MoveUnitInput, ctx: RecordCtx) -> list[Record]:
        """The start or venue that was sent."""
        return [Record(kind="fixture.move", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def unit_cancelled(self, input: CancelUnitInput, ctx: RecordCtx) -> list[Record]:
        """A fixture that will not be held."""
        return [Record(kind="fixture.cancel", data=sent(input))]

    @action(gives=Gives.RECORDS)
    def medals_changed(self, input: SetMedalsInput, ctx: RecordCtx) -> list[Record]:
        """The numbers of a country that were sent."""
        return [Record(kind="medals.set", data=sent(input))]
