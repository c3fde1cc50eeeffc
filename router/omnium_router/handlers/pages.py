"""The OpenAPI document, and a page of our own that shows it without asking anybody else."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Final

from aiohttp import web

from omnium_router.calls import Call, raw_answer

OPENAPI: Final = web.AppKey("openapi", bytes)
_INLINE: Final = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)


async def openapi(call: Call) -> web.Response:
    """This document."""
    return raw_answer(call.request.app[OPENAPI], headers={"Cache-Control": "no-cache"})


async def docs(call: Call) -> web.Response:
    """The routes, for people."""
    del call
    page, policy = _page()
    return web.Response(text=page, content_type="text/html", headers={"Content-Security-Policy": policy})


@cache
def _page() -> tuple[str, str]:
    """The page, and the policy that lets exactly its own script and style run."""
    page = (files("omnium_router") / "docs.html").read_text(encoding="utf-8")
    hashes: dict[str, list[str]] = {"script": [], "style": []}
    for kind, text in _INLINE.findall(page):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        hashes[kind].append(f"'sha256-{digest}'")
    return page, (
        f"default-src 'none'; script-src {' '.join(hashes['script'])}; "
        f"style-src {' '.join(hashes['style'])}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
