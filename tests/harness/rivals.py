"""One fleet with two releases of the rules, and matches on either."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.editions import HEADERS_COUNT_TWICE, edition
from harness.fleet import Match, RunningFleet, accepted, running_fleet, until
from harness.proofs import assert_each_once, assert_logs_prove
from harness.taps import Desk, Traffic
from omnium_deploy.fleet_state import FleetState, PoolState, ProcessState
from omnium_releases.build import WheelPair

CORNERS = ("football.stat", "corner")


@dataclass(slots=True)
class Rivals:
    """A running fleet, the release that it came up with, and one whose headers count twice.

    The second one is not registered before somebody asks for it.
    """

    fleet: RunningFleet
    old: WheelPair
    new: WheelPair
    _registered: set[str] = field(default_factory=set)
    _event: list[str] = field(default_factory=list)

    @property
    def event(self) -> str:
        """The event that all matches are in."""
        if not self._event:
            self._event.append(self.fleet.make_event())
        return self._event[0]

    def register(self, flows: Path, version: str) -> None:
        """Register a release for prod over the facade, with the command line, as a person would."""
        if version not in self._registered:
            done = self.fleet.omnium("releases", "register", flows, "--env", "prod", "--yes")
            assert done.returncode == 0, done.stderr
            self._registered.add(version)

    def match(self, version: str | None = None) -> Match:
        """A match that is not begun, on the default release or on this one."""
        match = self.fleet.make_match(self.event)
        if version is not None:
            with self.fleet.client("operator") as client:
                subject = ("fixture", match.fixture)
                accepted(client.command("results", subject, "results.set_release", {"version": version}))
        return match

    def live_match(self, version: str) -> Match:
        """A match on this release that has kicked off; its pool serves."""
        match = self.match(version)
        self.until_serving(version)
        accepted(self.fleet.send(match, "match_start", key="kick-off", home=match.home, away=match.away))
        return match

    def live_on_both(self) -> tuple[Match, Match]:
        """A match on the old release and one on the new."""
        self.register(self.new.flows, self.new.version)
        return self.live_match(self.old.version), self.live_match(self.new.version)

    def state(self) -> FleetState:
        """What the supervisor last said: cheaper to ask often than `omnium status`."""
        state = FleetState.read(self.fleet.home)
        assert state is not None
        return state

    def workers(self, version: str) -> list[ProcessState]:
        """The worker processes of a release."""
        return [one for one in self.state().processes if one.kind == "worker" and one.pool == version]

    def pool(self, version: str) -> PoolState | None:
        """The live pool of a release, if there is one."""
        pools = self.state().pools
        return next((pool for pool in pools if (pool.version, pool.lane) == (version, "live")), None)

    def kill(self, version: str) -> list[int]:
        """kill -9 every worker of a release; gives their pids."""
        pids = [one.pid for one in self.workers(version) if one.pid]
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        return pids

    def logged(self, version: str, event: str) -> list[dict[str, Any]]:
        """Log lines of one event of all workers that a release has had, in their order."""
        files = sorted(self.fleet.home.log.glob(f"worker-{version}-*.log"))
        lines = [line for file in files for line in file.read_text().splitlines() if event in line]
        told = (json.loads(line) for line in lines)
        return sorted((one for one in told if one["event"] == event), key=lambda one: str(one["at"]))

    def until_serving(self, version: str, *, but: Sequence[int] = ()) -> None:
        """Wait until the whole pool of a release serves, with none of these processes in it."""

        def is_serving() -> bool:
            pool, workers = self.pool(version), self.workers(version)
            whole = pool is not None and pool.size == pool.serving == len(workers)
            return whole and all(one.well and one.pid not in but for one in workers)

        until(is_serving, f"release {version} serves", within_s=90)


def corners(desk: Desk, match: Match, name: str) -> Traffic:
    """Corners for both sides in turn: always allowed, and each counts."""
    code, kind = CORNERS
    inputs: tuple[dict[str, Any], ...] = tuple(
        {"entry": entry, "kind": kind} for entry in (match.home, match.away)
    )
    return Traffic(desk, match.fixture, code, inputs, name)


async def traffic_on_both(rivals: Rivals, desk: Desk, name: str) -> tuple[Traffic, Traffic]:
    """Corners on a match of the old release and on one of the new."""
    on_old, on_new = await asyncio.to_thread(rivals.live_on_both)
    return corners(desk, on_old, f"{name}-old"), corners(desk, on_new, f"{name}-new")


async def assert_all_is_there(rivals: Rivals, desk: Desk, on_old: Traffic, on_new: Traffic) -> None:
    """Every key exactly once, and what is stored is what each log gives, folded from nothing."""
    both = ((on_old, rivals.old.version), (on_new, rivals.new.version))
    for traffic, version in both:
        await assert_each_once(desk, traffic, version)
    await asyncio.gather(
        *(assert_logs_prove(rivals.fleet, version, [traffic.fixture]) for traffic, version in both)
    )


@contextmanager
def rival_fleet(wheels: WheelPair, out: Path) -> Iterator[Rivals]:
    """A fleet that came up with the working tree's release; the edited one is built and waits."""
    new = edition(out, HEADERS_COUNT_TWICE)
    with running_fleet(wheels.flows) as fleet:
        yield Rivals(fleet, wheels, new)
