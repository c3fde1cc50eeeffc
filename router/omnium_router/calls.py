"""One HTTP request on its way through the router: who calls, what they sent, how it is answered."""

from __future__ import annotations

import asyncio
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import orjson
from aiohttp import web
from pydantic import BaseModel, ValidationError

from omnium_router import access, bodies
from omnium_router.services import Services
from omnium_store.errors import BadRequest, OutOfTime, TooLarge, Unauthenticated
from omnium_store.tokens import Caller

M = TypeVar("M", bound=BaseModel)

REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
TRACEPARENT: Final = re.compile(r"[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}", re.ASCII)
UNPRINTABLE: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
LARGE: Final = 256 * 1024  # a body above it is read beside the event loop


@dataclass(slots=True)
class Call:
    """What a handler works with."""

    request: web.Request
    services: Services
    request_id: str
    row: str
    facts: dict[str, Any] = field(default_factory=dict)  # for the log line
    identified: Caller | None = None

    @property
    def caller(self) -> Caller:
        """Who calls; the border has made sure that there is somebody."""
        if self.identified is None:
            raise Unauthenticated("This needs a token: send it as Authorization: Bearer TOKEN.")
        return self.identified

    @property
    def traceparent(self) -> str:
        """The W3C trace context, if it is well formed."""
        given = self.request.headers.get("traceparent", "")
        return given if TRACEPARENT.fullmatch(given) else ""

    def admit(self) -> None:
        """Raises `Unauthenticated`, `TooMany` or `Forbidden` unless the caller may use this route."""
        if access.is_open(self.row):
            return
        self.identified = self.services.callers.identify(self.request.headers.get("Authorization", ""))
        self.facts["sub"] = self.identified.sub
        access.require(self.identified, self.row)

    def path(self, name: str) -> str:
        """A part of the path."""
        value = self.request.match_info[name]
        if UNPRINTABLE.search(value):
            raise BadRequest(f"{name} in the path has characters that no name has.", reason="bad_parameter")
        return value

    def raw_query(self) -> dict[str, str]:
        """The query, each parameter once. Raises `BadRequest`."""
        found: dict[str, str] = {}
        if not self.request.query_string:
            return found
        for name, value in self.request.query.items():
            if name in found:
                raise BadRequest(f"{name} is given twice.", reason="bad_parameter")
            if UNPRINTABLE.search(value) or UNPRINTABLE.search(name):
                raise BadRequest("A parameter has characters that none has.", reason="bad_parameter")
            found[name] = value
        return found

    def query(self, model: type[M]) -> M:
        """The query as its model. Raises `BadRequest` (`bad_parameter`) that names each that is wrong."""
        try:
            return model.model_validate(self.raw_query())
        except ValidationError as error:
            raise BadRequest(said(error), reason="bad_parameter") from None

    async def body(self, model: type[M], *, raw: Iterable[str] = (), limit: int | None = None) -> M:
        """The JSON body as its model. Raises `BadRequest`: `bad_json`, `bad_field`."""
        content = await self.content(limit or self.services.settings.router_body_limit)
        names = frozenset(raw)
        if len(content) > LARGE:
            members = await asyncio.to_thread(bodies.split, content, raw=names)
        else:
            members = bodies.split(content, raw=names)
        return fields(model, members)

    async def content(self, limit: int) -> bytes:
        """The body, at most `limit` bytes of it and in time. Raises `TooLarge`, `OutOfTime`."""
        if (self.request.content_length or 0) > limit:
            raise too_large(limit)
        stream = self.request.content
        if stream.is_eof():  # it came with the head, as small ones do
            whole = stream.read_nowait(-1)
            if len(whole) > limit:
                raise too_large(limit)
            return whole
        chunks: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.services.settings.router_body_timeout_ms / 1000):
                async for chunk in stream.iter_any():
                    size += len(chunk)
                    if size > limit:
                        raise too_large(limit)
                    chunks.append(chunk)
        except TimeoutError:
            raise OutOfTime("The body did not arrive in time. Nothing has run.", reason="slow_body") from None
        return b"".join(chunks)


def fields(model: type[M], members: Mapping[str, Any]) -> M:
    """Members of a body as their model. Raises `BadRequest` (`bad_field`) that names each that is wrong."""
    try:
        return model.model_validate(members)
    except ValidationError as error:
        raise BadRequest(said(error), reason="bad_field") from None


def request_id_of(given: str | None) -> str:
    """The sender's own id where it can stand in a log, else a new one."""
    return given if given and REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def json_answer(value: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """An answer of JSON."""
    return raw_answer(orjson.dumps(value), status=status, headers=headers)


def raw_answer(body: bytes, *, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    """An answer of bytes that are JSON already."""
    return web.Response(body=body, status=status, headers=headers, content_type="application/json")


def said(error: ValidationError) -> str:
    """Each problem of a model with its field."""
    return "; ".join(
        f"{'.'.join(str(part) for part in one['loc']) or 'it'}: {one['msg']}"
        for one in error.errors(include_url=False)
    )


def too_large(limit: int) -> TooLarge:
    """What is answered to a body above its limit."""
    return TooLarge(f"A body may have {limit} bytes here.", metadata={"limit": str(limit)})
