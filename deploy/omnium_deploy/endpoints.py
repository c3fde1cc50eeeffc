"""The addresses and tokens of a running fleet, as `endpoints.json` tells them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from omnium_deploy.errors import NotRunning
from omnium_deploy.home import Home, write_private


@dataclass(frozen=True, slots=True)
class Endpoints:
    """Where a fleet answers, and one token for each role."""

    router: str  # URL
    grpc: str  # host:port
    database: str  # DSN
    tokens: dict[str, str]
    pid: int  # of the supervisor
    home: str

    def write(self, home: Home) -> None:
        """Put them into the home, for its owner alone."""
        write_private(home.endpoints, json.dumps(asdict(self), indent=2) + "\n")

    @classmethod
    def read(cls, home: Home) -> Endpoints:
        """Those of a home. Raises `NotRunning` when there are none."""
        try:
            found: dict[str, Any] = json.loads(home.endpoints.read_text())
        except FileNotFoundError:
            raise NotRunning(f"Nothing runs in {home.root}. Start it: omnium up --home {home.root}") from None
        return cls(**{name: found[name] for name in cls.__slots__})


def forget(home: Home) -> None:
    """Take them away: the fleet does not answer any more."""
    home.endpoints.unlink(missing_ok=True)
