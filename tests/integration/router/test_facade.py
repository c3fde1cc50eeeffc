"""The HTTP facade on a real database: commands, describe, reads, events, problems."""

from __future__ import annotations

import asyncio
import io
import json
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp

from harness.routers import Desk, Router, Scene, made_router
from harness.stand_in import StandIn, until
from omnium_proto import command_pb2
from omnium_store.access import Role
from omnium_store.errors import WrongRelease


async def test_a_command_reaches_the_pinned_release_with_who_sends_it_and_comes_back_untouched(
    scene: Scene, router: Router
) -> None:
    worker = await router.ready(scene)
    desk = router.desk(Role.SCORER, name="Ada L.")

    status, answer, response = await desk.ask(
        "POST",
        f"/workflows/football/subjects/fixture/{scene.match}/commands?event=tokyo",
        data=b'{"code":"football.goal","input":{"b": 1.0,  "a":[10000000000000000000001]},"key":"k1",'
        b'"confirm":["late"],"occurredAt":"2026-12-01T10:00:00+09:00"}',
        headers={"X-Request-Id": "tap-7", "Content-Type": "application/json"},
    )

    assert status == 200
    assert answer == {"accepted": True, "key": "k1", "release": scene.release.version}
    assert response.headers["X-Request-Id"] == "tap-7"
    (request,) = worker.taken
    assert request.input == b'{"b": 1.0,  "a":[10000000000000000000001]}'
    assert (request.workflow, request.code, request.key, request.event) == (
        "football",
        "football.goal",
        "k1",
        "tokyo",
    )
    assert (request.subject.kind, request.subject.ref) == ("fixture", str(scene.match))
    assert (request.sender.kind, request.sender.sub, request.sender.name) == (
        command_pb2.SENDER_KIND_PERSON,
        "ada",
        "Ada L.",
    )
    assert list(request.confirm) == ["late"]
    assert request.occurred_at == "2026-12-01T10:00:00+09:00"
    assert request.request_id == "tap-7"
    assert request.release.code_sha == scene.release.code_sha


async def test_results_take_the_default_of_the_fixtures_competition_and_games_that_of_games(
    scene: Scene, router: Router, operator: Desk
) -> None:
    other = await scene.world.release("9.0.0")
    await scene.copy_programs(other)
    sport = await scene.world.sport("football")
    await scene.world.default(other, sport=sport, competition=scene.competition)
    services = router.serving.services
    nine = StandIn(await services.pins.release("9.0.0"))
    await router.ready(scene, nine)
    worker = await router.ready(scene)

    assert (await operator.command(scene.match, "results.edit_side"))[1]["release"] == "9.0.0"
    assert (await operator.command(scene.match))[1]["release"] == scene.release.version
    status, answer = await operator.post(
        "/workflows/games/subjects/event/tokyo/commands", {"code": "games.add_unit", "input": {}, "key": "k"}
    )
    assert (status, answer["release"]) == (200, scene.release.version)
    assert (worker.taken[-1].subject.kind, worker.taken[-1].subject.ref) == ("event", "tokyo")


async def test_without_a_worker_the_answer_is_503_that_names_the_release_and_asks_for_one(
    scene: Scene, router: Router, operator: Desk
) -> None:
    status, body, response = await operator.ask(
        "POST",
        f"/workflows/football/subjects/fixture/{scene.match}/commands",
        json={"code": "football.goal", "input": {}, "key": "k"},
    )

    assert status == 503
    assert response.content_type == "application/problem+json"
    assert response.headers["Retry-After"] == "1"
    assert body["type"] == "urn:omnium:problem:release_unavailable"
    assert (body["reason"], body["release"]) == ("release_unavailable", scene.release.version)
    await router.serving.services.pool_requests.written()
    asked = await scene.world.connection.fetchval(
        "SELECT reason FROM pool_request WHERE release_id = $1", scene.release.id
    )
    assert asked == "no_worker_ready"


