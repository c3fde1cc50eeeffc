"""Whether what fixtures need runs: workers are asked, not believed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from grpc_health.v1 import health_pb2

from harness.routers import VERSION, Desk, Router, Scene
from harness.stand_in import StandIn, until
from omnium_proto import command_pb2
from omnium_store.access import Role
from omnium_store.errors import DatabaseAway, NotFound, WrongRelease

HOURS = "?before=8000"  # the scene's matches are far ahead


@pytest.fixture
def manager(router: Router) -> Desk:
    return router.desk(Role.RELEASE_MANAGER)


async def checked(manager: Desk) -> dict[str, Any]:
    """The one release that the scene needs, with whether all is well."""
    status, told = await manager.get(f"/releases/check{HOURS}")
    assert status == 200
    (item,) = told["items"]
    assert (item["version"], item["well"]) == (VERSION, told["ok"])
    found: dict[str, Any] = item
    return found


async def fails_with(error: Exception) -> Any:
    async def behave(request: command_pb2.ExecuteRequest) -> None:
        del request
        raise error

    return behave


async def test_a_release_without_workers_is_not_loaded_and_its_fixtures_are_stranded(
    manager: Desk, scene: Scene
) -> None:
    item = await checked(manager)
    assert (item["well"], item["workers"], item["problems"]) == (False, 0, ["no worker of it holds a lease"])
    assert [reason.split(",")[0] for reason in item["reasons"]] == [
        "1 fixture pinned",
        "default of football for 2 fixtures",
        "default of games for 2 fixtures",
    ]
    _, told = await manager.get("/releases/zombies")
    (fixture,) = told["items"]
    assert (fixture["id"], fixture["version"], fixture["why"]) == (
        str(scene.match),
        VERSION,
        "no worker of it holds a lease",
    )


async def test_a_release_whose_worker_answers_is_well_and_strands_nobody(
    manager: Desk, router: Router, scene: Scene
) -> None:
    await router.ready(scene)
    item = await checked(manager)
    assert (item["well"], item["workers"], item["answering"], item["problems"]) == (True, 1, 1, [])
    assert (await manager.get("/releases/zombies"))[1]["items"] == []


async def test_a_worker_that_knows_no_such_fixture_has_answered_through_its_database(
    manager: Desk, router: Router, scene: Scene
) -> None:
    worker = await router.ready(scene)
    worker.behave = await fails_with(NotFound("There is no such fixture.", reason="no_such_fixture"))
    assert (await checked(manager))["well"]
    (asked,) = worker.taken
    assert (asked.code, asked.dry_run, asked.release.version) == ("omnium.check", True, VERSION)


async def test_a_worker_that_is_up_and_does_not_answer_is_not_well(
    manager: Desk, router: Router, scene: Scene
) -> None:
    """Readiness is that a command is answered, not that a process is there."""
    worker = await router.ready(scene)
    worker.behave = await fails_with(DatabaseAway("PostgreSQL does not answer."))
    item = await checked(manager)
    assert (item["well"], item["workers"], item["answering"]) == (False, 1, 0)
    assert "does not answer (database_away): PostgreSQL does not answer." in item["problems"][0]


@pytest.mark.parametrize("how", ["says so", "answers for another", "its lease"])
async def test_a_worker_of_other_code_is_never_well_even_beside_a_good_one(
    how: str, manager: Desk, router: Router, scene: Scene
) -> None:
    await router.ready(scene)
    other = StandIn(scene.release)
    if how == "its lease":
        other.release = replace(scene.release, contract_sha="other")
    await router.ready(scene, other)
    if how == "says so":
        other.behave = await fails_with(WrongRelease("0.9.9"))
    if how == "answers for another":
        other.code_sha = "other"
    item = await checked(manager)
    assert (item["well"], item["workers"], item["answering"]) == (False, 2, 1)
    assert ["is of other code than the release that it names" in one for one in item["problems"]] == [True]


async def test_a_draining_worker_is_no_problem_beside_one_that_answers(
    manager: Desk, router: Router, scene: Scene
) -> None:
    await router.ready(scene)
    leaving = await router.ready(scene)
    await scene.world.connection.execute(
        "UPDATE worker_instance SET draining = true WHERE id = $1", leaving.id
    )
    await scene.world.connection.execute("NOTIFY omnium_fleet")
    pool = router.serving.services.fleet.pool(scene.release, leaving.lane)
    await until(lambda: pool.workers[leaving.id].lease.draining)
    item = await checked(manager)
    assert (item["well"], item["workers"], item["answering"]) == (True, 2, 1)
    assert "is draining" in item["problems"][0]
    assert (await manager.get("/releases/zombies"))[1]["items"] == []


async def test_a_pool_that_is_not_serving_strands_its_fixtures(
    manager: Desk, router: Router, scene: Scene
) -> None:
    worker = await router.ready(scene)
    await worker.health.set("", health_pb2.HealthCheckResponse.NOT_SERVING)
    pool = router.serving.services.fleet.pool(scene.release, worker.lane)
    await until(lambda: not pool.workers[worker.id].is_ready)
    assert "is not serving" in (await checked(manager))["problems"][0]
    (fixture,) = (await manager.get("/releases/zombies"))[1]["items"]
    assert (fixture["code"], fixture["why"]) == ("m-1", "1 not serving")


async def test_nothing_upcoming_needs_nothing(manager: Desk) -> None:
    assert (await manager.get("/releases/check?before=0"))[1] | {"at": "", "until": ""} == {
        "ok": True, "at": "", "until": "", "undecided": [], "items": [],
    }  # fmt: skip


@pytest.mark.parametrize("asked", ["before=-1", "before=nan", "before=soon", "before=99999", "after=1"])
async def test_a_horizon_that_makes_no_sense_is_the_callers_mistake(asked: str, manager: Desk) -> None:
    status, body = await manager.get(f"/releases/check?{asked}")
    assert (status, body["reason"]) == (400, "bad_parameter")
