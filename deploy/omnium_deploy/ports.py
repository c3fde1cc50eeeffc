"""The two ports of a router on this machine."""

from __future__ import annotations

import random
import socket
from dataclasses import dataclass

from omnium_deploy.errors import StartFailed, UsageProblem

HOST = "127.0.0.1"
_FREE = range(20_000, 32_000)  # below the ports that systems give to outgoing connections
_TRIES = 200


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the router's HTTP facade and its gRPC front listen."""

    http: int
    grpc: int

    @classmethod
    def choose(cls, wanted: int) -> Ports:
        """`wanted` and the one above it; 0 picks free ones. Raises `UsageProblem` when `wanted` is taken.

        They are chosen here and not by the router, because a router that is started again must have the same.
        """
        if not wanted:
            http = _free()
            return cls(http, _free(but=http))
        if not is_free(wanted):
            raise UsageProblem(
                f"Port {wanted} is taken by another program. Say --port N with a free one, or --port 0."
            )
        above = wanted + 1
        return cls(wanted, above if above < 65_536 and is_free(above) else _free(but=wanted))


def is_free(port: int) -> bool:
    """Whether somebody could listen there now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except (OSError, OverflowError):
            return False
        return True


def _free(*, but: int = 0) -> int:
    for port in random.sample(_FREE, _TRIES):
        if port != but and is_free(port):
            return port
    raise StartFailed("No free port was found on this machine.")
