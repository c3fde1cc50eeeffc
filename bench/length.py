"""`road --length`: the same command at event 20 and at event 2,000 of a match, interleaved.

The events between are stats of the desk (corners, shots): no football match has 2,000 goals.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from bench import bare, load
from bench.engines import engine
from bench.figures import Outcome, Ratio, at_most, percentile
from bench.fleets import Fleet, Match
from bench.programs import Plan

EARLY, LATE = 20, 2000
GOALS = {"length": at_most(1.3), "statements_differ": at_most(0)}


async def filled(on: Fleet, match: Match, events: int) -> None:
    """Bring a match to so many events."""
    line = await load.Line.open(on.endpoints["router"], on.token)
    asks = [
        load.commands(match, "football.stat", {"entry": side, "kind": kind})
        for side in (match.home, match.away)
        for kind in ("corner", "shot", "foul", "offside")
    ]
    for number in range(events - 1):
        status, answer = await line.post(*asks[number % len(asks)]())
        assert status == 200, answer
        assert b'"accepted":true' in answer, answer
    line.close()


async def times(on: Fleet, match: Match, count: int) -> list[float]:
    """Seconds of each of `count` goals."""
    line = await load.Line.open(on.endpoints["router"], on.token)
    ask, found = load.goals([match]), []
    for _ in range(count):
        began = time.perf_counter()
        _, answer = await line.post(*ask())
        found.append(time.perf_counter() - began)
        assert b'"accepted":true' in answer, answer
    line.close()
    return found


async def statements(shell: Any, on: Fleet, match: Match) -> int:
    """How many statements a goal of the match is."""
    (sent,) = await bare.recorded(shell, on.endpoints["database"], match, 1)
    return len(sent)


async def measure(on: Fleet, for_how: Plan) -> Outcome:
    """Ratio of the medians, round after round."""
    shell = await engine(on.endpoints["database"], on.release, on.home)
    on.event("length")
    early_matches = [on.match("length", f"early{n}") for n in range(for_how.rounds)]
    late_matches = [on.match("length", f"late{n}") for n in range(for_how.rounds)]
    await asyncio.gather(
        *(filled(on, m, EARLY) for m in early_matches), *(filled(on, m, LATE) for m in late_matches)
    )
    ratios, figures = [], {}
    for early, late in zip(early_matches, late_matches, strict=True):
        first, last = await times(on, early, 60), await times(on, late, 60)
        ratios.append(percentile(last, 0.5) / percentile(first, 0.5))
        figures = {"early_ms": percentile(first, 0.5) * 1000, "late_ms": percentile(last, 0.5) * 1000}
    counts = [await statements(shell, on, m) for m in (early_matches[0], late_matches[0])]
    figures |= {"statements": counts[0], "statements_differ": abs(counts[0] - counts[1])}
    return Outcome("road --length", {"length": Ratio.of(ratios)}, figures, GOALS)
