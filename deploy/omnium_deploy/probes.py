"""Asks a router whether it lives, and whether it can serve."""

from __future__ import annotations

import json
from dataclasses import dataclass

import aiohttp

_TIMEOUT = aiohttp.ClientTimeout(total=2.0)


@dataclass(frozen=True, slots=True)
class Probe:
    """What a health route answered; `why` is empty when all is well."""

    well: bool
    why: str = ""


async def ask(url: str, path: str) -> Probe:
    """Ask one health route of a router."""
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.get(f"{url}{path}") as response,
        ):
            body = await response.read()
    except (aiohttp.ClientError, OSError, TimeoutError) as error:
        return Probe(well=False, why=f"no answer ({type(error).__name__})")
    return Probe(well=True) if response.status == 200 else Probe(well=False, why=_why(response.status, body))


def _why(status: int, body: bytes) -> str:
    try:
        problem = json.loads(body)
        return str(problem.get("detail") or problem.get("reason") or status)
    except (ValueError, AttributeError):
        return f"status {status}"
