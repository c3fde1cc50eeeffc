"""The words of Games operations."""

from __future__ import annotations

from typing import Final

from omnium_flows.shared.inputs import Choice


class ScoringMode(Choice):
    """Where a unit's result comes from."""

    EVENTS = "events", "Scored event by event under a pinned release"
    SCORECARD = "scorecard", "Typed or imported"


#: The numbers of a country in the medal table. Each that was typed is kept from the feed.
MEDAL_NUMBERS: Final = ("gold", "silver", "bronze", "place")
#: Sides of one unit; the largest mass starts have some thousands.
MOST_SIDES: Final = 5000
