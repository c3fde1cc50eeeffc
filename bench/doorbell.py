"""`road --doorbell`: no doorbell, one after the commit, and `pg_notify` inside the transaction."""

from __future__ import annotations

import asyncio
from typing import Any

from bench.engines import engine, pool
from bench.figures import Outcome, Ratio, at_least
from bench.fleets import Fleet
from bench.programs import Plan
from bench.roads import COMMIT_DELAY_US, rate

CLIENTS = (1, 8, 32)
#: Matches for so many clients, so that none gets hundreds of goals.
MATCHES = {1: 32, 8: 48, 32: 96}
GOALS = {"doorbell": at_least(0.9)}


async def measure(on: Fleet, for_how: Plan) -> Outcome:
    """Each way with each number of clients, interleaved."""
    dsn = on.endpoints["database"]
    shell = await engine(dsn, on.release, on.home)
    from omnium_worker.doorbell import Doorbell  # noqa: PLC0415 - the release must be entered before
    from omnium_worker.road import Road  # noqa: PLC0415
    from omnium_worker.sideline import Sideline  # noqa: PLC0415

    class NotifiesInside(Road):
        """Rings before the commit, in the transaction: what the doorbell exists to avoid."""

        async def _walk(self, connection: Any, command: Any) -> Any:
            told = await super()._walk(connection, command)
            await connection.execute("SELECT pg_notify('omnium_change', '')")
            return told

    connections = await pool(dsn, max(CLIENTS), commit_delay_us=COMMIT_DELAY_US)
    bell = Doorbell(Sideline(dsn, role="omnium_worker", application="omnium bench bell"))
    ringing = asyncio.create_task(bell.run())
    identity = shell.host.identity
    ways = {
        "none": Road(shell.host, connections, identity, lambda: None),
        "after": Road(shell.host, connections, identity, bell.ring),
        "inside": NotifiesInside(shell.host, connections, identity, lambda: None),
    }
    rates: dict[tuple[str, int], list[float]] = {(w, c): [] for w in ways for c in CLIENTS}
    for number in range(for_how.rounds):
        on.event(f"bell{number}")
        for clients in CLIENTS:
            for way, road in ways.items():
                matches = [on.match(f"bell{number}", f"{way}{clients}-{n}") for n in range(MATCHES[clients])]
                found = await rate(road, matches, clients=clients, seconds=for_how.seconds / 2)
                rates[way, clients].append(found)
    ringing.cancel()
    await connections.close()
    return _outcome(rates)


def _outcome(rates: dict[tuple[str, int], list[float]]) -> Outcome:
    most = max(CLIENTS)

    def against_none(way: str, clients: int) -> Ratio:
        return Ratio.of([a / b for a, b in zip(rates[way, clients], rates["none", clients], strict=True)])

    ratios = {"doorbell": against_none("after", most), "inside": against_none("inside", most)}
    ratios |= {f"{way}_{c}": against_none(way, c) for c in CLIENTS[:-1] for way in ("after", "inside")}
    figures = {f"{way}_{c}_per_s": max(found) for (way, c), found in rates.items()}
    return Outcome("road --doorbell", ratios, figures, GOALS)
