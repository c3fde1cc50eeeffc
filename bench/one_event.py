"""`road --one-event`: sixteen clients on matches of one event against as many on matches of an event each."""

from __future__ import annotations

from bench.engines import engine, pool
from bench.figures import Outcome, Ratio, at_least
from bench.fleets import Fleet
from bench.programs import Plan
from bench.roads import COMMIT_DELAY_US, rate

CLIENTS, MATCHES_EACH = 16, 8
GOALS = {"one_event": at_least(0.9)}


async def measure(on: Fleet, for_how: Plan) -> Outcome:
    """Both, interleaved, on new matches each round."""
    dsn = on.endpoints["database"]
    shell = await engine(dsn, on.release, on.home)
    from omnium_worker.road import Road  # noqa: PLC0415 - the release must be entered before

    connections = await pool(dsn, CLIENTS, commit_delay_us=COMMIT_DELAY_US)
    road = Road(shell.host, connections, shell.host.identity, lambda: None)
    ratios, figures = [], {}
    for number in range(for_how.rounds):
        shared = f"shared{number}"
        on.event(shared)
        together = [on.match(shared, f"m{n}") for n in range(CLIENTS * MATCHES_EACH)]
        for n in range(CLIENTS):
            on.event(f"own{number}-{n}")
        apart = [on.match(f"own{number}-{n % CLIENTS}", f"m{n}") for n in range(CLIENTS * MATCHES_EACH)]
        one = await rate(road, together, clients=CLIENTS, seconds=for_how.seconds)
        many = await rate(road, apart, clients=CLIENTS, seconds=for_how.seconds)
        ratios.append(one / many)
        figures = {"one_event_per_s": one, "many_events_per_s": many}
    await connections.close()
    return Outcome("road --one-event", {"one_event": Ratio.of(ratios)}, figures, GOALS)
