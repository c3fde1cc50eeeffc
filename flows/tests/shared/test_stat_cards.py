"""The stat cards: each gives a declared stat, and one that does not hold together fails at once."""

from __future__ import annotations

import pytest

from omnium_contract.flows.components import spec_of
from omnium_flows.shared.stat_cards import Declared, ranking, standings, totals


def test_totals_sum_numbers_of_persons_and_count_fixtures() -> None:
    member = totals(
        key="chess.wins.node",
        scope="node",
        name="Wins",
        description="Games won.",
        numbers={"wins": "won"},
        appearances="games",
    )
    spec = member(None)
    assert (spec.kind, spec.subject, spec.appearances) == ("totals", "person", "games")
    stamped = spec_of(member)
    assert stamped is not None
    assert stamped.declared is spec


def _best(*, order: list[str]) -> Declared:
    return ranking(
        key="chess.best.event",
        scope="event",
        name="Best",
        description="Most games won.",
        numbers={"w": "won"},
        order=order,
    )


def test_a_ranking_has_an_order_of_its_columns() -> None:
    assert _best(order=["-w"])(None).order == ("-w",)
    with pytest.raises(ValueError, match="no column"):
        _best(order=["x"])


def test_standings_are_of_sides_and_follow_the_format() -> None:
    spec = standings(
        key="chess.table.node",
        name="Table",
        description="",
        scored="won",
        conceded="lost",
        settings={"order": "table_order"},
    )(None)
    assert (spec.kind, spec.scope, spec.subject) == ("standings", "node", "entry")
    assert spec.facts() == {"won", "lost"}
    assert spec.settings == {"order": "table_order"}
