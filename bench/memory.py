"""A worker's memory after some thousand commands and after ten times as many, on 500 matches."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from collections.abc import Sequence

import grpc
import uvloop

from bench import bare
from bench.figures import Outcome, Ratio, at_most
from bench.fleets import Fleet, Match, fleet, resident_mib
from bench.programs import end, parser
from omnium_proto import command_pb2_grpc
from omnium_releases.isolation import isolated_command, isolated_environment

MATCHES, CALLERS = 500, 32
GOALS = {"growth": at_most(1.05), "mb": at_most(150)}


async def sent(address: str, key: str, matches: Sequence[Match], commands: int) -> None:
    """So many goals over all matches, straight to the worker."""
    channel = grpc.aio.insecure_channel(address)
    stub = command_pb2_grpc.CommandServiceStub(channel)
    left = iter(range(commands))

    async def caller() -> None:
        for number in left:
            request = bare.goal(matches[number % len(matches)])
            answer = await stub.Execute(request, metadata=(("x-omnium-fleet-key", key),), timeout=20)
            assert answer.accepted, answer.answer

    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    await channel.close()


def measure(on: Fleet, *, first: int, all_of_them: int) -> Outcome:
    """Memory of a worker of its own, at both counts."""
    on.event("memory")
    matches = [on.match("memory", f"m{n}") for n in range(MATCHES)]
    settings = {"OMNIUM_DATABASE_URL": on.endpoints["database"], "OMNIUM_HOME": str(on.home)}
    process = subprocess.Popen(
        isolated_command("omnium_worker", "--release", on.release, cache=on.home / "cache"),
        stdout=subprocess.PIPE,
        text=True,
        env=isolated_environment(settings),
    )
    assert process.stdout is not None
    told = (json.loads(line) for line in process.stdout)
    address = next(line["address"] for line in told if line["event"] == "worker.serving")
    key = (on.home / "keys" / "fleet.key").read_text().strip()
    uvloop.run(sent(address, key, matches, first))
    early = resident_mib(process.pid)
    uvloop.run(sent(address, key, matches, all_of_them - first))
    late = resident_mib(process.pid)
    process.send_signal(signal.SIGTERM)
    process.wait()
    figures = {"mb": late, f"mb_after_{first}": early, f"mb_after_{all_of_them}": late}
    return Outcome("memory", {"growth": Ratio.of([late / early])}, figures, GOALS)


def main() -> None:
    """Run it."""
    told = parser(__doc__).parse_args()
    first, all_of_them = (1000, 10_000) if told.quick else (5000, 50_000)
    with fleet() as on:
        end(measure(on, first=first, all_of_them=all_of_them), told)


if __name__ == "__main__":
    main()
