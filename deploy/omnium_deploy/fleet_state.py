"""What a supervisor says of itself in its home, for `omnium status` and for the start after a crash."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from omnium_deploy.home import Home, write_private


@dataclass(frozen=True, slots=True)
class ProcessState:
    """One process: `pid` is None between two lives, `born` tells it from another process of that number."""

    name: str
    kind: str  # router, worker
    pid: int | None
    born: str
    well: bool
    restarts: int
    last_exit: int | None
    pool: str | None = None


@dataclass(frozen=True, slots=True)
class PoolState:
    """One pool: how many workers it should have and has serving, and why it is there."""

    version: str
    lane: str
    size: int
    serving: int
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """The database: embedded here, or somebody else's."""

    embedded: bool
    pid: int | None
    restarts: int


@dataclass(frozen=True, slots=True)
class FleetState:
    """All of it at one moment."""

    pid: int
    phase: str  # starting, up, stopping
    started_at: str
    database: DatabaseState
    processes: tuple[ProcessState, ...]
    pools: tuple[PoolState, ...]

    def write(self, home: Home) -> None:
        """Put it into the home."""
        write_private(home.state, json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, home: Home) -> FleetState | None:
        """What was said last, or None. A file that can't be read says nothing."""
        try:
            found: dict[str, Any] = json.loads(home.state.read_text())
            return cls(
                pid=found["pid"],
                phase=found["phase"],
                started_at=found["started_at"],
                database=DatabaseState(**found["database"]),
                processes=tuple(ProcessState(**one) for one in found["processes"]),
                pools=tuple(PoolState(**{**one, "why": tuple(one["why"])}) for one in found["pools"]),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None
