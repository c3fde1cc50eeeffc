"""`omnium up`, `down` and `status` as a user meets them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import psutil
import pytest

from harness.fleet import ROOT, RunningFleet, accepted, omnium, running_fleet, until
from harness.postgres import Database, server_folder
from omnium_deploy.home import Home
from omnium_deploy.probes import ask
from omnium_releases.build import WheelPair
from omnium_store.embedded import EmbeddedServer
from omnium_store.errors import NotFound, Unauthenticated
from omnium_store.tokens import TokenKeys

pytestmark = pytest.mark.xdist_group("fleet")


@pytest.fixture(scope="module")
def victim(wheels: WheelPair) -> Iterator[RunningFleet]:
    """A second fleet: whoever kills something of it brings it back."""
    with running_fleet(wheels.flows) as running:
        yield running


@pytest.fixture
def empty_home() -> Iterator[Home]:
    with server_folder() as folder:
        yield Home(folder / "home")


def processes_of(home: Home) -> list[psutil.Process]:
    """Whatever still runs with the home in its command line or environment, its database included."""
    found = []
    for process in psutil.process_iter():
        try:
            told = [*process.cmdline(), process.environ().get("OMNIUM_HOME", "")]
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
        if any(str(home.root) in text for text in told):
            found.append(process)
    return found


def test_endpoints_name_everything_and_are_their_owners_alone(fleet: RunningFleet) -> None:
    told = json.loads(fleet.home.endpoints.read_text())
    assert {"router", "grpc", "database", "tokens", "pid", "home"} == told.keys()
    assert stat.S_IMODE(fleet.home.endpoints.stat().st_mode) == 0o600
    assert {"admin", "operator", "scorer", "viewer", "release_manager", "integration"} == told[
        "tokens"
    ].keys()
    keys = TokenKeys.load_public(fleet.home.keys)
    for role, token in told["tokens"].items():
        caller = keys.verify(token)
        assert sorted(caller.roles) == ([] if role == "integration" else [role])
    for name in ("token.key", "fleet.key", "tokens.json"):
        assert stat.S_IMODE((fleet.home.keys / name).stat().st_mode) == 0o600


async def test_all_addresses_of_the_endpoints_answer(fleet: RunningFleet) -> None:
    endpoints = fleet.endpoints
    assert (await ask(endpoints.router, "/readyz")).well
    host, _, port = endpoints.grpc.partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.close()
    await writer.wait_closed()
    connection = await asyncpg.connect(endpoints.database)
    assert await connection.fetchval("SELECT count(*) FROM plugin_release") == 1
    await connection.close()
    assert psutil.pid_exists(endpoints.pid)


def test_up_in_a_home_that_runs_says_so_and_prints_its_addresses(fleet: RunningFleet) -> None:
    for flags in ([], ["--detach"]):
        again = fleet.omnium("up", *flags)
        assert again.returncode == 0, again.stderr
        assert "runs already" in again.stdout
        assert fleet.endpoints.router in again.stdout


def test_status_tells_every_process_and_why_each_pool_is_there(
    fleet: RunningFleet, wheels: WheelPair
) -> None:
    status = fleet.until_ready()
    assert (status["running"], status["ready"], status["phase"]) == (True, True, "up")
    assert [one["kind"] for one in status["processes"]] == ["router", "worker", "worker"]
    (pool,) = status["pools"]
    assert (pool["version"], pool["workers"], pool["serving"]) == (wheels.version, 2, 2)
    assert "default of football, games" in pool["why"]
    table = fleet.omnium("status")
    assert table.returncode == 0
    assert wheels.version in table.stdout
    assert fleet.omnium("status", "--output", "ids").stdout == f"{wheels.version}\n"


def test_the_rules_can_be_imported_in_no_process_but_a_worker(fleet: RunningFleet) -> None:
    pids = [fleet.endpoints.pid, *(one["pid"] for one in fleet.processes("router"))]
    for pid in pids:
        environment = psutil.Process(pid).environ()
        assert "PYTHONPATH" not in environment
        assert "-P" in psutil.Process(pid).cmdline()


def test_a_token_is_made_by_the_homes_key_and_counts_at_once(fleet: RunningFleet) -> None:
    made = fleet.omnium(
        "token", "create", "--sub", "ann", "--role", "viewer", "--event", "demo", "--output", "json"
    )
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    assert (told["sub"], told["roles"], told["events"]) == ("ann", ["viewer"], ["demo"])
    with fleet.client() as client:
        client.token = told["token"]
        assert client.get("/events/demo")["code"] == "demo"
    refused = fleet.omnium("token", "create", "--sub", "feed", "--source", "feed", "--role", "viewer")
    assert refused.returncode == 2
    assert "An integration has no roles" in refused.stderr.splitlines()[-1]


def test_the_database_is_up_to_this_build(fleet: RunningFleet) -> None:
    assert fleet.omnium("db", "status").returncode == 0
    again = fleet.omnium("db", "migrate", "--output", "json")
    assert json.loads(again.stdout) == {"applied": []}


def test_two_homes_on_one_machine_do_not_meet(fleet: RunningFleet, victim: RunningFleet) -> None:
    first, second = fleet.endpoints, victim.endpoints
    assert first.router != second.router
    assert first.grpc != second.grpc
    assert first.database.rpartition("@")[2] != second.database.rpartition("@")[2]
    event = fleet.make_event()
    with victim.client() as client:
        with pytest.raises(NotFound, match=event):
            client.get(f"/events/{event}")
        client.token = first.tokens["admin"]
        with pytest.raises(Unauthenticated):
            client.get("/events/demo")


def test_a_home_without_a_release_names_the_flag_and_leaves_nothing(empty_home: Home, tmp_path: Path) -> None:
    failed = omnium("up", "--home", empty_home.root, "--port", "0", "--detach", cwd=tmp_path)
    assert failed.returncode == 2
    assert "--flows" in failed.stderr.splitlines()[-1]
    assert processes_of(empty_home) == []
    assert not empty_home.endpoints.exists()


def test_a_deep_home_without_a_release_takes_the_wheels_in_dist(
    empty_home: Home, tmp_path: Path, wheels: WheelPair
) -> None:
    (tmp_path / "dist").symlink_to(wheels.flows.parent)
    deep = Home(empty_home.root.joinpath(*["a-folder-with-a-long-name"] * 6))
    started = omnium("up", "--home", deep.root, "--port", "0", "--detach", cwd=tmp_path)
    try:
        assert started.returncode == 0, started.stderr
        assert wheels.version in omnium("status", "--home", deep.root, "--output", "ids").stdout
    finally:
        omnium("down", "--home", deep.root)
    assert processes_of(deep) == []


def test_another_postgresql_is_used_and_left_running(
    empty_home: Home, empty_database: Database, wheels: WheelPair
) -> None:
    variables = {"OMNIUM_DATABASE_URL": empty_database.dsn}
    args = ("--home", empty_home.root)
    started = omnium("up", *args, "--port", "0", "--detach", "--flows", wheels.flows, variables=variables)
    try:
        assert started.returncode == 0, started.stderr
        running = RunningFleet(empty_home)
        assert running.endpoints.database == empty_database.dsn
        assert running.status()["database"] == {"embedded": False, "pid": None, "restarts": 0}
        assert not empty_home.postgres.exists()
    finally:
        omnium("down", *args)
    assert omnium("db", "status", "--database", empty_database.dsn).returncode == 0


def test_a_wheel_that_is_none_is_refused_with_its_reason_as_the_last_line(
    empty_home: Home, tmp_path: Path, wheels: WheelPair
) -> None:
    broken = tmp_path / wheels.flows.name
    broken.write_bytes(b"no zip")
    (tmp_path / wheels.contract.name).symlink_to(wheels.contract)
    failed = omnium("up", "--home", empty_home.root, "--port", "0", "--detach", "--flows", broken)
    assert failed.returncode == 1
    assert wheels.flows.name in failed.stderr.splitlines()[-1]
    assert processes_of(empty_home) == []


def test_a_taken_port_is_refused_and_leaves_nothing(empty_home: Home, wheels: WheelPair) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        failed = omnium("up", "--home", empty_home.root, "--port", port, "--detach", "--flows", wheels.flows)
    assert failed.returncode == 2
    assert re.search(rf"Port {port} is taken .*--port", failed.stderr.splitlines()[-1])
    assert processes_of(empty_home) == []


def test_down_in_a_home_where_nothing_ran_says_so(empty_home: Home) -> None:
    ended = omnium("down", "--home", empty_home.root)
    assert (ended.returncode, ended.stdout) == (0, f"Nothing ran in {empty_home.root}.\n")
    status = omnium("status", "--home", empty_home.root, "--output", "json")
    assert status.returncode == 5
    assert json.loads(status.stdout)["running"] is False
    assert "omnium up" in status.stderr.splitlines()[-1]


def foreground(home: Home, wheels: WheelPair) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "omnium", "up", "--home", str(home.root), "--port", "0"]
    return subprocess.Popen(
        [*command, "--flows", str(wheels.flows)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=ROOT,
        start_new_session=True,
    )


def test_ctrl_c_stops_all_and_the_next_start_goes_on_with_the_data(
    empty_home: Home, wheels: WheelPair
) -> None:
    with foreground(empty_home, wheels) as process:
        assert process.stdout is not None
        said = ""
        while "Ctrl-C stops it" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        running = RunningFleet(empty_home)
        tokens = running.endpoints.tokens
        match = running.make_match(running.make_event())
        accepted(running.send(match, "match_start", home=match.home, away=match.away))
        before = running.board(match)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of its group
        assert process.wait(timeout=60) == 0
    assert processes_of(empty_home) == []
    assert not empty_home.endpoints.exists()
    again = omnium("up", "--home", empty_home.root, "--port", "0", "--detach")
    try:
        assert again.returncode == 0, again.stderr
        assert running.board(match) == before
        assert running.endpoints.tokens == tokens
        accepted(running.send(match, "goal", entry=match.home, kind="header", minute=1))
    finally:
        omnium("down", "--home", empty_home.root)


def test_ctrl_c_while_it_starts_leaves_nothing(empty_home: Home, wheels: WheelPair) -> None:
    with foreground(empty_home, wheels) as process:
        assert process.stdout is not None
        assert "database is up" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    assert process.returncode == 5, said
    assert "Stopped before it was up" in said.splitlines()[-1]
    assert processes_of(empty_home) == []


def test_whatever_is_killed_comes_back_and_the_match_goes_on(victim: RunningFleet) -> None:
    match = victim.make_match(victim.make_event())
    accepted(victim.send(match, "match_start", home=match.home, away=match.away))
    for minute, kind in enumerate(("worker", "router"), 1):
        killed = victim.kill(kind)
        victim.until_ready(but=killed)
        accepted(victim.send(match, "goal", entry=match.home, kind="header", minute=minute))
    server = EmbeddedServer(victim.home.postgres)
    postmaster = server.pid()
    assert postmaster
    os.kill(postmaster, signal.SIGKILL)
    until(lambda: server.pid() not in (None, postmaster), "PostgreSQL runs again")
    victim.until_ready()
    answer = accepted(victim.send(match, "goal", entry=match.home, kind="header", minute=3))
    assert (answer["seq"], victim.board(match)["state"]["goals"][match.home]) == (4, 3)
    status = victim.status()
    assert status["database"]["restarts"] == 1
    assert all(one["restarts"] >= 1 for one in status["processes"])


def test_after_its_supervisor_was_killed_a_home_goes_down_and_up_again(victim: RunningFleet) -> None:
    match = victim.make_match(victim.make_event())
    os.kill(victim.endpoints.pid, signal.SIGKILL)
    ended = victim.omnium("down")
    assert (ended.returncode, "is stopped" in ended.stdout) == (0, True)
    assert processes_of(victim.home) == []
    assert victim.omnium("up", "--port", "0", "--detach").returncode == 0
    os.kill(victim.endpoints.pid, signal.SIGKILL)
    assert victim.omnium("up", "--port", "0", "--detach").returncode == 0
    accepted(victim.send(match, "match_start", home=match.home, away=match.away))
    status = victim.until_ready()
    running = [one.pid for one in processes_of(victim.home) if "omnium_worker" in one.cmdline()]
    assert sorted(running) == sorted(one["pid"] for one in status["processes"] if one["kind"] == "worker")
