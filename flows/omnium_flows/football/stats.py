"""Football's stats, as data: who scores, and the league table."""

from __future__ import annotations

from omnium_flows.shared.stat_cards import standings, totals

SCORING = {"goals": "goals", "assists": "assists", "own_goals": "own_goals"}
#: What the table shows beside played, won, drawn, lost, goals and points.
TABLE = {"fair_play": "fair_play"}
#: Which settings of the format the table follows.
TABLE_SETTINGS = {
    "points": "points",
    "order": "table_order",
    "reapply": "h2h_reapply",
    "average": "goal_average",
    "withdrawn": "withdrawn",
}


class FootballTotals:
    """Mixed into `Football`."""

    goals_node = totals(
        key="football.scoring.node",
        scope="node",
        name="Goals and assists",
        description="A player's goals, assists and own goals in this competition.",
        numbers=SCORING,
        appearances="appearances",
    )

    table = standings(
        key="football.table.node",
        name="League table",
        description="Played, won, drawn, lost, goals and points for this competition.",
        scored="goals_for",
        conceded="goals_against",
        numbers=TABLE,
        settings=TABLE_SETTINGS,
    )
