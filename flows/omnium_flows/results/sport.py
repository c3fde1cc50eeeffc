"""The workflow `results`: an operator sets the outcome of any fixture of any sport."""

from __future__ import annotations

from typing import ClassVar, Literal

from omnium_contract.flows.sport import Workflow
from omnium_flows.results.actions import ResultsActions
from omnium_flows.results.commands import ResultsCommands
from omnium_flows.results.stats import ResultsStats
from omnium_flows.results.validations import ResultsValidations


class Results(ResultsCommands, ResultsValidations, ResultsActions, ResultsStats, Workflow):
    """Corrections of sides, the status ladder, and the pin of a fixture that has not started."""

    code = "results"
    title = "Results"
    description = "Sets the outcome of any fixture: its sides, their results, its status, its release."
    mode: ClassVar[Literal["fold", "apply"]] = "apply"
    subject: ClassVar[Literal["fixture", "event"]] = "fixture"
