"""Verifying finds what was changed beside the road."""

from __future__ import annotations

import pytest

from harness import courts
from harness.arena import Arena, open_arena
from harness.postgres import Database

TAMPERED = [
    ("UPDATE timeline_item SET payload = '{}' WHERE seq = 2", "row 2 is not what its hash was made of"),
    ("UPDATE timeline_item SET actor = 'Eve' WHERE seq = 3", "row 3 is not what its hash was made of"),
    ("UPDATE timeline_item SET row_hash = '\\x00' WHERE seq = 2", "row 3 does not follow the row before it"),
    ("DELETE FROM timeline_item WHERE seq = 2", "the log is not numbered 1 to 2"),
    (
        "UPDATE timeline_item SET state_digest = '\\x00' WHERE seq = 2",
        "row 2: the state after it is another one",
    ),
    ("UPDATE scoreboard SET state = '{}'", "the scoreboard's state is not what the log gives"),
    ("UPDATE scoreboard SET events = 7", "the scoreboard's events is not what the log gives"),
    ("UPDATE stat_value SET value = value + 1", "is missing"),
    ("DELETE FROM stat_value", "is missing"),
    ("UPDATE fixture_competitor_rank SET rank = 3", "is stored, but the log does not give it"),
    ("UPDATE fixture SET status = 'SCHEDULED'", "the fixture is SCHEDULED, but its state says finished"),
    ("UPDATE fixture SET version = 9", "its outbox row 3"),
    ("UPDATE fixture SET next_seq = 9", "the next number is 9"),
    ("UPDATE fixture SET changed_seq = 0", "is newer than changed_seq 0"),
]


@pytest.mark.parametrize(("change", "said"), TAMPERED)
async def test_a_change_beside_the_road_is_found(database: Database, change: str, said: str) -> None:
    async with open_arena(database, format={"target": 4}) as arena:
        await arena.started()
        await arena.point(worth=1)
        await arena.point(worth=3)
        assert await arena.problems() == ()
        await arena.connection.execute(change)
        assert any(said in problem for problem in await arena.problems())


async def test_a_log_that_other_rules_made_is_told_by_its_digests(database: Database) -> None:
    async with open_arena(database) as arena:
        await arena.started()
        await arena.point()
        other = courts.host(courts.court(worth=2), courts.Desk, courts.Office, release=arena.release)
        problems = await arena.problems(other)
        assert any("row 2: the state after it is another one" in problem for problem in problems)


async def test_a_step_that_raises_is_a_finding_and_no_crash(database: Database) -> None:
    async with open_arena(database) as arena:
        await arena.started()
        await arena.connection.execute(
            """UPDATE timeline_item SET event_type = 'court.misbehave', payload = '{"where":"step"}'"""
        )
        assert any("the log can't be folded: court.state" in p for p in await arena.problems())


async def test_a_match_without_events_verifies(arena: Arena) -> None:
    assert await arena.problems() == ()
