"""Whatever is sent to any route of the OpenAPI document, the answer is one that the document says."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import aiohttp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.postgres import Database
from harness.replay_reports import report_document
from harness.routers import VERSION, Desk, Router, Scene, made_router, made_scene
from harness.wheels import MadeRelease
from harness.world import SHA
from omnium_router.given import Problem
from omnium_router.openapi import openapi_document
from omnium_router.routes import ROUTES, Route
from omnium_store.access import Role

DOCUMENT = openapi_document()
PEOPLE = tuple(Role)
NEED_WHEELS = ("releases.wheel", "releases.diff")  # this scene's release has none
REPORT = report_document(
    MadeRelease(version=VERSION, flows=Path(), contract=Path(), code_sha=SHA, contract_sha=SHA),
    sports=("football",),
)

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@dataclass(frozen=True, slots=True)
class Stage:
    """A router with a worker, in a loop that runs while somebody asks."""

    runner: asyncio.Runner
    router: Router
    scene: Scene

    def ask(
        self, desk: Desk, method: str, path: str, **options: Any
    ) -> tuple[int, Any, aiohttp.ClientResponse]:
        return self.runner.run(desk.ask(method, path, **options))


@pytest.fixture
def stage(database: Database, tmp_path: Path) -> Iterator[Stage]:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def begin() -> Stage:
            scene = await stack.enter_async_context(made_scene(database))
            router = await stack.enter_async_context(made_router(database, tmp_path))
            await router.ready(scene)
            return Stage(runner, router, scene)

        try:
            yield runner.run(begin())
        finally:
            runner.run(stack.aclose())


def good_parts(scene: Scene) -> dict[str, list[str]]:
    """Path parts that mean something, so that more than the first check is reached."""
    return {
        "workflow": ["football", "results", "games"],
        "kind": ["fixture", "event"],
        "ref": [str(scene.match), str(scene.card), "tokyo"],
        "name": ["fixture.board", "games.schedule_day", "games.medals"],
        "code": ["tokyo"],
        "version": [scene.release.version],
        "fixture": [str(scene.match), str(scene.card)],
        "jti": ["a" * 32],
        "report": ["1"],
        "wheel": ["flows", "contract"],
    }


#: Bodies that are nearly right; what is drawn spoils them.
GOOD_BODIES: dict[str, list[dict[str, Any]]] = {
    "commands.send": [
        {"code": "football.goal", "input": {"minute": 3}, "key": "k"},
        {"code": "results.edit_side", "input": {}, "key": "k", "dryRun": True, "confirm": ["x"]},
        {"code": "games.add_unit", "input": {}, "key": "k", "occurredAt": "2026-12-01T10:00:00Z"},
    ],
    "events.create": [{"code": "rio", "name": "Rio", "timezone": "UTC"}],
    "releases.default": [{"sport": "football", "from": "2099-01-01T00:00:00Z", "dryRun": True}],
    "releases.retire": [{"reason": "old", "dryRun": True}],
    "releases.move": [
        {"to": VERSION, "dryRun": True},
        {"to": VERSION, "expect": "0" * 64, "reason": "bug"},
    ],
    "releases.report": [{"report": REPORT, "dryRun": True}, {"report": {**REPORT, "old": None}}],
    "releases.approve": [{"dryRun": True}, {"build": {"commit": "abc"}}],
    "tokens.create": [
        {"sub": "bob", "roles": ["viewer"]},
        {"sub": "f", "kind": "integration", "source": "s"},
    ],
}


def good_bodies(route: Route) -> list[dict[str, Any]]:
    return GOOD_BODIES.get(route.row, [{"release": "1.0"}])


@st.composite
def requests(draw: st.DrawFn, route: Route, scene: Scene) -> tuple[str, bytes | None]:
    """A path with its query, and a body: sometimes right, mostly a bit wrong, sometimes noise."""
    parts = {
        name: quote(draw(st.sampled_from(good) | st.text(min_size=1, max_size=12)), safe="")
        for name, good in good_parts(scene).items()
    }
    path = route.path.format(**parts)
    names = list(route.query.model_json_schema().get("properties", {})) or [
        "fixture",
        "event",
        "day",
        "after",
    ]
    some_values = st.sampled_from([str(scene.match), "tokyo", "2026-12-01", "0", "-1", "football"]) | st.text(
        max_size=8
    )
    query = draw(
        st.dictionaries(st.sampled_from(names) | st.text(min_size=1, max_size=6), some_values, max_size=3)
    )
    if query:
        path += "?" + urlencode(query, errors="surrogatepass")
    return path, draw(bodies(route)) if route.method == "POST" else None


def bodies(route: Route) -> st.SearchStrategy[bytes]:
    nearly = st.builds(
        lambda good, name, value, drop: json.dumps(
            {key: one for key, one in {**good, name: value}.items() if key != drop}
        ).encode(),
        st.sampled_from(good_bodies(route)),
        st.sampled_from(
            ["code", "key", "input", "dryRun", "confirm", "occurredAt", "from", "sub", "roles", "name"]
        )
        | st.text(max_size=6),
        json_values,
        st.sampled_from(["", "code", "key", "input"]),
    )
    right = st.sampled_from(good_bodies(route)).map(lambda good: json.dumps(good).encode())
    cut = right.flatmap(lambda whole: st.integers(0, len(whole)).map(lambda at: whole[:at]))
    return st.one_of(
        right, nearly, cut, st.binary(max_size=40), json_values.map(lambda v: json.dumps(v).encode())
    )


def check(route: Route, status: int, body: Any, response: aiohttp.ClientResponse) -> None:
    """The answer is one that the document says, in its status, its kind and its shape."""
    said = DOCUMENT["paths"][route.path][route.method.lower()]["responses"]
    assert str(status) in said, (status, body)
    assert status != 500, body
    assert response.headers["X-Request-Id"]
    if status in (204, 304):
        assert not body
        return
    (media,) = said[str(status)]["content"]
    assert response.content_type == media
    if status >= 400:
        assert Problem.model_validate(body).status == status
        assert body["type"] == f"urn:omnium:problem:{body['reason']}"
    elif route.answer is not None and route.row != "commands.send":  # a stand-in's answer is short
        route.answer.model_validate(body)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.row)
def test_no_request_gets_an_answer_that_the_document_does_not_say(stage: Stage, route: Route) -> None:
    desks = [stage.router.desk(*PEOPLE), stage.router.importer(), stage.router.stranger()]

    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(requests(route, stage.scene), st.sampled_from([0, 0, 0, 1, 2]))
    def every(request: tuple[str, bytes | None], who: int) -> None:
        path, content = request
        data = None if content is None else io.BytesIO(content)
        status, body, response = stage.ask(desks[who], route.method, path, data=data)
        if body and isinstance(body, dict) and body.get("reason") in ("no_such_route", "method_not_allowed"):
            return  # what was drawn for the path made another one of it
        if status not in (404, 405) or "problem" in response.content_type:
            matched = next((r for r in ROUTES if r.row == route.row), route)
            check(matched, status, body, response)

    every()


def test_good_requests_are_answered_well_on_every_read(stage: Stage) -> None:
    desk = stage.router.desk(*PEOPLE)
    parts = {name: good[0] for name, good in good_parts(stage.scene).items()}
    asked = {
        "reads.read": f"?fixture={stage.scene.match}",
        "releases.explain": "?sport=football",
        "workflows.describe": f"?subject=fixture:{stage.scene.match}",
    }
    for route in ROUTES:
        if route.method == "GET" and route.row not in NEED_WHEELS:
            path = route.path.format(**parts) + asked.get(route.row, "")
            status, body, response = stage.ask(desk, "GET", path)
            assert status == 200, (path, body)
            check(route, status, body, response)


def test_the_document_is_one_that_tools_can_read(stage: Stage) -> None:
    _, document, _ = stage.ask(stage.router.stranger(), "GET", "/openapi.json")
    assert document == DOCUMENT
    assert document["openapi"] == "3.1.0"
    text = json.dumps(document)
    for name in document["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in text, f"{name} is never used"
    operations = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert sorted(operations) == sorted(route.row for route in ROUTES)
