"""A release that was changed behind our back is refused by name, and rules come from nowhere else."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

import asyncpg
import psutil
import pytest

import omnium_contract
import omnium_proto
import omnium_releases
import omnium_store
import omnium_worker
from harness.fleet import DEADLINE_S, accepted, until
from harness.rivals import Rivals
from harness.tampering import changed, members
from harness.taps import Tap
from omnium_releases.isolation import isolated_command, isolated_environment
from omnium_store.errors import FleetError

pytestmark = pytest.mark.xdist_group("rivals")

MODULE = "omnium_flows/football/match/goals.py"
#: Exit status 0 where the rules can't be imported.
LOOK = "import importlib.util, sys; sys.exit(importlib.util.find_spec('omnium_flows') is not None)"
Tampering: TypeAlias = Callable[[Rivals, str], AbstractContextManager[str]]


def with_another_rule(wheel: bytes) -> bytes:
    """The wheel with a change in a rule that its RECORD does not know of."""
    (rule,) = (member.content for member in members(wheel) if member.name == MODULE)
    return changed(wheel, MODULE, rule + b"\n")


@contextmanager
def changed_in_the_table(rivals: Rivals, version: str) -> Iterator[str]:
    """Another rule in the stored wheel; gives what must be named."""
    dsn = rivals.fleet.endpoints.database
    kept = asyncio.run(stored_wheel(dsn, version))
    asyncio.run(store_wheel(dsn, version, with_another_rule(kept)))
    try:
        yield MODULE
    finally:
        asyncio.run(store_wheel(dsn, version, kept))


@contextmanager
def changed_in_the_cache(rivals: Rivals, version: str) -> Iterator[str]:
    """Another rule in the folder that workers run from."""
    module = unpacked(rivals, version) / MODULE
    kept = module.read_bytes()
    module.chmod(0o644)
    module.write_bytes(kept + b"\n")
    try:
        yield MODULE
    finally:
        module.write_bytes(kept)
        module.chmod(0o444)


@contextmanager
def bytecode_in_the_cache(rivals: Rivals, version: str) -> Iterator[str]:
    """Bytecode that Python would run in place of the source, although every listed file is as it was."""
    name = f"{Path(MODULE).stem}.{sys.implementation.cache_tag}.pyc"
    hidden = (unpacked(rivals, version) / MODULE).parent / "__pycache__" / name
    hidden.parent.mkdir()
    hidden.write_bytes(b"anything")
    try:
        yield name
    finally:
        shutil.rmtree(hidden.parent)


async def stored_wheel(dsn: str, version: str) -> bytes:
    connection = await asyncpg.connect(dsn)
    try:
        content: bytes = await connection.fetchval(
            """SELECT a.content FROM release_artifact a JOIN plugin_release r ON r.id = a.release_id
               WHERE r.version = $1 AND a.kind = 'flows'""",
            version,
        )
    finally:
        await connection.close()
    return content


async def store_wheel(dsn: str, version: str, content: bytes) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(
            """UPDATE release_artifact a SET content = $2 FROM plugin_release r
               WHERE r.id = a.release_id AND r.version = $1 AND a.kind = 'flows'""",
            version, content,
        )  # fmt: skip
    finally:
        await connection.close()


def unpacked(rivals: Rivals, version: str) -> Path:
    """The folder that workers of a release run from."""
    releases = rivals.fleet.home.cache / "releases"
    (folder,) = (info.parent for info in releases.glob(f"*/omnium_flows-{version}.dist-info"))
    return folder


@pytest.mark.parametrize(
    ("tamper", "whose"),
    # in turn: a pool that dies too often is started again ever more slowly
    [(changed_in_the_table, "new"), (changed_in_the_cache, "old"), (bytecode_in_the_cache, "new")],
)
def test_a_release_that_was_tampered_with_is_never_served(
    tamper: Tampering, whose: str, rivals: Rivals
) -> None:
    fleet, corner = rivals.fleet, {"kind": "corner"}
    on_old, on_new = rivals.live_on_both()
    version = getattr(rivals, whose).version
    match, neighbour = (on_old, on_new) if whose == "old" else (on_new, on_old)
    tap = Tap(
        fixture=match.fixture, code="football.stat", key="corner", input={"entry": match.home, **corner}
    )
    told = len(rivals.logged(version, "worker.not_started"))

    def refusals() -> list[dict[str, object]]:
        return rivals.logged(version, "worker.not_started")[told:]

    with tamper(rivals, version) as name:
        killed = rivals.kill(version)
        until(lambda: len(refusals()) >= len(killed), "workers refuse to serve it")
        assert {line["reason"] for line in refusals()} == {"tampered"}
        assert all(name in str(line["message"]) for line in refusals())
        with fleet.client("scorer") as client, pytest.raises(FleetError) as unavailable:
            client.post(tap.path, {"code": tap.code, "input": dict(tap.input), "key": tap.key})
        assert unavailable.value.reason == "release_unavailable"
        assert unavailable.value.metadata["release"] == version
        pools = [pool for pool in fleet.status()["pools"] if pool["version"] == version]
        (live,) = (pool for pool in pools if pool["lane"] == "live")
        assert (live["serving"], live["workers"]) == (0, len(killed))
        accepted(fleet.send(neighbour, "stat", entry=neighbour.home, **corner))
    rivals.until_serving(version, but=killed)
    answer = accepted(fleet.send(match, "stat", key=tap.key, **tap.input))
    assert (answer["duplicate"], answer["release"]) == (False, version)


def test_a_tampered_wheel_is_not_registered(rivals: Rivals, tmp_path: Path) -> None:
    wheel = tmp_path / rivals.new.flows.name
    wheel.write_bytes(with_another_rule(rivals.new.flows.read_bytes()))
    shutil.copy(rivals.new.contract, tmp_path)
    refused = rivals.fleet.omnium("releases", "register", wheel, "--env", "prod", "--yes")
    assert refused.returncode == 1
    assert MODULE in refused.stderr.splitlines()[-1]


def test_the_rules_can_be_imported_in_no_process_of_the_fleet_before_it_enters_its_release(
    rivals: Rivals,
) -> None:
    """Interpreters that are started as each process was: with its flags, its environment, in its folder."""
    pids = [rivals.fleet.endpoints.pid, *(one.pid for one in rivals.state().processes if one.pid)]
    assert len(pids) >= 4
    for pid in pids:
        process = psutil.Process(pid)
        started = process.cmdline()
        flags = started[: started.index("-m")]
        looked = subprocess.run(
            [*flags, "-c", LOOK], env=process.environ(), cwd=process.cwd(), timeout=DEADLINE_S, check=False
        )
        assert looked.returncode == 0, started
        assert "-P" in flags  # else a folder with rules in it would do


def test_the_platforms_own_environment_has_no_rules() -> None:
    looked = subprocess.run(
        [sys.executable, "-c", LOOK], env={"PATH": os.defpath}, cwd="/", timeout=DEADLINE_S, check=False
    )
    assert looked.returncode == 0


def test_a_worker_does_not_serve_where_other_rules_could_be_imported(rivals: Rivals, tmp_path: Path) -> None:
    foreign = environment_with_rules(tmp_path / "venv")
    told = {
        "OMNIUM_DATABASE_URL": rivals.fleet.endpoints.database,
        "OMNIUM_HOME": str(rivals.fleet.home.root),
    }
    command = isolated_command("omnium_worker", "--release", rivals.old.version, cache=tmp_path)
    ended = subprocess.run(
        [str(foreign), *command[1:]],
        env=isolated_environment(told),
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert ended.returncode == 1, ended.stderr
    assert ended.stdout, ended.stderr
    line = json.loads(ended.stdout.splitlines()[-1])
    assert (line["event"], line["reason"]) == ("worker.not_started", "loaded_elsewhere")
    assert "omnium_flows can be imported from" in line["message"]
    assert str(tmp_path) in line["message"]


def environment_with_rules(folder: Path) -> Path:
    """The interpreter of an environment like the platform's, in which somebody has installed rules too."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "omnium_flows").mkdir()
    (packages / "omnium_flows" / "__init__.py").touch()
    (packages / "platform.pth").write_text("\n".join(platform_folders()) + "\n")
    return folder / "bin" / "python"


def platform_folders() -> Sequence[str]:
    """Where the platform's packages and those that they need are imported from here."""
    packages = (omnium_contract, omnium_proto, omnium_releases, omnium_store, omnium_worker, asyncpg)
    return list(dict.fromkeys(str(Path(str(package.__file__)).parents[1]) for package in packages))
