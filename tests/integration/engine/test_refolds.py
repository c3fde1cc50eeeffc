"""Folding again: a scoreboard of other code, of another prefix, or none is never built upon."""

from __future__ import annotations

from typing import Any

import pytest

from harness import courts
from harness.arena import Arena, open_arena
from harness.postgres import Database
from omnium_store.errors import NeedsBulk
from omnium_worker.checkpoints import EVERY
from omnium_worker.road import RoadSettings


async def moved(arena: Arena, *, worth: int) -> None:
    """Pin the match to another release, whose points are worth more, and score on with that one."""
    other = await arena.other_release()
    await arena.connection.execute("UPDATE fixture SET release_id = $1", other.release_id)
    release: dict[str, Any] = {"release": other.release_id, "code_sha": other.code_sha}
    arena.host = courts.host(courts.court(worth=worth), courts.Desk, courts.Office, **release)
    arena.road = arena.another(courts.court(worth=worth), courts.Desk, courts.Office, **release)


async def test_a_moved_match_is_folded_again_under_its_new_release(arena: Arena) -> None:
    await arena.started()
    await arena.point(worth=3)
    await moved(arena, worth=10)
    answer = await arena.point(worth=1)
    assert answer["value"]["points"][arena.home] == 40
    board = await arena.connection.fetchrow("SELECT * FROM scoreboard")
    assert board is not None
    assert (board["code_sha"], board["events"], board["seq"]) == ("2" * 64, 3, 3)


async def test_a_lost_scoreboard_is_made_from_the_log(arena: Arena) -> None:
    await arena.started()
    await arena.point(worth=3)
    await arena.connection.execute("DELETE FROM scoreboard")
    assert (await arena.point())["value"]["points"][arena.home] == 4


async def test_a_scoreboard_of_another_prefix_is_not_built_upon(arena: Arena) -> None:
    await arena.started()
    await arena.point(worth=3)
    await arena.connection.execute(
        """UPDATE scoreboard SET state = '{"status":"live"}', prefix_hash = '\\x00'"""
    )
    assert (await arena.point())["value"]["points"][arena.home] == 4


async def test_every_64_events_a_checkpoint_is_kept_and_a_refold_starts_there(arena: Arena) -> None:
    await arena.started()
    for _ in range(EVERY + 3):
        await arena.point()
    checkpoints = await arena.rows("scoring_checkpoint", "seq", "events")
    assert checkpoints == [{"seq": EVERY, "events": EVERY}]
    await arena.connection.execute("DELETE FROM scoreboard")
    strict = arena.another(settings=RoadSettings(most_folded_in_live=4))
    request = arena.request("court.point", input={"entry": arena.home})
    assert (await strict.execute(request, timeout=20)).accepted  # 4 events behind the checkpoint, not 68
    await arena.connection.execute("UPDATE scoring_checkpoint SET prefix_hash = '\\x00'")
    await arena.connection.execute("DELETE FROM scoreboard")
    with pytest.raises(NeedsBulk):
        await strict.execute(arena.request("court.point", input={"entry": arena.home}), timeout=20)
    # one that no prefix fits is never resumed, and verifying passes it over
    assert (await arena.point())["value"]["points"][arena.home] == EVERY + 5


async def test_a_long_refold_is_sent_to_a_bulk_worker_before_anything_ran(arena: Arena) -> None:
    await arena.started()
    for _ in range(4):
        await arena.point()
    await arena.connection.execute("DELETE FROM scoreboard")
    before = await arena.counts()
    live = arena.another(settings=RoadSettings(most_folded_in_live=4))
    request = arena.request("court.point", input={"entry": arena.home})
    with pytest.raises(NeedsBulk):
        await live.execute(request, timeout=20)
    assert await arena.counts() == before
    bulk = arena.another(settings=RoadSettings(lane="bulk", most_folded_in_live=4))
    assert (await bulk.execute(request, timeout=20)).accepted


async def test_another_runtime_folds_again_too(arena: Arena) -> None:
    await arena.started()
    await arena.point(worth=3)
    await arena.connection.execute("UPDATE scoreboard SET runtime_sha = 'older', state = '{}'")
    assert (await arena.point())["value"]["points"][arena.home] == 4


async def test_a_fold_of_the_whole_log_works_as_well(database: Database) -> None:
    async with open_arena(database, courts.court(whole_log=True), courts.Desk, courts.Office) as arena:
        await arena.started()
        await arena.point(worth=3)
        await arena.point(worth=4)
        assert await arena.problems() == ()
        await arena.connection.execute("DELETE FROM scoreboard")
        assert (await arena.point())["value"]["points"][arena.home] == 8
        assert await arena.problems() == ()
