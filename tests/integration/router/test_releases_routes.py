"""The routes of releases: registering, defaults, pins, retiring, as the command line uses them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from harness.postgres import Database
from harness.replay_reports import report_document
from harness.routers import Desk, made_router
from harness.wheels import MadeRelease, make_release
from omnium_store.access import Role


@pytest.fixture
async def manager(database: Database, tmp_path: Path) -> AsyncIterator[Desk]:
    async with made_router(database, tmp_path) as router:
        yield router.desk(Role.RELEASE_MANAGER, Role.OPERATOR, sub="max", name="Max")


def form_of(release: MadeRelease, **parts: str) -> aiohttp.FormData:
    form = aiohttp.FormData()
    for name, wheel in (("flows", release.flows), ("contract", release.contract)):
        form.add_field(name, wheel.read_bytes(), filename=wheel.name)
    for name, text in parts.items():
        form.add_field(name, text)
    return form


async def test_a_release_goes_from_two_wheels_to_default_to_retired(manager: Desk, tmp_path: Path) -> None:
    made = make_release(tmp_path / "wheels")
    status, done, _ = await manager.ask(
        "POST", "/releases", data=form_of(made, env="prod", build='{"commit": "abc"}')
    )
    assert (status, done["version"], done["status"], done["codeSha"]) == (
        201,
        made.version,
        "prod",
        made.code_sha,
    )
    status, again, _ = await manager.ask("POST", "/releases", data=form_of(made, env="prod"))
    assert (status, again["changed"]) == (200, False)

    _, listed = await manager.get("/releases")
    assert [one["version"] for one in listed["items"]] == [made.version]
    _, card = await manager.get(f"/releases/{made.version}")
    assert card["registeredBy"] == "Max"
    assert (await manager.get(f"/releases/{made.version}/pins"))[1]["counts"]["live"] == 0

    status, planned = await manager.post(
        f"/releases/{made.version}/default", {"sport": "tally", "dryRun": True}
    )
    assert (status, planned["dryRun"], planned["items"][0]["before"]) == (200, True, None)
    assert (await manager.get("/releases/defaults?sport=tally"))[1]["version"] is None
    status, done = await manager.post(f"/releases/{made.version}/default", {"sport": "tally"})
    assert (status, done["items"][0]["after"]) == (200, made.version)
    assert (await manager.get("/releases/defaults?sport=tally"))[1]["version"] == made.version

    status, body = await manager.post(f"/releases/{made.version}/retire", {"reason": "old"})
    assert (status, body["reason"]) == (409, "is_default")
    _, entries = await manager.get("/releases/audit")
    assert {one["verb"] for one in entries["items"]} == {"register", "default"}
    assert next(one for one in entries["items"] if one["verb"] == "register")["build"] == {"commit": "abc"}
    assert (await manager.get("/workflows/tally"))[1]["release"]["version"] == made.version


async def test_programs_are_published_again_from_the_stored_wheels(manager: Desk, tmp_path: Path) -> None:
    made = make_release(tmp_path / "wheels")
    await manager.ask("POST", "/releases", data=form_of(made, env="prod"))
    status, done = await manager.post("/workflows/install", {"release": made.version})
    assert (status, done["unchanged"]) == (200, ["tally"])
    status, body = await manager.post("/workflows/install", {"release": "0.0.9"})
    assert (status, body["reason"]) == (404, "no_such_release")


async def test_what_is_wrong_with_a_form_is_said(manager: Desk, tmp_path: Path) -> None:
    made = make_release(tmp_path / "wheels")

    async def reason(form: aiohttp.FormData) -> tuple[int, str]:
        status, body, _ = await manager.ask("POST", "/releases", data=form)
        return status, body["reason"]

    lacking = aiohttp.FormData({"env": "prod"})
    lacking.add_field("flows", made.flows.read_bytes(), filename=made.flows.name)
    twice = form_of(made)
    twice.add_field("contract", b"x", filename="x.whl")
    assert await reason(lacking) == (400, "bad_form")
    assert await reason(twice) == (400, "bad_form")
    assert await reason(form_of(made, sport="tally")) == (400, "bad_form")
    assert await reason(form_of(made, env="heaven")) == (400, "bad_parameter")
    assert await reason(form_of(made, build="[1]")) == (400, "bad_field")
    empty = aiohttp.FormData()
    empty.add_field("flows", b"no wheel", filename="omnium_flows-1.0-py3-none-any.whl")
    empty.add_field("contract", b"no wheel", filename="omnium_contract-1.0-py3-none-any.whl")
    status, _ = await reason(empty)
    assert status == 409
    status, body = await manager.post("/releases", {"flows": "x"})
    assert (status, body["reason"]) == (400, "bad_form")
    status, body, _ = await manager.ask(
        "POST",
        "/releases",
        data=b"--x\r\nnonsense",
        headers={"Content-Type": "multipart/form-data; boundary=x"},
    )
    assert (status, body["reason"]) == (400, "bad_form")
    status, body, _ = await manager.ask(
        "POST", "/releases", data=b"", headers={"Content-Type": "multipart/form-data"}
    )
    assert (status, body["reason"]) == (400, "bad_form")
    status, body = await manager.post("/releases/0.0.9/default", {"from": "2026-01-01"})
    assert (status, body["reason"]) == (400, "bad_field")


async def test_a_report_is_stored_and_read_again_and_a_bad_one_is_refused(
    manager: Desk, tmp_path: Path
) -> None:
    made = make_release(tmp_path / "wheels")
    await manager.ask("POST", "/releases", data=form_of(made, env="staging"))
    path = f"/releases/{made.version.replace('+', '%2B')}"
    report = report_document(made)
    status, told = await manager.post(f"{path}/reports", {"report": report, "dryRun": True})
    assert (status, told["changed"], told["dryRun"], told["passed"]) == (200, True, True, True)
    status, told = await manager.post(f"{path}/reports", {"report": report, "build": {"run": "7"}})
    assert (status, told["changed"]) == (200, True)
    (stored,) = (await manager.get(path))[1]["reports"]
    status, whole = await manager.get(f"{path}/reports/{stored['id']}")
    assert (status, whole["corpus_digest"]) == (200, report["corpus_digest"])
    for number, reason in (("999", "no_such_report"), ("x", "bad_parameter"), ("9" * 30, "bad_parameter")):
        assert (await manager.get(f"{path}/reports/{number}"))[1]["reason"] == reason
    bad: tuple[dict[str, object], ...] = (
        {},
        {**report, "passed": None},
        {**report, "corpus_digest": "\ud800"},
        {**report, "more": "\ud800"},
    )
    for sent in bad:
        status, told = await manager.post(f"{path}/reports", {"report": sent})
        assert (status, told["reason"]) == (409, "bad_report"), sent
    huge = {**report, "notes": ["x" * (8 * 1024 * 1024)]}
    status, told = await manager.post(f"{path}/reports", {"report": huge})
    assert (status, told["reason"]) == (413, "too_large")


async def test_parts_of_the_form_that_prove_a_release_are_checked(manager: Desk, tmp_path: Path) -> None:
    made = make_release(tmp_path / "wheels")
    for parts, reason in (
        ({"report": "{"}, "bad_report"),
        ({"report": "[1]"}, "bad_report"),
        ({"stagedBy": '{"name": "Ada"}'}, "bad_field"),
        ({"stagedBy": '{"name": "Ada", "sub": ""}'}, "bad_field"),
        ({"stagedBy": "Ada"}, "bad_field"),
        ({"build": '{"commit": "a\\u0000"}'}, "bad_field"),
    ):
        _, told, _ = await manager.ask("POST", "/releases", data=form_of(made, **parts))
        assert told["reason"] == reason, parts
