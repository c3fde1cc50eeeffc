"""Asks a router whether it lives, and whether it can serve."""

from __future__ import annotations

import asyncio
import http.client
import json
from dataclasses import dataclass
from urllib.parse import urlsplit

TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Probe:
    """What a health route answered; `why` is empty when all is well."""

    well: bool
    why: str = ""


async def ask(url: str, path: str) -> Probe:
    """Ask one health route of a router."""
    return await asyncio.to_thread(_ask, url, path)


def _ask(url: str, path: str) -> Probe:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT_S)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException) as error:
        return Probe(well=False, why=f"no answer ({type(error).__name__})")
    finally:
        connection.close()
    return Probe(well=True) if response.status == 200 else Probe(well=False, why=_why(response.status, body))


def _why(status: int, body: bytes) -> str:
    try:
        problem = json.loads(body)
        return str(problem.get("detail") or problem.get("reason") or status)
    except (ValueError, AttributeError):
        return f"status {status}"
