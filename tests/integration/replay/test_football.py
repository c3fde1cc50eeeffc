"""The working tree's football against editions of it, on its goldens: what a change of one number does."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from harness.editions import Edit, edition
from harness.replays import GOLDENS, replayed
from omnium_releases.replay.differences import Kind
from omnium_releases.replay.outcome import Reason
from omnium_releases.replay.players import Wheels
from omnium_releases.rule_changes import RuleChange

#: A number in a helper that sports share: no decorated component changes with it.
FAST_CLOCK: Final = Edit(
    "flows/omnium_flows/shared/clocks.py", "total_seconds() * 1000)", "total_seconds() * 1001)"
)
OTHER_STAT: Final = Edit(
    "flows/omnium_flows/football/stats.py", '"own_goals": "own_goals"}', '"own_goals": "goals"}'
)


def built(folder: Path, *edits: Edit) -> Wheels:
    pair = edition(folder, *edits)
    return Wheels(pair.flows, pair.contract)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    return built(tmp_path_factory.mktemp("tree"))


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Wheels:
    return built(tmp_path_factory.mktemp("edited"), FAST_CLOCK, OTHER_STAT)


async def test_all_goldens_replay_green(tree: Wheels) -> None:
    outcome = await replayed(tree, tree, GOLDENS)
    assert (outcome.failures, outcome.differences) == ([], [])
    assert outcome.matches == len(list(GOLDENS.rglob("*.json")))
    assert outcome.coverage["football"].kinds["commands"].missing == ()


async def test_one_number_in_a_shared_helper_is_caught_in_every_match_that_shows_it(
    tree: Wheels, edited: Wheels
) -> None:
    outcome = await replayed(tree, edited, GOLDENS)
    first = next(one for one in outcome.differences if one.match == "football/abandoned")
    assert (first.event, first.command, first.key) == (6, "football.half_end", "clock.elapsed_ms")
    assert (first.old, first.new) == ("1260000", "1261260")
    (stat,) = [one for one in outcome.differences if one.kind is Kind.STAT]
    assert (stat.key, stat.old) == ("stats.football.scoring.node", 'numbers.own_goals "own_goals"')
    assert {failure.reason for failure in outcome.failures} == {Reason.UNDECLARED}
    assert len(outcome.failures) == outcome.matches + 1


async def test_it_passes_once_it_is_declared(tree: Wheels, edited: Wheels) -> None:
    changes = (
        RuleChange(sport="football", what="the clock is fast", keys=("clock.elapsed_ms",)),
        RuleChange(sport="football", what="own goals count", keys=("stats.football.scoring.**",)),
    )
    outcome = await replayed(tree, edited, GOLDENS, *changes)
    assert outcome.failures == []
    assert [count for _, count in outcome.declared] == [outcome.matches, 1]
