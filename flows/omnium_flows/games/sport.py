"""The workflow `games`: the operations of a whole event."""

from __future__ import annotations

from typing import ClassVar, Literal

from omnium_contract.flows.sport import Workflow
from omnium_flows.games.actions import GamesActions
from omnium_flows.games.commands import GamesCommands
from omnium_flows.games.stats import GamesStats
from omnium_flows.games.validations import GamesValidations


class Games(GamesCommands, GamesValidations, GamesActions, GamesStats, Workflow):
    """Competitions, the schedule of units, and the medal table."""

    code = "games"
    title = "Games"
    description = "Runs an event: its competitions, its schedule, its medal table."
    mode: ClassVar[Literal["fold", "apply"]] = "apply"
    subject: ClassVar[Literal["fixture", "event"]] = "event"