async def test_what_is_wrong_with_a_command_is_said_with_its_reason(
    scene: Scene, router: Router, operator: Desk
) -> None:
    await router.ready(scene)
    path = f"/workflows/football/subjects/fixture/{scene.match}/commands"
    good = {"code": "football.goal", "input": {}, "key": "k"}

    async def reason(sent: Any, at: str = path, **options: Any) -> tuple[int, str]:
        options = options or {"json": sent}
        status, body, _ = await operator.ask("POST", at, **options)
        return status, body["reason"]

    assert await reason({**good, "key": None}) == (400, "key_required")
    assert await reason({**good, "kye": "k"}) == (400, "bad_field")
    assert await reason({**good, "dryRun": "yes"}) == (400, "bad_field")
    assert await reason({**good, "code": ""}) == (400, "bad_field")
    assert await reason({**good, "occurredAt": "2026-12-01T10:00:00"}) == (400, "bad_field")
    assert await reason([good]) == (400, "bad_json")
    assert await reason(None, data=b'{"code": "football.goal", "input": {"a":') == (400, "bad_json")
    assert await reason(good, f"{path}?evnt=tokyo") == (400, "bad_parameter")
    assert await reason(good, f"{path}?event=rio") == (404, "no_such_fixture")
    assert await reason(good, path.replace(str(scene.match), str(uuid.uuid4()))) == (404, "no_such_fixture")
    assert await reason(good, path.replace(str(scene.match), "m-1")) == (400, "bad_parameter")
    assert await reason(good, path.replace("/fixture/", "/team/")) == (400, "bad_parameter")
    assert await reason(good, path.replace("football", "cricket")) == (404, "no_such_workflow")
    assert await reason(good, "/workflows/games/subjects/event/rio/commands") == (404, "no_such_event")
    assert await reason(good, f"/workflows/games/subjects/fixture/{scene.match}/commands") == (
        400,
        "wrong_subject",
    )
    assert await reason(None, data=io.BytesIO(b'{"input":"' + b"x" * 1_100_000 + b'"}')) == (413, "too_large")


async def test_bad_json_is_answered_with_its_position(scene: Scene, operator: Desk) -> None:
    status, body, _ = await operator.ask(
        "POST",
        f"/workflows/football/subjects/fixture/{scene.match}/commands",
        data=b'{"code": "x",\n "input": {,}}',
    )
    assert status == 400
    assert (body["line"], body["column"], body["offset"]) == ("2", "12", "25")


async def test_a_dry_run_needs_no_key(scene: Scene, router: Router, operator: Desk) -> None:
    worker = await router.ready(scene)
    status, _ = await operator.command(scene.match, key=None, dryRun=True)
    assert status == 200
    assert worker.taken[0].dry_run
    assert worker.taken[0].key.startswith("dry-run:")


async def test_only_an_integration_may_send_a_large_body(scene: Scene, router: Router) -> None:
    worker = await router.ready(scene)
    rows_sent = [{"row": number, "name": "x" * 80} for number in range(30_000)]

    status, answer = await router.importer().command(
        scene.match, "results.import_results", input={"rows": rows_sent}
    )

    assert (status, answer["accepted"]) == (200, True)
    assert json.loads(worker.taken[0].input) == {"rows": rows_sent}
    assert worker.taken[0].sender.source == "odf"


async def test_a_moved_fixture_is_found_by_what_the_worker_says(
    scene: Scene, router: Router, operator: Desk
) -> None:
    await router.ready(scene)
    await operator.command(scene.match)
    moved = await scene.world.release("9.0.0")
    await scene.copy_programs(moved)
    await scene.world.connection.execute(
        "UPDATE fixture SET release_id = $1 WHERE id = $2", moved, scene.match
    )
    nine = StandIn(await router.serving.services.pins.release("9.0.0"))
    await router.ready(scene, nine)

    async def not_mine(request: command_pb2.ExecuteRequest) -> None:
        raise WrongRelease("9.0.0")

    scene.leases[0].behave = not_mine
    assert (await operator.command(scene.match))[1]["release"] == "9.0.0"
    assert (await operator.command(scene.match))[1]["release"] == "9.0.0"
    assert len(scene.leases[0].taken) == 2  # once before the move, once to hear of it


async def test_a_client_that_goes_away_takes_its_command_back(
    scene: Scene, router: Router, operator: Desk
) -> None:
    worker = await router.ready(scene)
    worker.behave = lambda request: asyncio.sleep(60)
    sent = asyncio.create_task(operator.command(scene.match))
    await until(lambda: worker.at_once == 1)
    sent.cancel()
    await until(lambda: bool(worker.cancelled))


