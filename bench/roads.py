"""Loads on the engine's road in this process, without HTTP: how fast commits go, and what holds them up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from bench import bare
from bench.fleets import Match

#: Commits wait this long, as on a network disk.
COMMIT_DELAY_US = 2000


async def rate(road: Any, matches: Sequence[Match], *, clients: int, seconds: float) -> float:
    """Commands a second; each client takes turns in matches of its own."""
    until = time.perf_counter() + seconds

    async def client(own: Sequence[Match]) -> int:
        count = 0
        while time.perf_counter() < until:
            answer = await road.execute(bare.goal(own[count % len(own)]), timeout=10)
            assert answer.accepted, answer.answer
            count += 1
        return count

    began = time.perf_counter()
    counts = await asyncio.gather(*(client(matches[number::clients]) for number in range(clients)))
    return sum(counts) / (time.perf_counter() - began)
