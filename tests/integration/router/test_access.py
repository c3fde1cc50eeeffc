"""Every route for every role, and what tokens reach."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from harness.routers import Desk, Router, Scene, made_router
from omnium_router.access import TABLE, Grant, grants
from omnium_router.routes import ROUTES
from omnium_store.access import Kind, Role
from omnium_store.tokens import Caller

CALLERS = [Grant.ANYONE, *(Grant(role) for role in Role), Grant.INTEGRATION]
VALUES = {
    "workflow": "football",
    "kind": "fixture",
    "name": "games.medals",
    "code": "tokyo",
    "version": "1",
    "jti": "1",
    "report": "1",
    "wheel": "flows",
    "fixture": "00000000-0000-4000-8000-000000000000",
}
COMMANDS = {
    "commands.fold": "football.goal",
    "commands.apply": "results.edit_side",
    "commands.import": "results.import_results",
}


def desk_of(router: Router, grant: Grant) -> Desk:
    """A caller with this grant alone."""
    match grant:
        case Grant.ANYONE:
            return router.stranger()
        case Grant.INTEGRATION:
            return router.importer()
        case _:
            return router.desk(Role(grant.value))


def test_every_route_has_its_row_and_every_row_is_asked_for() -> None:
    rows = [route.row for route in ROUTES]
    assert len(rows) == len(set(rows))
    assert set(TABLE) == {*rows, *COMMANDS, "reads.staff"}


@pytest.mark.parametrize("grant", CALLERS)
async def test_each_route_and_sort_of_command_is_open_to_exactly_the_roles_of_its_row(
    router: Router, scene: Scene, grant: Grant
) -> None:
    await router.ready(scene)
    desk = desk_of(router, grant)
    found = {}
    for route in ROUTES:
        path = route.path.format(ref=scene.match, **VALUES)
        status, body, _ = await desk.ask(route.method, path, data=b"" if route.body else None)
        found[route.row] = sort_of(status, body)
    for row, code in COMMANDS.items():
        found[row] = sort_of(*await desk.command(scene.match, code))
    found["reads.staff"] = sort_of(*await desk.get(f"/reads/fixture.log?fixture={scene.match}"))

    assert found == {row: expected(row, grant) for row in TABLE}


def sort_of(status: int, body: Any) -> str:
    """Whether the router took the caller in."""
    return body["reason"] if status in (401, 403) else "open"


def expected(row: str, grant: Grant) -> str:
    """What the table says."""
    if Grant.ANYONE in TABLE[row] or grant in TABLE[row]:
        return "open"
    return "unauthenticated" if grant is Grant.ANYONE else "forbidden"


async def test_an_integration_may_send_no_command_of_people_not_even_one_that_is_not_there(
    router: Router, scene: Scene
) -> None:
    for code in ("football.goal", "football.nothing", "results.edit_side"):
        status, body = await router.importer().command(scene.match, code)
        assert (status, body["reason"]) == (403, "forbidden")


async def test_a_token_with_claims_reaches_what_they_name_and_nothing_else(
    router: Router, scene: Scene
) -> None:
    await router.ready(scene)
    sport = await scene.world.sport("football")
    rio = await scene.world.event("rio")
    final = await scene.world.fixture("f-1", competition=rio, sport=sport, release=scene.release.id)
    of_event = router.desk(Role.SCORER, events=["tokyo"])
    of_match = router.desk(Role.SCORER, fixtures=[str(scene.match)])
    everywhere = router.desk(Role.SCORER)

    async def statuses(desk: Desk, fixture: uuid.UUID) -> set[int]:
        return {
            (await desk.command(fixture))[0],
            (await desk.get(f"/reads/fixture.board?fixture={fixture}"))[0],
            (await desk.get(f"/subjects/fixture/{fixture}/log"))[0],
            (await desk.get(f"/workflows/football?subject=fixture:{fixture}"))[0],
        }

    assert await statuses(everywhere, scene.match) == await statuses(everywhere, final) == {200}
    assert await statuses(of_event, scene.match) == {200}
    assert await statuses(of_event, final) == {403}
    assert await statuses(of_match, scene.match) == {200}
    assert await statuses(of_match, scene.card) == {403}
    assert await statuses(
        router.desk(Role.SCORER, events=["rio"], fixtures=[str(scene.match)]), scene.match
    ) == {200}


async def test_events_are_listed_and_made_within_the_tokens_reach(router: Router, scene: Scene) -> None:
    await scene.world.event("rio")
    paris = {"code": "paris", "name": "Paris", "timezone": "Europe/Paris"}
    of_event = router.desk(Role.OPERATOR, events=["tokyo"])
    of_match = router.desk(Role.OPERATOR, fixtures=[str(scene.match)])

    for desk in (of_event, of_match):
        assert [one["code"] for one in (await desk.get("/events"))[1]["items"]] == ["tokyo"]
        assert (await desk.get("/events/tokyo"))[0] == 200
        assert (await desk.get("/events/rio"))[1]["reason"] == "out_of_scope"
        assert (await desk.post("/events", paris))[1]["reason"] == "out_of_scope"
    assert (await of_event.get("/reads/games.medals?event=tokyo"))[0] == 200
    assert (await of_event.get("/reads/games.medals?event=rio"))[0] == 403
    assert (await of_match.get("/reads/games.medals?event=tokyo"))[0] == 403


async def test_an_admins_claims_do_not_narrow(router: Router, scene: Scene) -> None:
    admin = router.desk(Role.ADMIN, events=["rio"])
    assert (await admin.get(f"/reads/fixture.board?fixture={scene.match}"))[0] == 200


async def test_a_token_that_is_wrong_old_or_taken_back_is_refused(router: Router, scene: Scene) -> None:
    async def reason(token: str) -> str:
        status, body, response = await router.stranger(token).ask("GET", "/events")
        assert status == 401
        assert response.headers["WWW-Authenticate"].startswith("Bearer")
        said: str = body["reason"]
        return said

    good = router.token(Role.VIEWER)
    head, payload, signature = good.split(".")
    assert await reason("nonsense") == "token_invalid"
    assert await reason(f"{head}.{payload}.{'A' * len(signature)}") == "token_invalid"
    assert await reason("x" * 10_000) in ("token_invalid", "unauthenticated")
    assert await reason(router.token(Role.VIEWER, hours=-1)) == "token_expired"

    admin = router.desk(Role.ADMIN)
    status, made = await admin.post("/tokens", {"sub": "bob", "roles": ["viewer"], "events": ["tokyo"]})
    assert status == 201
    bob = router.stranger(made["token"])
    assert (await bob.get("/events"))[0] == 200
    assert [one["sub"] for one in (await admin.get("/tokens"))[1]["items"]] == ["bob"]
    assert (await admin.ask("DELETE", f"/tokens/{made['jti']}"))[0] == 204
    assert await reason(made["token"]) == "token_revoked"
    assert (await admin.ask("DELETE", "/tokens/unknown"))[1]["reason"] == "no_such_token"


async def test_a_token_that_makes_no_sense_is_not_made(router: Router) -> None:
    admin = router.desk(Role.ADMIN)
    assert (await admin.post("/tokens", {"sub": "feed", "kind": "integration"}))[1]["reason"] == "bad_token"
    assert (await admin.post("/tokens", {"sub": "ada", "source": "odf"}))[1]["reason"] == "bad_token"
    assert (await admin.post("/tokens", {"sub": "ada", "roles": ["king"]}))[1]["reason"] == "bad_field"
    status, made = await admin.post("/tokens", {"sub": "feed", "kind": "integration", "source": "odf"})
    assert (status, made["source"]) == (201, "odf")


async def test_a_token_may_send_only_so_many_requests(scene: Scene, tmp_path: Path) -> None:
    async with made_router(
        scene.database, tmp_path, router_rate_per_token=0.001, router_burst_per_token=3
    ) as router:
        desk = router.desk(Role.VIEWER)
        assert [(await desk.get("/events"))[0] for _ in range(5)] == [200, 200, 200, 429, 429]
        assert (await router.desk(Role.VIEWER).get("/events"))[0] == 200


def test_an_integration_of_a_provider_may_carry_roles_and_gets_none_of_them() -> None:
    odd = Caller(
        sub="x", name="x", kind=Kind.INTEGRATION, roles=frozenset({Role.ADMIN}), source="odf",
        jti="1", exp=2**31,
    )  # fmt: skip
    assert grants(odd) == {Grant.INTEGRATION}
