"""Whole fleets for the tests from end to end."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.fleet import RunningFleet, running_fleet, working_tree_wheels
from harness.rivals import Rivals, rival_fleet
from omnium_releases.build import WheelPair


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> WheelPair:
    """The wheels of the working tree, alone in their folder."""
    return working_tree_wheels(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def fleet(wheels: WheelPair) -> Iterator[RunningFleet]:
    """The fleet that tests share: make an event and matches of your own in it, and leave it running."""
    with running_fleet(wheels.flows) as running:
        yield running


@pytest.fixture
def own_fleet(wheels: WheelPair) -> Iterator[RunningFleet]:
    """A fleet of this test's own, which it may break. Slow: prefer `fleet`."""
    with running_fleet(wheels.flows) as running:
        yield running


@pytest.fixture(scope="session")
def rivals(wheels: WheelPair, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rivals]:
    """A fleet for two releases side by side: whoever kills something of it waits until it is back."""
    with rival_fleet(wheels, tmp_path_factory.mktemp("edition")) as running:
        yield running
