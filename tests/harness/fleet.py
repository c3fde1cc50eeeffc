"""A whole fleet of real processes, brought up and down with the command line, for tests from end to end.

The fixtures are in `tests/acceptance/conftest.py`. A module that uses the shared one is marked with
`pytest.mark.xdist_group("fleet")`, so that a run has one of them.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from harness.postgres import server_folder
from omnium.client import Client
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.home import Home
from omnium_releases.build import WheelPair, build_wheels

ROOT: Final = Path(__file__).parents[2]
DEADLINE_S: Final = 120.0

Found = TypeVar("Found")


def omnium(
    *args: str | Path, cwd: Path | None = None, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user does; its variables are the machine's without ours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("OMNIUM_")}
    return subprocess.run(
        [sys.executable, "-m", "omnium", *map(str, args)],
        check=False,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        cwd=cwd or ROOT,
        env={**kept, **(variables or {})},
    )


@dataclass(frozen=True, slots=True)
class Match:
    """A football match that was made for a test: its id, and the entries of its sides."""

    fixture: str
    home: str
    away: str


@dataclass(frozen=True, slots=True)
class RunningFleet:
    """A fleet that runs. Roles are those of `endpoints.tokens`."""

    home: Home

    @property
    def endpoints(self) -> Endpoints:
        """Where it answers now."""
        return Endpoints.read(self.home)

    def client(self, role: str = "admin") -> Client:
        """A client of its facade; close it."""
        endpoints = self.endpoints
        return Client(endpoints.router, endpoints.tokens[role], patience_s=DEADLINE_S)

    def omnium(self, *args: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a verb on its home."""
        return omnium(*args, "--home", self.home.root)

    def status(self) -> dict[str, Any]:
        """What `omnium status` says."""
        found: dict[str, Any] = json.loads(self.omnium("status", "--output", "json").stdout)
        return found

    def processes(self, kind: str, release: str | None = None) -> list[dict[str, Any]]:
        """Its processes of a kind (router, worker), of one release or all."""
        return [
            one
            for one in self.status()["processes"]
            if one["kind"] == kind and release in (None, one["release"])
        ]

    def kill(self, kind: str, release: str | None = None, number: int = signal.SIGKILL) -> list[int]:
        """Send a signal to all of them; gives their pids."""
        pids = [one["pid"] for one in self.processes(kind, release) if one["pid"]]
        for pid in pids:
            os.kill(pid, number)
        return pids

    def until_ready(self, *, but: Sequence[int] = ()) -> dict[str, Any]:
        """Wait until all processes are well again and none of them is one of `but`; the status then."""

        def is_ready() -> dict[str, Any] | None:
            status = self.status()
            well = all(one["well"] and one["pid"] not in but for one in status["processes"])
            full = all(pool["serving"] == pool["workers"] for pool in status["pools"])
            return status if status["ready"] and well and full and status["pools"] else None

        return until(is_ready, "the fleet is ready again")

    def make_event(self) -> str:
        """A new event with one football competition, both under a code of their own."""
        code = f"t{uuid.uuid4().hex[:10]}"
        with self.client("operator") as client:
            client.post("/events", {"code": code, "name": "Test Games", "timezone": "UTC"})
            given = {"code": f"{code}-cup", "name": "Cup", "sport": "football"}
            accepted(client.command("games", ("event", code), "games.add_competition", given))
        return code

    def make_match(self, event: str, **unit: Any) -> Match:
        """A new football match of an event; `unit` changes what `games.add_unit` is given."""
        given = {
            "competition": f"{event}-cup",
            "code": f"m{uuid.uuid4().hex[:10]}",
            "sport": "football",
            "fixtureType": "match",
            "archetype": "duel",
            "scoringMode": "events",
            "sides": [{"code": "AAA", "name": "Alpha"}, {"code": "BBB", "name": "Beta"}],
            **unit,
        }
        with self.client("operator") as client:
            answer = accepted(client.command("games", ("event", event), "games.add_unit", given))
        value = answer["value"]
        return Match(value["fixtureId"], *(side["entry"] for side in value["sides"]))

    def send(self, match: Match, code: str, key: str = "", **given: Any) -> dict[str, Any]:
        """Send a command of football to a match; the answer, accepted or not."""
        with self.client("scorer") as client:
            answer: dict[str, Any] = client.command(
                "football", ("fixture", match.fixture), f"football.{code}", given, key=key
            )
        return answer

    def board(self, match: Match) -> dict[str, Any]:
        """The value of `fixture.board`."""
        with self.client("viewer") as client:
            value: dict[str, Any] = client.get("/reads/fixture.board", {"fixture": match.fixture})["value"]
        return value


def accepted(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer that must be a yes."""
    assert answer["accepted"], answer
    return answer


def until(happened: Callable[[], Found | None], what: str, *, within_s: float = 60.0) -> Found:
    """Ask again until there is something; an assertion says what was waited for."""
    deadline = time.monotonic() + within_s
    while not (found := happened()):
        assert time.monotonic() < deadline, f"waited {within_s:.0f} s until {what}"
        time.sleep(0.1)
    return found


def working_tree_wheels(out: Path) -> WheelPair:
    """The wheels of the working tree."""
    return build_wheels(ROOT / "contract", ROOT / "flows", out)


@contextmanager
def running_fleet(flows: Path | None, variables: Mapping[str, str] | None = None) -> Iterator[RunningFleet]:
    """A fleet in a home of its own, on free ports; stopped and removed in the end."""
    with server_folder() as folder:
        home = Home(folder / "home")
        named = ("--flows", flows) if flows else ()
        args = ("up", "--home", home.root, "--port", "0", "--detach", *named)
        started = omnium(*args, variables=variables)
        try:
            assert started.returncode == 0, started.stderr
            yield RunningFleet(home)
        finally:
            omnium("down", "--home", home.root)
