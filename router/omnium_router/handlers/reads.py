"""GET /reads… and a fixture's log: read models, with an ETag each."""

from __future__ import annotations

import hashlib
import uuid
from typing import Any

from aiohttp import web

from omnium_router import access
from omnium_router.calls import Call, json_answer, raw_answer
from omnium_router.commands import fixture_id
from omnium_router.sent import LogQuery, NoQuery
from omnium_store import read_models
from omnium_store.read_models import Access, Parameters, Reading, ReadModel


async def list_all(call: Call) -> web.Response:
    """The read models that there are, with the JSON Schema of their parameters."""
    call.query(NoQuery)
    return json_answer({"items": [_card(model) for model in read_models.READ_MODELS.values()]})


async def read(call: Call) -> web.Response:
    """The value of one read model; 304 while it is the one that the caller has."""
    model = read_models.read_model(call.path("name"))
    parameters = model.parsed(call.raw_query())
    return await _answer(call, model, parameters)


async def log(call: Call) -> web.Response:
    """A fixture's log, a page at a time."""
    asked = call.query(LogQuery)
    model = read_models.read_model("fixture.log")
    fixture = fixture_id(call.path("ref"))
    parameters = model.parsed({"fixture": fixture, "after": asked.after, "limit": asked.limit})
    return await _answer(call, model, parameters)


async def _answer(call: Call, model: ReadModel, parameters: Parameters) -> web.Response:
    if model.access is Access.STAFF:
        access.require(call.caller, "reads.staff")
    await _require_scope(call, model, parameters)
    async with call.services.database.connection() as connection:
        reading = await read_models.read(connection, model.name, parameters)
    tag = _tag(reading)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in call.request.headers.get("If-None-Match", "").replace(" ", "").split(","):
        return web.Response(status=304, headers=headers)
    return raw_answer(_body(reading), headers=headers)


async def _require_scope(call: Call, model: ReadModel, parameters: Parameters) -> None:
    ref = model.subject_ref(parameters)
    pins = call.services.pins
    if model.subject == "event":
        event = await pins.event(ref)
        access.require_scope(call.caller, event=event.code)
    else:
        located = await pins.fixture(uuid.UUID(ref))
        access.require_scope(call.caller, event=located.event, fixture=located.id)


def _tag(reading: Reading) -> str:
    """Weak: two values with one tag are the same to whoever reads them, though `at` has moved on."""
    return f'W/"{hashlib.blake2b(reading.value, digest_size=12).hexdigest()}"'


def _body(reading: Reading) -> bytes:
    version = b"" if reading.version is None else b'"version":%d,' % reading.version
    return b'{"at":%d,"h":%d,%s"value":%s}' % (reading.at, reading.h, version, reading.value)


def _card(model: ReadModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "title": model.title,
        "access": model.access.value,
        "subject": model.subject,
        "parameters": model.parameters.model_json_schema(),
    }
