"""What a command costs on its road, and against whom.

Without a flag: a `football.goal` through HTTP, router, worker and commit, 16 clients, against `bare` (the
same statements and values sent by asyncpg on as many connections) and `monolith` (the same engine in one
aiohttp process). `hop` is the CPU that isolation costs a command (router and worker, less the monolith's)
against a bare grpc.aio echo of the same bytes, both ends.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import asyncpg
import uvloop

from bench import bare, doorbell, echo, length, load, one_event
from bench.engines import engine
from bench.figures import Outcome, Ratio, at_least, at_most, percentile
from bench.fleets import Fleet, Match, cpu_seconds, fleet
from bench.programs import Plan, end, parser, plan

CLIENTS = 16
#: Matches of each client, by turns: a match has some twenty goals at the end, not hundreds.
MATCHES_EACH = 12
GOALS = {
    "bare": at_least(0.2),
    "monolith": at_least(0.65),
    "hop": at_most(1.2),
    "p50_monolith": at_most(1.9),
    "round_trips_cold": at_most(4),
}


@contextmanager
def monolith(on: Fleet) -> Iterator[tuple[str, int]]:
    """The one-process peer: its address and its process."""
    command = [sys.executable, "-m", "bench.monolith", on.endpoints["database"], on.release, str(on.home)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield (
            next(json.loads(line)["url"] for line in process.stdout if line.startswith('{"url"')),
            process.pid,
        )
    finally:
        process.terminate()
        process.wait()


def matches(on: Fleet, count: int) -> list[Match]:
    """New matches of one event."""
    event = f"e{uuid.uuid4().hex[:8]}"
    on.event(event)
    return [on.match(event, f"m{number}") for number in range(count)]


async def through(url: str, on: Fleet, for_how: Plan, pids: list[int]) -> tuple[load.Load, float]:
    """A load of goals on new matches, and the CPU seconds that a command cost the processes."""
    played = matches(on, CLIENTS * MATCHES_EACH)
    asks = [load.goals(played[number::CLIENTS]) for number in range(CLIENTS)]
    before = cpu_seconds(pids)
    done = await load.run(url, on.token, asks, seconds=for_how.seconds)
    return done, (cpu_seconds(pids) - before) / len(done.times)


async def bare_rate(shell: Any, on: Fleet, for_how: Plan, expected: float) -> tuple[float, int]:
    """Commands a second of the bare statements, and how many statements a command is."""
    dsn = on.endpoints["database"]
    count = int(expected * for_how.seconds / CLIENTS / MATCHES_EACH * 8) + 5
    played = matches(on, CLIENTS * MATCHES_EACH)
    recorded = [await bare.recorded_by_turns(shell, dsn, played[n::CLIENTS], count) for n in range(CLIENTS)]
    connections = [await asyncpg.connect(dsn) for _ in recorded]
    began = time.perf_counter()
    until = began + for_how.seconds
    pairs = zip(connections, recorded, strict=True)
    sent = await asyncio.gather(*(bare.send(c, commands, until) for c, commands in pairs))
    seconds = time.perf_counter() - began
    for connection in connections:
        await connection.close()
    return sum(sent) / seconds, len(recorded[0][0])


async def one_client(url: str, on: Fleet, for_how: Plan) -> float:
    """The median time of a goal with nobody else about."""
    played = matches(on, MATCHES_EACH * 3)
    done = await load.run(url, on.token, [load.goals(played)], seconds=for_how.seconds / 2)
    return percentile(done.times, 0.5)


async def measure(on: Fleet, for_how: Plan) -> Outcome:
    """All of it, round after round."""
    shell = await engine(on.endpoints["database"], on.release, on.home)
    ours = on.pids("router") + on.pids("worker")
    ratios: dict[str, list[float]] = {name: [] for name in ("bare", "monolith", "hop", "p50_monolith")}
    figures: dict[str, Any] = {}
    with monolith(on) as (url, pid):
        for _ in range(for_how.rounds):
            whole, whole_cpu = await through(on.endpoints["router"], on, for_how, ours)
            single, single_cpu = await through(url, on, for_how, [pid])
            rate, statements = await bare_rate(shell, on, for_how, whole.rate)
            echo_cpu = await echo.cpu_a_call(seconds=for_how.seconds / 2)
            ratios["bare"].append(whole.rate / rate)
            ratios["monolith"].append(whole.rate / single.rate)
            ratios["hop"].append((whole_cpu - single_cpu) / echo_cpu)
            p50 = await one_client(on.endpoints["router"], on, for_how)
            p50_single = await one_client(url, on, for_how)
            ratios["p50_monolith"].append(p50 / p50_single)
            figures = {
                "commands_per_s": whole.rate,
                "monolith_per_s": single.rate,
                "bare_per_s": rate,
                "p99_ms": percentile(whole.times, 0.99) * 1000,
                "one_client_p50_ms": p50 * 1000,
                "cpu_us_a_command": whole_cpu * 1e6,
                "monolith_cpu_us": single_cpu * 1e6,
                "echo_cpu_us": echo_cpu * 1e6,
                "round_trips_cold": statements,
            }
    return Outcome("road", {n: Ratio.of(v) for n, v in ratios.items()}, figures, GOALS)


def main() -> None:
    """Run the benchmark that the flags name."""
    arguments = parser(__doc__)
    which = arguments.add_mutually_exclusive_group()
    which.add_argument("--length", action="store_true", help="a command early and late in a match")
    which.add_argument("--doorbell", action="store_true", help="where the doorbell rings")
    which.add_argument("--one-event", action="store_true", help="one event against many")
    told = arguments.parse_args()
    chosen = measure
    for name, other in (("length", length), ("doorbell", doorbell), ("one_event", one_event)):
        if getattr(told, name):
            chosen = other.measure
    with fleet() as on:
        end(uvloop.run(chosen(on, plan(told))), told)


if __name__ == "__main__":
    main()
