"""POST /releases/moves/…: who may, what is checked before a worker is asked, and which worker is asked."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from harness.postgres import Database
from harness.routers import VERSION, Desk, Router, Scene, made_router, made_scene
from harness.stand_in import StandIn, until
from omnium_proto import command_pb2
from omnium_router.identities import BULK, LIVE, ReleaseRef
from omnium_store.access import Role
from omnium_store.errors import NeedsBulk, Refused, ShuttingDown

NEXT = "0.2.0+g000000000002"
DIGEST = "d" * 64


@pytest.fixture
async def scene(database: Database) -> AsyncIterator[Scene]:
    async with made_scene(database) as made:
        yield made


@pytest.fixture
async def router(scene: Scene, tmp_path: Path) -> AsyncIterator[Router]:
    async with made_router(scene.database, tmp_path) as made:
        yield made


@pytest.fixture
async def manager(router: Router) -> Desk:
    return router.desk(Role.RELEASE_MANAGER, sub="max", name="Max")


@pytest.fixture
async def target(scene: Scene) -> ReleaseRef:
    """A second prod release, without workers."""
    made = await scene.world.release(NEXT)
    await scene.world.connection.execute("UPDATE plugin_release SET code_sha = 'next' WHERE id = $1", made)
    await scene.copy_programs(made)
    return ReleaseRef(made, NEXT, "next", scene.release.contract_sha)


async def ask(desk: Desk, fixture: uuid.UUID, **body: Any) -> tuple[int, Any]:
    return await desk.post(f"/releases/moves/{fixture}", {"to": NEXT, **body})


async def test_a_preview_and_a_move_go_to_a_worker_of_the_target_with_all_that_they_say(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    old, new = await router.ready(scene), await router.ready(scene, StandIn(target))
    status, shown = await ask(manager, scene.match, dryRun=True)
    assert (status, shown["digest"], shown["dryRun"]) == (200, DIGEST, True)
    status, done = await ask(manager, scene.match, expect=DIGEST, reason="a bug", build={"commit": "abc"})
    assert (status, done["changed"], done["to"]) == (200, True, NEXT)
    assert [one.dry_run for one in new.moves] == [True, False]
    sent = new.moves[1]
    assert (sent.fixture, sent.expect, sent.reason, dict(sent.build)) == (
        str(scene.match), DIGEST, "a bug", {"commit": "abc"},
    )  # fmt: skip
    assert (sent.sender.kind, sent.sender.sub, sent.sender.name) == (
        command_pb2.SENDER_KIND_PERSON, "max", "Max",
    )  # fmt: skip
    assert (sent.release.version, sent.release.code_sha) == (NEXT, "next")
    assert sent.request_id
    assert old.moves == []


async def test_after_a_move_commands_go_to_the_new_release_at_once(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    old, new = await router.ready(scene), await router.ready(scene, StandIn(target))
    scorer = router.desk(Role.SCORER)
    assert (await scorer.command(scene.match))[1]["release"] == VERSION
    await ask(manager, scene.match, dryRun=True)
    assert (await scorer.command(scene.match))[1]["release"] == VERSION
    await ask(manager, scene.match, expect=DIGEST)
    assert (await scorer.command(scene.match))[1]["release"] == NEXT
    assert (len(old.taken), len(new.taken)) == (2, 1)


async def test_without_a_ready_worker_one_is_asked_for_and_nothing_else_is_tried(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    old = await router.ready(scene)
    status, body, response = await manager.ask(
        "POST", f"/releases/moves/{scene.match}", json={"to": NEXT, "dryRun": True}
    )
    assert (status, body["reason"], body["release"]) == (503, "release_unavailable", NEXT)
    assert response.headers["Retry-After"] == "1"
    await router.serving.services.pool_requests.written()
    rows = await scene.world.connection.fetch("SELECT release_id, lane FROM pool_request")
    assert [tuple(row) for row in rows] == [(target.id, LIVE)]
    assert old.moves == []


async def test_a_long_log_goes_to_the_bulk_lane_but_only_where_a_live_worker_is_ready(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    live = await router.ready(scene, StandIn(target))

    async def too_long(_: object) -> None:
        raise NeedsBulk("900 events")

    live.behave_at_move = too_long
    status, body = await ask(manager, scene.match, dryRun=True)
    assert (status, body["reason"]) == (503, "release_unavailable")
    await router.serving.services.pool_requests.written()
    assert await scene.world.connection.fetchval("SELECT lane FROM pool_request") == BULK


async def test_what_can_not_be_moved_is_refused_before_a_worker_is_asked(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    worker = await router.ready(scene, StandIn(target))
    for status in ("proven", "staging", "retired"):
        await scene.world.connection.execute(
            "UPDATE plugin_release SET status = $1 WHERE id = $2", status, target.id
        )
        code, body = await ask(manager, scene.match, dryRun=True)
        assert (code, body["reason"], status in body["detail"]) == (409, "release_not_prod", True)
    answers = {
        "unknown release": await ask(manager, scene.match, to="9.9.9", dryRun=True),
        "unknown match": await ask(manager, uuid.uuid4(), dryRun=True),
        "no id": await manager.post("/releases/moves/final", {"to": NEXT, "dryRun": True}),
        "a card": await ask(manager, scene.card, dryRun=True),
        "no digest": await ask(manager, scene.match),
        "no release": await manager.post(f"/releases/moves/{scene.match}", {"dryRun": True}),
    }
    assert {name: (status, body["reason"]) for name, (status, body) in answers.items()} == {
        "unknown release": (404, "no_such_release"),
        "unknown match": (404, "no_such_fixture"),
        "no id": (400, "bad_parameter"),
        "a card": (409, "scorecard"),
        "no digest": (400, "expect_required"),
        "no release": (400, "bad_field"),
    }
    assert worker.moves == []


async def test_a_workers_no_reaches_the_caller_with_the_digest_of_now(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    worker = await router.ready(scene, StandIn(target))

    async def changed(_: object) -> None:
        raise Refused("Something else.", reason="differences_changed", metadata={"digest": "e" * 64})

    worker.behave_at_move = changed
    status, body = await ask(manager, scene.match, expect=DIGEST)
    assert (status, body["reason"], body["digest"]) == (409, "differences_changed", "e" * 64)


async def test_a_draining_worker_passes_the_move_on(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    both = [await router.ready(scene, StandIn(target)) for _ in range(2)]

    async def draining(_: object) -> None:
        raise ShuttingDown("Nothing has run.")

    both[0].behave_at_move = draining
    for _ in range(4):
        assert (await ask(manager, scene.match, dryRun=True))[0] == 200
    assert both[1].moves


async def test_a_move_that_stops_its_worker_is_tried_on_no_other(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    both = [await router.ready(scene, StandIn(target)) for _ in range(2)]

    def deadly(worker: StandIn) -> Any:
        async def die(_: object) -> None:
            asyncio.get_running_loop().create_task(worker.die())
            await asyncio.sleep(30)

        return die

    for worker in both:
        worker.behave_at_move = deadly(worker)
    status, body = await ask(manager, scene.match, expect=DIGEST)
    assert (status, "Ask again" in body["detail"]) == (503, True)
    assert sum(len(worker.moves) for worker in both) == 1


async def test_a_reply_from_other_code_than_asked_is_an_error_of_ours(
    router: Router, scene: Scene, manager: Desk, target: ReleaseRef
) -> None:
    worker = await router.ready(scene, StandIn(target))
    worker.code_sha = "other"
    status, body = await ask(manager, scene.match, dryRun=True)
    assert (status, body["reason"]) == (500, "internal")


async def test_a_token_moves_only_matches_that_it_reaches(
    router: Router, scene: Scene, target: ReleaseRef
) -> None:
    worker = await router.ready(scene, StandIn(target))
    await scene.world.event("rio")
    elsewhere = router.desk(Role.RELEASE_MANAGER, events=["rio"])
    assert (await ask(elsewhere, scene.match, dryRun=True))[1]["reason"] == "out_of_scope"
    for role in (Role.VIEWER, Role.SCORER, Role.OPERATOR):
        assert (await ask(router.desk(role), scene.match, dryRun=True))[0] == 403
    assert worker.moves == []
    here = router.desk(Role.RELEASE_MANAGER, events=["tokyo"])
    assert (await ask(here, scene.match, dryRun=True))[0] == 200
    await until(lambda: len(worker.moves) == 1)
