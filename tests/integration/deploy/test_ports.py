"""The ports of a router."""

from __future__ import annotations

import socket

import pytest

from omnium_deploy.errors import UsageProblem
from omnium_deploy.ports import Ports, is_free


def test_zero_picks_two_free_ports() -> None:
    ports = Ports.choose(0)
    assert ports.http != ports.grpc
    assert is_free(ports.http)
    assert is_free(ports.grpc)


def test_a_port_that_is_named_is_taken_with_the_one_above_it() -> None:
    free = next(port for port in range(20_100, 32_000) if is_free(port) and is_free(port + 1))
    assert Ports.choose(free) == Ports(free, free + 1)


def test_the_highest_port_has_none_above_it() -> None:
    if not is_free(65_535):
        pytest.skip("65535 is taken on this machine")
    assert Ports.choose(65_535).grpc < 65_535


def test_a_taken_port_is_refused_and_the_flag_is_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UsageProblem, match="--port"):
            Ports.choose(taken.getsockname()[1])
