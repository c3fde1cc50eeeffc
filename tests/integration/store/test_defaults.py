"""Which release a new fixture gets."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import asyncpg
import pytest

from harness.world import World

JUNE, JULY, AUGUST = (datetime(2026, month, 1, tzinfo=UTC) for month in (6, 7, 8))


@dataclass
class Tree:
    world: World
    sport: uuid.UUID
    event: uuid.UUID
    cup: uuid.UUID
    final: uuid.UUID
    old: uuid.UUID
    new: uuid.UUID

    async def found(
        self, competition: uuid.UUID, at: datetime, sport: uuid.UUID | None = None
    ) -> uuid.UUID | None:
        found: uuid.UUID | None = await self.world.connection.fetchval(
            "SELECT default_release_v1($1, $2, $3)", sport or self.sport, competition, at
        )
        return found


@pytest.fixture
async def tree(world: World) -> Tree:
    sport = await world.sport()
    event = await world.event()
    cup = await world.competition("cup", parent=event, sport=sport)
    final = await world.competition("final", parent=cup, sport=sport)
    old, new = await world.release("0.1.0+g1"), await world.release("0.2.0+g2")
    return Tree(world, sport, event, cup, final, old, new)


async def test_there_is_none_before_one_is_set_and_none_of_another_sport(tree: Tree) -> None:
    assert await tree.found(tree.final, JULY) is None
    await tree.world.default(tree.old, sport=await tree.world.sport("cricket"))
    assert await tree.found(tree.final, JULY) is None


async def test_the_sport_wide_one_holds_where_no_competition_has_one(tree: Tree) -> None:
    await tree.world.default(tree.old, sport=tree.sport)
    assert await tree.found(tree.final, JULY) == tree.old


async def test_the_nearest_competition_wins_even_over_a_later_row_above_it(tree: Tree) -> None:
    await tree.world.default(tree.new, sport=tree.sport, at=JULY)
    await tree.world.default(tree.new, sport=tree.sport, competition=tree.event, at=JULY)
    await tree.world.default(tree.old, sport=tree.sport, competition=tree.cup, at=JUNE)
    assert await tree.found(tree.final, AUGUST) == tree.old
    assert await tree.found(tree.cup, AUGUST) == tree.old
    assert await tree.found(tree.event, AUGUST) == tree.new


async def test_a_default_holds_from_its_moment_on(tree: Tree) -> None:
    await tree.world.default(tree.old, sport=tree.sport)
    await tree.world.default(tree.new, sport=tree.sport, at=JULY)
    assert await tree.found(tree.final, JUNE) == tree.old
    assert await tree.found(tree.final, JULY) == tree.new


async def test_a_competitions_row_that_does_not_hold_yet_leaves_the_sports(tree: Tree) -> None:
    await tree.world.default(tree.old, sport=tree.sport)
    await tree.world.default(tree.new, sport=tree.sport, competition=tree.cup, at=AUGUST)
    assert await tree.found(tree.final, JULY) == tree.old


async def test_two_sport_wide_defaults_of_one_moment_are_refused(tree: Tree) -> None:
    await tree.world.default(tree.old, sport=tree.sport, at=JULY)
    with pytest.raises(asyncpg.UniqueViolationError):
        await tree.world.default(tree.new, sport=tree.sport, at=JULY)
