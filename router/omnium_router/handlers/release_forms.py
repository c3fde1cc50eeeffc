"""POST /releases: two wheels and what comes with them, as a form."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

import orjson
from aiohttp import BodyPartReader, web
from aiohttp.http_exceptions import HttpProcessingError

from omnium_releases import registering
from omnium_releases.approving import Registrant
from omnium_releases.audit import Trace
from omnium_releases.documents import document
from omnium_releases.orders import Evidence
from omnium_releases.replay_reports import LARGEST, ReplayReport, reports_of
from omnium_router.calls import Call, json_answer, too_large
from omnium_store.errors import BadRequest, OutOfTime

FILES: Final = ("flows", "contract")
TEXTS: Final = ("env", "notes", "build", "stagedBy", "report")
LONGEST_TEXT: Final = 256 * 1024


async def register(call: Call) -> web.Response:
    """Register two wheels as a release: verified, proven, stored. The same bytes again change nothing."""
    form = await _form(call)
    settings = call.services.settings
    evidence = Evidence(await _reports(form["report"]), _staged_by(form["stagedBy"].text))
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
            by_another=settings.approval_by_another,
            evidence=evidence,
            trace=Trace(call.request_id, _build(form["build"].text), call.caller.sub),
        )
    call.facts["release"] = done.version
    return json_answer(document(done), status=201 if done.before is None else 200)


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
    limit = _limit(call, part.name)
    content = bytearray()
    while chunk := await part.read_chunk():
        content += chunk
        if len(content) > limit:
            raise too_large(limit)
    # some clients quote a `+`, which versions have and no wheel's name has quoted
    found[part.name] = Part(unquote(part.filename or ""), bytes(content))


def _limit(call: Call, name: str) -> int:
    """How many bytes a part may have."""
    if name in FILES:
        return call.services.settings.router_large_body_limit
    return LARGEST if name == "report" else LONGEST_TEXT


async def _reports(part: Part) -> tuple[ReplayReport, ...]:
    """The reports that come along: one, or a JSON list of them. Raises `Refused` (bad_report)."""
    if not part.content:
        return ()
    return await asyncio.to_thread(reports_of, part.text)


def _staged_by(text: str) -> Registrant | None:
    """Who registered the release in the environment that it comes from, as the sender says."""
    told = _texts("stagedBy", text)
    if not told:
        return None
    if told.keys() != {"name", "sub"} or not all(told.values()):
        raise BadRequest("stagedBy: a JSON object with name and sub.", reason="bad_field")
    return Registrant(told["name"], told["sub"])


def _build(text: str) -> Mapping[str, str]:
    """Commit and CI run, as the sender names them."""
    return _texts("build", text)


def _texts(name: str, text: str) -> Mapping[str, str]:
    try:
        told = orjson.loads(text) if text else {}
    except orjson.JSONDecodeError:
        told = None
    if not isinstance(told, dict) or not all(_is_printable(value) for value in told.values()):
        raise BadRequest(f"{name}: a JSON object of text.", reason="bad_field")
    return told


def _is_printable(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 2000 and value.isprintable()