async def test_describe_gives_a_workflow_and_for_a_fixture_what_it_offers_now(
    scene: Scene, router: Router, operator: Desk
) -> None:
    status, listed = await operator.get("/workflows")
    assert status == 200
    assert [one["code"] for one in listed["items"]] == ["football", "games", "results"]
    assert {one["release"]["version"] for one in listed["items"]} == {scene.release.version}

    _, whole = await operator.get("/workflows/football")
    assert [one["code"] for one in whole["program"]["commands"]] == ["football.goal", "football.relay"]
    assert whole["subject"] is None

    _, offered = await operator.get(f"/workflows/football?subject=fixture:{scene.match}")
    assert [one["code"] for one in offered["program"]["commands"]] == ["football.goal"]
    assert offered["release"]["codeSha"] == scene.release.code_sha
    assert offered["subject"]["scoringMode"] == "events"
    assert [side["name"] for side in offered["subject"]["sides"]] == ["United", "City"]

    _, by_card = await operator.get(f"/workflows/football?subject=fixture:{scene.card}")
    assert by_card["program"]["commands"] == []
    _, results = await operator.get(f"/workflows/results?subject=fixture:{scene.card}")
    assert [one["code"] for one in results["program"]["commands"]] == ["results.edit_side"]
    _, games = await operator.get("/workflows/games?subject=event:tokyo")
    assert [one["code"] for one in games["program"]["commands"]] == ["games.add_unit"]

    assert (await operator.get("/workflows/chess"))[0] == 404
    assert (await operator.get("/workflows/football?release=0.0.9"))[0] == 404
    assert (await operator.get("/workflows/football?subject=team:1"))[1]["reason"] == "bad_parameter"


async def test_a_read_has_an_etag_and_304_while_nothing_has_changed(
    scene: Scene, router: Router, operator: Desk
) -> None:
    path = f"/reads/fixture.board?fixture={scene.match}"
    status, body, response = await operator.ask("GET", path)
    assert status == 200
    assert set(body) == {"at", "h", "version", "value"}
    tag = response.headers["ETag"]

    assert (await operator.ask("GET", path, headers={"If-None-Match": f'"other", {tag}'}))[0] == 304
    await scene.world.board(scene.match, b'{"goals":{"a":1}}')
    status, changed, _ = await operator.ask("GET", path, headers={"If-None-Match": tag})
    assert status == 200
    assert changed["at"] > body["at"]
    assert changed["value"] != body["value"]


async def test_reads_are_listed_and_a_wrong_one_is_said_to_be_wrong(scene: Scene, operator: Desk) -> None:
    _, listed = await operator.get("/reads")
    assert "fixture.board" in {one["name"] for one in listed["items"]}
    assert (await operator.get("/reads/fixture.bord"))[1]["reason"] == "no_such_read"
    assert (await operator.get("/reads/fixture.board"))[1]["reason"] == "bad_parameter"
    assert (await operator.get("/reads/games.medals?event=rio"))[1]["reason"] == "no_such_event"
    assert (await operator.get("/reads/games.medals?event=tokyo"))[0] == 200


async def test_the_log_comes_in_pages(scene: Scene, operator: Desk) -> None:
    for seq in range(1, 6):
        await scene.world.log_row(scene.match, seq, "football.goal", {"minute": seq})

    _, first = await operator.get(f"/subjects/fixture/{scene.match}/log?limit=2")
    _, rest = await operator.get(f"/subjects/fixture/{scene.match}/log?after=2&limit=100")
    assert [row["seq"] for row in first["value"]["items"]] == [1, 2]
    assert [row["seq"] for row in rest["value"]["items"]] == [3, 4, 5]
    assert (await operator.get(f"/subjects/fixture/{scene.match}/log?limit=0"))[1][
        "reason"
    ] == "bad_parameter"


async def test_an_event_is_made_once_and_the_same_again_is_no_mistake(operator: Desk) -> None:
    rio = {"code": "rio", "name": "Rio", "timezone": "America/Sao_Paulo"}
    status, made = await operator.post("/events", rio)
    assert status == 201
    assert {name: made[name] for name in rio} == rio

    assert (await operator.post("/events", rio))[0] == 200
    status, body = await operator.post("/events", {**rio, "name": "Another"})
    assert (status, body["reason"]) == (409, "event_exists")
    status, body = await operator.post("/events", {**rio, "code": "x", "timezone": "America/Rio"})
    assert (status, body["reason"]) == (400, "bad_field")

    assert {one["code"] for one in (await operator.get("/events"))[1]["items"]} == {"rio", "tokyo"}
    _, tokyo = await operator.get("/events/tokyo")
    assert tokyo["competitions"] == [{"code": "men", "name": "Men", "parent": "tokyo", "sport": "football"}]
    assert (await operator.get("/events/paris"))[1]["reason"] == "no_such_event"


