"""/releases: what the command line does, for whoever may; the life cycle itself is `omnium_releases`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import orjson
from aiohttp import BodyPartReader, web
from aiohttp.http_exceptions import HttpProcessingError

from omnium_releases import audit, defaults, explanations, listing, pins, registering, retiring
from omnium_releases.audit import Trace
from omnium_releases.documents import document
from omnium_router.calls import Call, json_answer, too_large
from omnium_router.sent import AuditQuery, DefaultIn, ExplainQuery, NoQuery, RetireIn
from omnium_store.errors import BadRequest, OutOfTime

FILES: Final = ("flows", "contract")
TEXTS: Final = ("env", "notes", "build")
LONGEST_TEXT: Final = 256 * 1024


async def register(call: Call) -> web.Response:
    """Register two wheels as a release: verified, proven, stored. The same bytes again change nothing."""
    form = await _form(call)
    settings = call.services.settings
    async with call.services.database.connection() as connection:
        done = await registering.register(
            connection,
            flows=form["flows"].content,
            flows_name=form["flows"].filename,
            contract=form["contract"].content,
            contract_name=form["contract"].filename,
            env=form["env"].text or "proven",
            notes=form["notes"].text,
            who=call.caller.name,
            cache=settings.cache,
            environment=settings.environment,
            trace=Trace(call.request_id, _build(form["build"].text)),
        )
    call.facts["release"] = done.version
    return json_answer(document(done), status=201 if done.before is None else 200)


async def list_all(call: Call) -> web.Response:
    """Every release, newest first."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer({"items": document(await listing.list_releases(connection))})


async def show(call: Call) -> web.Response:
    """All about one release."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer(document(await listing.show(connection, call.path("version"))))


async def show_pins(call: Call) -> web.Response:
    """Who is on a release, and when it will be free."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        return json_answer(document(await pins.pins(connection, call.path("version"))))


async def set_default(call: Call) -> web.Response:
    """Make a release the default of a sport or of one competition, from a moment on."""
    sent = await call.body(DefaultIn)
    version = call.path("version")
    async with call.services.database.connection() as connection:
        if sent.dry_run:
            changes = await defaults.preview(
                connection, version, sport=sent.sport, competition=sent.competition, from_at=sent.from_at
            )
        else:
            trace = Trace(call.request_id, sent.build)
            changes = await defaults.set_default(
                connection,
                version,
                sport=sent.sport,
                competition=sent.competition,
                from_at=sent.from_at,
                who=call.caller.name,
                trace=trace,
            )
    return json_answer({"dryRun": sent.dry_run, "items": document(changes)})


async def explain(call: Call) -> web.Response:
    """Which row makes a release the default, and why."""
    asked = call.query(ExplainQuery)
    async with call.services.database.connection() as connection:
        found = await explanations.explain(
            connection, sport=asked.sport, competition=asked.competition, at=asked.at
        )
    return json_answer(document(found))


async def retire(call: Call) -> web.Response:
    """Retire a release, unless anything unfinished or future depends on it."""
    sent = await call.body(RetireIn)
    version = call.path("version")
    async with call.services.database.connection() as connection:
        if sent.dry_run:
            done = await retiring.preview(connection, version)
        else:
            trace = Trace(call.request_id, sent.build)
            done = await retiring.retire(
                connection, version, who=call.caller.name, reason=sent.reason, trace=trace
            )
    return json_answer({"dryRun": sent.dry_run, **document(done)})


async def show_audit(call: Call) -> web.Response:
    """Who did what to which release."""
    asked = call.query(AuditQuery)
    async with call.services.database.connection() as connection:
        entries = await audit.entries(connection, asked.release, limit=asked.limit)
    return json_answer({"items": document(entries)})


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the form."""

    filename: str = ""
    content: bytes = b""

    @property
    def text(self) -> str:
        """A part that is text. Raises `BadRequest`."""
        try:
            return self.content.decode()
        except UnicodeDecodeError:
            raise BadRequest("A part that should be text is not UTF-8.", reason="bad_field") from None


async def _form(call: Call) -> dict[str, Part]:
    """The parts of a form; wheels have a file name. Raises `BadRequest`, `TooLarge`, `OutOfTime`."""
    if call.request.content_type != "multipart/form-data":
        raise BadRequest("Send the wheels as multipart/form-data.", reason="bad_form")
    found: dict[str, Part] = {}
    try:
        async with asyncio.timeout(call.services.settings.router_body_timeout_ms / 1000):
            async for part in await call.request.multipart():
                await _take(call, part, found)
    except TimeoutError:
        raise OutOfTime("The form did not arrive in time. Nothing has run.", reason="slow_body") from None
    except (HttpProcessingError, ValueError, AssertionError, LookupError) as error:
        raise BadRequest(f"The form can't be read: {error}.", reason="bad_form") from None
    missing = [name for name in FILES if not found.get(name, Part()).content]
    if missing:
        raise BadRequest(f"The form lacks {' and '.join(missing)}.", reason="bad_form")
    return {name: found.get(name, Part()) for name in (*FILES, *TEXTS)}


async def _take(call: Call, part: Any, found: dict[str, Part]) -> None:
    if not isinstance(part, BodyPartReader) or part.name not in (*FILES, *TEXTS):
        raise BadRequest(
            f"The form has a part that nobody knows: {getattr(part, 'name', None)}.", reason="bad_form"
        )
    if part.name in found:
        raise BadRequest(f"The form says {part.name} twice.", reason="bad_form")
    limit = call.services.settings.router_large_body_limit if part.name in FILES else LONGEST_TEXT
    content = bytearray()
    while chunk := await part.read_chunk():
        content += chunk
        if len(content) > limit:
            raise too_large(limit)
    # some clients quote a `+`, which versions have and no wheel's name has quoted
    found[part.name] = Part(unquote(part.filename or ""), bytes(content))


def _build(text: str) -> Mapping[str, str]:
    """Commit and CI run, as the sender names them."""
    try:
        told = orjson.loads(text) if text else {}
    except orjson.JSONDecodeError:
        told = None
    if not isinstance(told, dict) or not all(isinstance(value, str) for value in told.values()):
        raise BadRequest("build: a JSON object of text.", reason="bad_field")
    return told
