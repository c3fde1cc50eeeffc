"""A whole fleet for a benchmark: started by `omnium up` in a folder of its own, removed at the end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnium.client import Client

DIST = Path(__file__).resolve().parent.parent / "dist"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Match:
    """A started football match and its two sides."""

    id: str
    home: str
    away: str


@dataclass(frozen=True, slots=True)
class Fleet:
    """What runs: its folder, its addresses, and a client of its facade."""

    home: Path
    endpoints: Mapping[str, Any]
    client: Client

    @property
    def token(self) -> str:
        """A token that may do everything."""
        return str(self.endpoints["tokens"]["admin"])

    @property
    def release(self) -> str:
        """The version of the one release that it runs."""
        return str(self.status()["pools"][0]["version"])

    def status(self) -> dict[str, Any]:
        """What `omnium status` says."""
        told: dict[str, Any] = json.loads(omnium("status", "--home", str(self.home), "--output", "json"))
        return told

    def pids(self, kind: str) -> list[int]:
        """Processes of one kind."""
        return [p["pid"] for p in self.status()["processes"] if p["kind"] == kind]

    def event(self, code: str) -> None:
        """An event with one competition of the same name."""
        self.client.post("/events", {"code": code, "name": code, "timezone": "UTC"})
        made = self.client.command(
            "games", ("event", code), "games.add_competition", {"code": f"{code}-all", "name": "All"}
        )
        assert made["accepted"], made

    def match(self, event: str, code: str) -> Match:
        """A football match that has kicked off."""
        unit = {
            "competition": f"{event}-all",
            "code": code,
            "sport": "football",
            "fixtureType": "match",
            "archetype": "duel",
            "scoringMode": "events",
            "sides": [{"code": "HOM", "name": "Home"}, {"code": "AWA", "name": "Away"}],
        }
        made = self.client.command("games", ("event", event), "games.add_unit", unit)
        assert made["accepted"], made
        home, away = (side["entry"] for side in made["value"]["sides"])
        match = Match(made["value"]["fixtureId"], home, away)
        begun = self.client.command(
            "football", ("fixture", match.id), "football.match_start", {"home": home, "away": away}
        )
        assert begun["accepted"], begun
        return match


def omnium(*arguments: str, **environment: str) -> str:
    """Run the command line; its stdout. Ends the benchmark with its reason if it fails."""
    command = [str(Path(sys.executable).with_name("omnium")), *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def fleet(**environment: str) -> Iterator[Fleet]:
    """A fleet with the wheels of `dist/`."""
    home = Path(tempfile.mkdtemp(prefix="omnium-bench-"))
    try:
        omnium("up", "--home", str(home), "--port", "0", "--detach", "--flows", str(DIST), **environment)
        endpoints = json.loads((home / "endpoints.json").read_text())
        yield Fleet(home, endpoints, Client(endpoints["router"], endpoints["tokens"]["admin"]))
    finally:
        omnium("down", "--home", str(home))
        shutil.rmtree(home, ignore_errors=True)


def cpu_seconds(pids: list[int]) -> float:
    """CPU time that processes have used so far."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def resident_mib(pid: int) -> float:
    """Memory that a process has in use."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
