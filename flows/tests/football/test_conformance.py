"""Football keeps the promises of every fold."""

from __future__ import annotations

from pathlib import Path

from omnium_contract.testing.conformance import FoldConformance
from omnium_flows.football import Football


class TestFootballKeepsItsPromises(FoldConformance):
    workflow = Football
    goldens = Path(__file__).parent.parent / "goldens" / "football"
