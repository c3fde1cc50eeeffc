"""Football: the six files joined into one sport."""

from __future__ import annotations

from typing import ClassVar

from omnium_contract.flows.sport import Sport
from omnium_flows.football.actions import FootballActions
from omnium_flows.football.commands import FootballCommands
from omnium_flows.football.constants import FACTS
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.stats import FootballTotals
from omnium_flows.football.validations import FootballValidations


class Football(FootballCommands, FootballValidations, FootballActions, FootballTotals, Sport):
    """Association football under the Laws of the Game; what competitions vary is a setting."""

    code = "football"
    title = "Football"
    description = "Live scoring of association football, with extra time, shoot-outs and two-legged ties."
    format_model = FootballFormat
    fixture_types = ("match",)
    facts: ClassVar[dict[str, str]] = dict(FACTS)
    roles: ClassVar[frozenset[str]] = frozenset(
        {"scorer", "assist", "carded", "taker", "kicker", "off", "on", "player", "excluded"}
    )
