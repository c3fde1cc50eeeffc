"""GET /workflows…: what there is, and what a subject offers now under its own release."""

from __future__ import annotations

from typing import Any

import asyncpg
import orjson
from aiohttp import web

from omnium_releases import programs as published
from omnium_releases.audit import Trace
from omnium_releases.documents import document
from omnium_router import access
from omnium_router.calls import Call, json_answer
from omnium_router.commands import fixture_id
from omnium_router.identities import ReleaseRef
from omnium_router.pins import Located, release_of
from omnium_router.programs import Program
from omnium_router.sent import DescribeQuery, InstallIn, NoQuery
from omnium_store.access import Kind
from omnium_store.errors import BadRequest, NotFound
from omnium_store.statements import Statements

SQL = Statements.of("omnium_router")
_HEAD = ("code", "title", "description", "mode", "subject", "parent")


async def list_all(call: Call) -> web.Response:
    """Every workflow, each under the release that new things of it get."""
    call.query(NoQuery)
    rows = await call.services.database.rows(SQL["workflows"])
    return json_answer({"items": [_head(row) for row in rows]})


async def describe(call: Call) -> web.Response:
    """One workflow's program; for a subject only what it offers to this caller now."""
    asked = call.query(DescribeQuery)
    workflow = call.path("workflow")
    if asked.subject is None:
        return json_answer(await _describe_general(call, workflow, asked.release))
    if asked.release is not None:
        raise BadRequest("A subject has its own release: leave `release` out.", reason="bad_parameter")
    kind, _, ref = asked.subject.partition(":")
    if kind == "event":
        return json_answer(await _describe_for_event(call, workflow, ref))
    return json_answer(await _describe_for_fixture(call, workflow, ref))


async def install(call: Call) -> web.Response:
    """Publish the programs of a release again, from its stored wheels."""
    sent = await call.body(InstallIn)
    services = call.services
    async with services.database.connection() as connection:
        done = await published.install(
            connection,
            sent.release,
            who=call.caller.name,
            cache=services.settings.cache,
            trace=Trace(call.request_id),
        )
    services.programs.forget(sent.release)
    return json_answer(document(done))


async def _describe_general(call: Call, workflow: str, version: str | None) -> dict[str, Any]:
    row = await call.services.database.row(SQL["workflow"], workflow, version)
    if row is None:
        raise _no_such_workflow(workflow, version)
    return _description(workflow, release_of(row), None, orjson.loads(row["document"]))


async def _describe_for_event(call: Call, workflow: str, code: str) -> dict[str, Any]:
    pins = call.services.pins
    event = await pins.event(code)
    access.require_scope(call.caller, event=event.code)
    release = await pins.default(await pins.sport(workflow), event.id)
    program = await _program(call, release, workflow)
    offered = _for_kind(program.document["commands"] if program.subject == "event" else [], call.caller.kind)
    subject = {"kind": "event", "ref": event.code}
    return _description(workflow, release, subject, {**program.document, "commands": offered})


async def _describe_for_fixture(call: Call, workflow: str, ref: str) -> dict[str, Any]:
    services = call.services
    located = await services.pins.fixture(fixture_id(ref))
    access.require_scope(call.caller, event=located.event, fixture=located.id)
    is_own = workflow == located.workflow and located.release is not None
    release = located.release if is_own else None
    release = release or await services.pins.default(located.sport_id, located.competition_id)
    program = await _program(call, release, workflow)
    row = await services.database.row(SQL["described_fixture"], located.id)
    if row is None:
        raise NotFound(f"There is no fixture {located.id}.", reason="no_such_fixture")
    offered = _for_kind(_offered(program, located, row["fixture_type"]), call.caller.kind)
    return _description(workflow, release, _fixture(row), {**program.document, "commands": offered})


async def _program(call: Call, release: ReleaseRef, workflow: str) -> Program:
    program = await call.services.programs.find(release, workflow)
    if program is None:
        raise _no_such_workflow(workflow, release.version)
    return program


def _offered(program: Program, located: Located, fixture_type: str) -> list[dict[str, Any]]:
    """The commands that this fixture's scoring mode and its type, which may change, leave."""
    if program.subject != "fixture":
        return []
    if program.mode == "fold" and (located.scoring_mode != "events" or program.workflow != located.workflow):
        return []
    return [
        command
        for command in program.document["commands"]
        if not command.get("appliesTo") or fixture_type in command["appliesTo"]
    ]


def _for_kind(commands: list[dict[str, Any]], kind: Kind) -> list[dict[str, Any]]:
    """People send no imports; integrations send nothing else."""
    wanted = kind is Kind.INTEGRATION
    return [command for command in commands if bool(command.get("imports")) is wanted]


def _description(
    workflow: str, release: ReleaseRef, subject: dict[str, Any] | None, program: dict[str, Any]
) -> dict[str, Any]:
    return {"workflow": workflow, "release": _release(release), "subject": subject, "program": program}


def _fixture(row: asyncpg.Record) -> dict[str, Any]:
    return {
        "kind": "fixture",
        "ref": str(row["id"]),
        "code": row["code"],
        "name": row["name"],
        "event": row["event"],
        "workflow": row["workflow"],
        "archetype": row["archetype"],
        "fixtureType": row["fixture_type"],
        "formatCode": row["format_code"],
        "format": orjson.loads(row["format"]),
        "scoringMode": row["scoring_mode"],
        "status": row["status"],
        "version": row["version"],
        "sides": orjson.loads(row["sides"]),
    }


def _head(row: asyncpg.Record) -> dict[str, Any]:
    program = orjson.loads(row["document"])
    return {**{name: program.get(name) for name in _HEAD}, "release": _release(release_of(row))}


def _release(release: ReleaseRef) -> dict[str, str]:
    return {
        "version": release.version,
        "codeSha": release.code_sha,
        "contractSha": release.contract_sha,
    }


def _no_such_workflow(workflow: str, version: str | None) -> NotFound:
    where = f"Release {version} has" if version else "No release has"
    return NotFound(f"{where} a workflow {workflow}." if not version else f"{where} no workflow {workflow}.",
                    reason="no_such_workflow")  # fmt: skip
