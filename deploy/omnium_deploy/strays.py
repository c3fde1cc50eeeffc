"""Processes that a supervisor left behind when it was killed."""

from __future__ import annotations

import structlog

from omnium_deploy.fleet_state import FleetState
from omnium_deploy.home import Home
from omnium_deploy.identities import end

log = structlog.get_logger("omnium.deploy")


def sweep(home: Home, *, grace_s: float = 5.0) -> list[str]:
    """End them and give their names. Only for who holds the home's lock.

    On Linux they end with their supervisor by themselves; this waits for that, and ends those that do not.
    The database is not among them: the next start takes it over as it is.
    """
    state = FleetState.read(home)
    found = [one for one in state.processes if one.pid] if state else []
    ended = [one.name for one in found if one.pid and end(one.pid, one.born, grace_s=grace_s)]
    if ended:
        log.warning("fleet.strays_ended", processes=ended)
    home.state.unlink(missing_ok=True)
    return ended
