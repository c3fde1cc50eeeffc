"""What a worker is told by its environment."""

from __future__ import annotations

import pytest

from omnium_store.errors import BadRequest
from omnium_worker.settings import ReplaySettings, WorkerSettings, join_address, split_address


def test_a_worker_needs_a_database_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMNIUM_DATABASE_URL", raising=False)
    with pytest.raises(BadRequest, match="OMNIUM_DATABASE_URL"):
        WorkerSettings.from_environment()
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://localhost/x")
    assert (
        WorkerSettings.from_environment().worker_lane,
        WorkerSettings.from_environment().worker_listen,
    ) == ("live", "127.0.0.1:0")


def test_a_replay_needs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OMNIUM_DATABASE_URL", raising=False)
    assert ReplaySettings.from_environment().metrics_listen is None


@pytest.mark.parametrize("address", ["localhost", ":80", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:x"])
def test_an_address_that_is_none_is_refused_before_anything_opens(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://localhost/x")
    monkeypatch.setenv("OMNIUM_WORKER_LISTEN", address)
    with pytest.raises(BadRequest, match="OMNIUM_WORKER_LISTEN"):
        WorkerSettings.from_environment()


def test_addresses_come_apart_and_together() -> None:
    for host, port, address in (
        ("127.0.0.1", 80, "127.0.0.1:80"),
        ("::1", 80, "[::1]:80"),
        ("db", 1, "db:1"),
    ):
        assert (host, port) == split_address(address)
        assert address == join_address(host, port)


def test_a_worker_that_listens_everywhere_says_where_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://localhost/x")
    monkeypatch.setenv("OMNIUM_WORKER_LISTEN", "0.0.0.0:0")
    with pytest.raises(BadRequest, match="OMNIUM_WORKER_ADVERTISE"):
        WorkerSettings.from_environment()
    monkeypatch.setenv("OMNIUM_WORKER_ADVERTISE", "10.0.0.7")
    assert WorkerSettings.from_environment().worker_advertise == "10.0.0.7"
