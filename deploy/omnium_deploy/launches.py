"""How the processes of a fleet are started: command, environment, log."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from omnium_deploy.home import Home
from omnium_deploy.pools import PoolKey
from omnium_deploy.ports import HOST, Ports
from omnium_deploy.processes import Launch
from omnium_releases.isolation import isolated_command, isolated_environment

_OURS = "OMNIUM_"
_NOT_PASSED = {"OMNIUM_TOKEN", "OMNIUM_URL", "OMNIUM_HOME", "OMNIUM_DATABASE_URL", "OMNIUM_METRICS_LISTEN"}


@dataclass(frozen=True, slots=True)
class Launches:
    """The launches of one home. Settings of the services (OMNIUM_…) are passed on, nothing else is."""

    home: Home
    dsn: str
    ports: Ports
    surroundings: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    def router(self) -> Launch:
        """The router. It runs no release; -P keeps the current folder from its path all the same."""
        environment = self._environment(
            {
                "OMNIUM_ROUTER_LISTEN": f"{HOST}:{self.ports.http}",
                "OMNIUM_ROUTER_GRPC_LISTEN": f"{HOST}:{self.ports.grpc}",
            }
        )
        del environment["PYTHONHASHSEED"]  # it reads what strangers send: its hashes are nobody's to know
        command = (sys.executable, "-P", "-s", "-m", "omnium_router")
        return Launch("router", command, environment, self.home.log / "router.log")

    def worker(self, key: PoolKey, slot: int) -> Launch:
        """One worker of a pool, in an interpreter of its release alone."""
        name = f"worker-{_file_name(key.version)}-{key.lane}-{slot}"
        environment = self._environment({"OMNIUM_WORKER_LISTEN": f"{HOST}:0", "OMNIUM_WORKER_LANE": key.lane})
        command = isolated_command("omnium_worker", "--release", key.version, cache=self.home.cache)
        return Launch(name, tuple(command), environment, self.home.log / f"{name}.log")

    def _environment(self, own: Mapping[str, str]) -> dict[str, str]:
        passed = {
            name: value
            for name, value in self.surroundings.items()
            if name.startswith(_OURS) and name not in _NOT_PASSED
        }
        told = {"OMNIUM_DATABASE_URL": self.dsn, "OMNIUM_HOME": str(self.home.root)}
        return isolated_environment({**passed, **told, **own})


def _file_name(version: str) -> str:
    """A version as a part of a file's name; what is not plain becomes a dash."""
    return re.sub(r"[^A-Za-z0-9.+-]", "-", version)
