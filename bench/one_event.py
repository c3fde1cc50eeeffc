"""`road --one-event`: sixteen matches of one event against sixteen of sixteen events."""

from __future__ import annotations

from bench.engines import engine, pool
from bench.figures import Outcome, Ratio, at_least
from bench.fleets import Fleet
from bench.programs import Plan
from bench.roads import COMMIT_DELAY_US, rate

MATCHES = 16
GOALS = {"one_event": at_least(0.9)}


async def measure(on: Fleet, for_how: Plan) -> Outcome:
    """Both, interleaved, on new matches each round."""
    dsn = on.endpoints["database"]
    shell = await engine(dsn, on.release, on.home)
    from omnium_worker.road import Road  # noqa: PLC0415 - the release must be entered before

    connections = await pool(dsn, MATCHES, commit_delay_us=COMMIT_DELAY_US)
    road = Road(shell.host, connections, shell.host.identity, lambda: None)
    ratios, figures = [], {}
    for number in range(for_how.rounds):
        shared = f"shared{number}"
        on.event(shared)
        together = [on.match(shared, f"m{n}") for n in range(MATCHES)]
        apart = []
        for n in range(MATCHES):
            on.event(f"own{number}-{n}")
            apart.append(on.match(f"own{number}-{n}", "m"))
        one = await rate(road, together, seconds=for_how.seconds)
        many = await rate(road, apart, seconds=for_how.seconds)
        ratios.append(one / many)
        figures = {"one_event_per_s": one, "many_events_per_s": many}
    await connections.close()
    return Outcome("road --one-event", {"one_event": Ratio.of(ratios)}, figures, GOALS)
