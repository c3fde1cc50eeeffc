"""What a unit is: how it is decided."""

from __future__ import annotations

from omnium_flows.shared.inputs import Choice


class Archetype(Choice):
    """How a unit is decided."""

    DUEL = "duel", "Two sides, one winner or a draw"
    RANKING = "ranking", "Any number of sides, ranked"