async def test_every_answer_has_a_request_id_the_senders_own_where_it_can_stand_in_a_log(
    operator: Desk,
) -> None:
    for path in ("/workflows", "/nowhere", "/events/paris"):
        _, _, response = await operator.ask("GET", path)
        assert len(response.headers["X-Request-Id"]) == 32
    _, body, response = await operator.ask("GET", "/nowhere", headers={"X-Request-Id": "mine-1"})
    assert response.headers["X-Request-Id"] == body["requestId"] == "mine-1"
    _, _, response = await operator.ask("GET", "/nowhere", headers={"X-Request-Id": 'a" injected'})
    assert len(response.headers["X-Request-Id"]) == 32


async def test_what_no_route_takes_is_a_problem_too(operator: Desk) -> None:
    status, body, response = await operator.ask("GET", "/nowhere")
    assert (status, body["reason"], response.content_type) == (
        404,
        "no_such_route",
        "application/problem+json",
    )
    status, body, response = await operator.ask("DELETE", "/events")
    assert (status, body["reason"]) == (405, "method_not_allowed")
    assert response.headers["Allow"] == "GET,POST"


async def test_health_metrics_and_docs_need_no_token(scene: Scene, router: Router) -> None:
    stranger = router.stranger()
    assert await stranger.get("/healthz") == (200, {"ok": True})
    await until(lambda: router.serving.services.leases.loaded)
    assert await stranger.get("/readyz") == (200, {"ok": True, "databaseAway": False})
    _, text = await stranger.get("/metrics")
    assert b"omnium_router_requests_total" in text
    status, page, response = await stranger.ask("GET", "/docs")
    assert status == 200
    assert "default-src 'none'" in response.headers["Content-Security-Policy"]
    assert b"http://" not in page
    assert b"https://" not in page


async def test_a_router_that_drains_says_so(router: Router) -> None:
    router.serving.services.standing.draining = True
    status, body = await router.stranger().get("/readyz")
    assert (status, body["reason"]) == (503, "shutting_down")
    assert (await router.stranger().get("/healthz"))[0] == 200


async def test_a_router_starts_before_its_database_and_says_what_is_missing(
    tmp_path: Path, scene: Scene
) -> None:
    nowhere = replace(scene.database, dsn="postgresql://omnium@127.0.0.1:1/none")
    async with made_router(nowhere, tmp_path) as router:
        desk = router.desk(Role.OPERATOR)
        status, body = await desk.command(scene.match)
        assert (status, body["reason"]) == (503, "database_away")
        assert (await desk.get("/readyz"))[0] == 503
        assert (await desk.get("/healthz"))[0] == 200


async def test_a_slow_body_is_not_waited_for(scene: Scene, tmp_path: Path, router: Router) -> None:
    async def drip() -> Any:
        yield b'{"code":'
        await asyncio.sleep(30)
        yield b'"x"}'

    object.__setattr__(router.serving.services.settings, "router_body_timeout_ms", 200)
    desk = router.desk(Role.OPERATOR)
    try:
        status, body, _ = await desk.ask("POST", "/events", data=drip())
    except aiohttp.ClientError:
        return  # the router answered and closed before the client had read it
    assert (status, body["reason"]) == (503, "slow_body")


async def test_headers_and_requests_at_once_are_bounded(scene: Scene, tmp_path: Path) -> None:
    async with made_router(
        scene.database, tmp_path, router_concurrency=2, router_header_limit=2_000
    ) as router:
        worker = await router.ready(scene)
        worker.behave = lambda request: asyncio.sleep(60)
        desk = router.desk(Role.SCORER)
        held = [asyncio.create_task(desk.command(scene.match)) for _ in range(2)]
        await until(lambda: worker.at_once == 2)
        status, body = await desk.get("/events")
        assert (status, body["reason"]) == (503, "overloaded")
        for task in held:
            task.cancel()
        await until(lambda: len(worker.cancelled) == 2)
        assert (await desk.get("/events"))[0] == 200
        assert (await desk.ask("GET", "/events", headers={"X-Long": "x" * 4_000}))[0] == 400


async def test_rows_of_workers_that_were_killed_are_cleared_away(scene: Scene, tmp_path: Path) -> None:
    rows = scene.world.connection
    await scene.add_worker()
    killed = await scene.add_worker()
    await rows.execute(
        "UPDATE worker_instance SET heartbeat_at = now() - interval '11 minutes' WHERE id = $1", killed.id
    )
    async with made_router(scene.database, tmp_path) as router:
        await until(lambda: router.serving.services.leases.loaded)
    assert await rows.fetchval("SELECT array_agg(id) FROM worker_instance") == [scene.leases[0].id]
