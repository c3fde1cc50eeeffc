"""How the processes of a fleet are started."""

from __future__ import annotations

from pathlib import Path

from omnium_deploy.home import Home
from omnium_deploy.launches import Launches
from omnium_deploy.pools import PoolKey
from omnium_deploy.ports import Ports

SURROUNDINGS = {
    "PYTHONPATH": "flows",
    "AWS_SECRET": "s",
    "OMNIUM_TOKEN": "t",
    "OMNIUM_DATABASE_URL": "postgresql://other",
    "OMNIUM_WORKER_CAPACITY": "9",
}


def launches(tmp_path: Path) -> Launches:
    return Launches(Home(tmp_path), "postgresql://here", Ports(1, 2), SURROUNDINGS)


def test_a_router_is_told_where_to_listen_and_where_the_database_is(tmp_path: Path) -> None:
    launch = launches(tmp_path).router()
    told = {name: value for name, value in launch.environment.items() if name.startswith("OMNIUM_")}
    assert told == {
        "OMNIUM_DATABASE_URL": "postgresql://here",
        "OMNIUM_HOME": str(tmp_path),
        "OMNIUM_ROUTER_LISTEN": "127.0.0.1:1",
        "OMNIUM_ROUTER_GRPC_LISTEN": "127.0.0.1:2",
        "OMNIUM_WORKER_CAPACITY": "9",
    }
    assert launch.log == tmp_path / "log" / "router.log"


def test_neither_the_python_path_nor_secrets_nor_foreign_variables_are_passed_on(tmp_path: Path) -> None:
    for launch in (launches(tmp_path).router(), launches(tmp_path).worker(PoolKey("1.0"), 1)):
        assert not {"PYTHONPATH", "AWS_SECRET", "OMNIUM_TOKEN"} & launch.environment.keys()


def test_a_worker_runs_isolated_with_its_release_and_lane_and_a_log_of_its_own(tmp_path: Path) -> None:
    launch = launches(tmp_path).worker(PoolKey("0.1.0+gabc/../x", "bulk"), 2)
    assert launch.command[1:3] == ("-P", "-s")
    assert launch.command[-4:] == ("-m", "omnium_worker", "--release", "0.1.0+gabc/../x")
    assert launch.environment["PYTHONHASHSEED"] == "0"
    assert launch.environment["OMNIUM_WORKER_LANE"] == "bulk"
    assert launch.log == tmp_path / "log" / "worker-0.1.0+gabc-..-x-bulk-2.log"


def test_a_router_has_hashes_that_nobody_knows(tmp_path: Path) -> None:
    assert "PYTHONHASHSEED" not in launches(tmp_path).router().environment
