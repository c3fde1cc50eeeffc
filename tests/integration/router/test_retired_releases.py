"""After a release is retired and its workers are gone, everything of its matches is still there to read."""

from __future__ import annotations

import pytest

from harness.routers import VERSION, Desk, Router, Scene
from harness.stand_in import until
from omnium_store.access import Role

NEXT = "0.2.0+g000000000002"
STATE = b'{"score":{"away":1,"home":2},"status":"finished"}'


@pytest.fixture
async def retired(router: Router, scene: Scene) -> Scene:
    """A finished match with its log, on a release that was retired and has no worker any more."""
    world = scene.world
    worker = await router.ready(scene)
    for seq, code in enumerate(("football.match_start", "football.goal", "football.match_end"), start=1):
        await world.log_row(scene.match, seq, code, {"minute": seq}, release=scene.release.id)
    await world.board(scene.match, STATE, seq=3)
    await world.official(scene.match)
    following = await world.release(NEXT)
    await scene.copy_programs(following)
    await world.connection.execute("UPDATE plugin_release SET code_sha = 'next' WHERE id = $1", following)
    manager = router.desk(Role.RELEASE_MANAGER)
    for sport in ("football", "games"):
        status, told = await manager.post(f"/releases/{NEXT.replace('+', '%2B')}/default", {"sport": sport})
        assert status == 200, told
    status, told = await manager.post(f"/releases/{VERSION.replace('+', '%2B')}/retire", {"reason": "old"})
    assert (status, told["after"], told["counts"]["done"]) == (200, "retired", 1), told
    scene.leases.remove(worker)
    await worker.die()
    await world.connection.execute("DELETE FROM worker_instance")
    await world.connection.execute("NOTIFY omnium_fleet")
    pool = router.serving.services.fleet.pool(scene.release, worker.lane)
    await until(lambda: not pool.workers)
    return scene


async def test_boards_logs_and_tables_are_read_without_any_worker(
    router: Router, retired: Scene, operator: Desk
) -> None:
    status, board = await operator.get(f"/reads/fixture.board?fixture={retired.match}")
    assert (status, board["value"]["status"]) == (200, "COMPLETED")
    assert board["value"]["state"] == {"score": {"away": 1, "home": 2}, "status": "finished"}
    status, log = await operator.get(f"/subjects/fixture/{retired.match}/log")
    assert (status, [row["code"] for row in log["value"]["items"]]) == (
        200,
        ["football.match_start", "football.goal", "football.match_end"],
    )
    assert {row["release"] for row in log["value"]["items"]} == {VERSION}
    status, _ = await operator.get("/reads/games.medals?event=tokyo")
    assert status == 200
    status, _ = await operator.get("/reads/games.schedule_day?event=tokyo&day=2026-12-01")
    assert status == 200


async def test_the_release_its_program_and_its_pins_are_still_told(
    router: Router, retired: Scene, operator: Desk
) -> None:
    version = VERSION.replace("+", "%2B")
    status, card = await operator.get(f"/releases/{version}")
    assert (status, card["status"], card["pins"]["done"]) == (200, "retired", 1)
    status, told = await operator.get(f"/workflows/football?subject=fixture:{retired.match}")
    assert (status, told["release"]["version"]) == (200, VERSION)
    assert (await operator.get("/workflows/football"))[1]["release"]["version"] == NEXT
    assert (await operator.get("/releases/zombies"))[1]["items"] == []


async def test_a_correction_of_its_match_asks_for_a_worker_of_it_and_never_goes_to_another(
    router: Router, retired: Scene, operator: Desk
) -> None:
    status, body = await operator.command(retired.match)
    assert (status, body["reason"], body["release"]) == (503, "release_unavailable", VERSION)
    await router.serving.services.pool_requests.written()
    asked = await retired.world.connection.fetch("SELECT release_id, lane FROM pool_request")
    assert [(row["release_id"], row["lane"]) for row in asked] == [(retired.release.id, "live")]
