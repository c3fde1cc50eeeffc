"""Real child processes: kept, ended, rolled, and never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from omnium_deploy.backoff import Backoff
from omnium_deploy.fleet_state import DatabaseState, FleetState, ProcessState
from omnium_deploy.home import Home
from omnium_deploy.identities import birth
from omnium_deploy.kept import Kept
from omnium_deploy.local import LocalBackend
from omnium_deploy.pools import PoolKey
from omnium_deploy.processes import Launch
from omnium_deploy.strays import sweep

QUICK = Backoff(first_s=0.01, most_s=0.05, calm_s=60)
KEY = PoolKey("0.9.0")
FOREVER = "import signal; signal.pause()"
#: Does not hear that it should end, and has a child that does not either.
DEAF = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.fork()
print(os.getpid(), flush=True)
while True: signal.pause()
"""


def launch(folder: Path, code: str, name: str = "child") -> Launch:
    return Launch(name, (sys.executable, "-S", "-c", code), dict(os.environ), folder / f"{name}.log")


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(60):
        while not happened():  # noqa: ASYNC110  processes of the system set no events
            await asyncio.sleep(0.01)


def is_alive(pid: int) -> bool:
    return birth(pid) is not None


def has_ended(pid: int) -> bool:
    return not is_alive(pid)


async def test_a_process_that_is_killed_is_started_again(tmp_path: Path) -> None:
    kept = Kept(launch(tmp_path, FOREVER), backoff=QUICK)
    kept.start()
    await until(lambda: kept.state.pid)
    first = kept.state.pid
    assert first
    os.kill(first, signal.SIGKILL)
    await until(lambda: kept.state.pid not in (None, first))
    assert (kept.state.restarts, kept.state.last_exit) == (1, -signal.SIGKILL)
    second = kept.state.pid
    await kept.stop(grace_s=5)
    assert second
    assert not is_alive(second)


async def test_what_a_process_prints_is_appended_to_its_log_over_its_lives(tmp_path: Path) -> None:
    kept = Kept(launch(tmp_path, "print('I lived')"), backoff=QUICK)
    kept.start()
    await until(lambda: kept.state.restarts >= 3)
    await kept.stop(grace_s=5)
    assert (tmp_path / "child.log").read_text().splitlines()[:3] == ["I lived"] * 3


async def test_a_process_that_does_not_hear_is_killed_with_its_children(
    tmp_path: Path,
) -> None:
    kept = Kept(launch(tmp_path, DEAF))
    kept.start()
    log = tmp_path / "child.log"
    await until(lambda: log.exists() and len(log.read_text().split()) == 2)
    pids = [int(text) for text in log.read_text().split()]
    await kept.stop(grace_s=0.1)
    await until(lambda: not any(is_alive(pid) for pid in pids))


async def test_a_process_that_is_stopped_while_it_is_being_started_does_not_stay(tmp_path: Path) -> None:
    kept = Kept(launch(tmp_path, FOREVER))
    kept.start()
    await asyncio.sleep(0)
    await kept.stop(grace_s=5)
    assert kept.state.pid is None


async def test_a_program_that_does_not_exist_is_tried_again_and_harms_nobody(tmp_path: Path) -> None:
    kept = Kept(Launch("none", (str(tmp_path / "none"),), {}, tmp_path / "none.log"), backoff=QUICK)
    kept.start()
    await until(lambda: kept.state.restarts >= 2)
    await kept.stop(grace_s=1)


async def test_a_stuck_process_is_killed_and_one_of_which_nobody_knows_is_not(tmp_path: Path) -> None:
    kept = Kept(launch(tmp_path, FOREVER), backoff=QUICK)
    kept.start()
    await until(lambda: kept.state.pid)
    first = kept.state.pid
    kept.note(well=None, stuck_after_s=0)
    await asyncio.sleep(0.05)
    kept.note(well=None, stuck_after_s=0)
    assert kept.state.pid == first
    await asyncio.sleep(0.05)
    kept.note(well=False, stuck_after_s=0.01)
    await until(lambda: kept.state.restarts == 1)
    await kept.stop(grace_s=5)


async def pool_of(folder: Path, size: int, code: str = FOREVER) -> LocalBackend:
    backend = LocalBackend(lambda key, slot: launch(folder, code, f"worker-{slot}"), drain_s=5, roll_s=5)
    await backend.resize(KEY, size)
    await until(lambda: len(pids(backend)) == size)
    return backend


def pids(backend: LocalBackend) -> list[int]:
    return [state.pid for _, state in backend.states() if state.pid]


async def test_a_pool_has_as_many_processes_as_it_was_told(tmp_path: Path) -> None:
    backend = await pool_of(tmp_path, 3)
    all_three = pids(backend)
    await backend.resize(KEY, 1)
    assert pids(backend) == all_three[:1]
    await until(lambda: not any(is_alive(pid) for pid in all_three[1:]))
    await backend.close()
    assert await backend.sizes() == {}
    assert not is_alive(all_three[0])


async def test_a_roll_replaces_one_at_a_time_and_only_after_the_new_one_serves(tmp_path: Path) -> None:
    backend = await pool_of(tmp_path, 2)
    old = pids(backend)
    backend.note([(KEY, pid) for pid in old], stuck_after_s=60)
    rolling = asyncio.create_task(backend.roll(KEY))
    for replaced in (1, 2):
        await until(lambda: len(pids(backend)) == 3)
        assert await backend.sizes() == {KEY: 2}
        assert [pid for pid in old if is_alive(pid)] == old[replaced - 1 :]
        backend.note([(KEY, pid) for pid in pids(backend)], stuck_after_s=60)
        await until(partial(has_ended, old[replaced - 1]))
    await rolling
    assert len(pids(backend)) == 2
    assert not set(pids(backend)) & set(old)
    await backend.close()


async def test_a_roll_whose_new_worker_never_serves_leaves_the_old_ones(tmp_path: Path) -> None:
    backend = LocalBackend(lambda key, slot: launch(tmp_path, FOREVER, f"w-{slot}"), drain_s=5, roll_s=0.2)
    await backend.resize(KEY, 2)
    await until(lambda: len(pids(backend)) == 2)
    old = pids(backend)
    await backend.roll(KEY)
    assert pids(backend) == old
    await backend.close()


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that keeps one child and prints its pid."""
    code = textwrap.dedent("""
        import asyncio, os, sys
        from pathlib import Path
        from omnium_deploy.processes import Launch, Process
        async def main():
            command = (sys.executable, "-S", "-c", "import signal; signal.pause()")
            process = await Process.start(Launch("child", command, dict(os.environ), Path(sys.argv[1])))
            print(process.pid, flush=True)
            await process.wait()
        asyncio.run(main())
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "child.log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the next start ends what was left")
async def test_a_child_ends_with_a_supervisor_that_was_killed(supervisor: subprocess.Popen[bytes]) -> None:
    assert supervisor.stdout is not None
    child = int(supervisor.stdout.readline())
    assert is_alive(child)
    supervisor.kill()
    await until(lambda: not is_alive(child))


def left(pid: int | None, born: str, name: str = "router") -> FleetState:
    process = ProcessState(name, "router", pid, born, well=True, restarts=0, last_exit=None)
    return FleetState(1, "up", "", DatabaseState(embedded=True, pid=None, restarts=0), (process,), ())


def test_what_a_killed_supervisor_left_is_ended_by_the_next_start(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    with subprocess.Popen([sys.executable, "-S", "-c", FOREVER], start_new_session=True) as stray:
        left(stray.pid, birth(stray.pid) or "").write(home)
        assert sweep(home) == ["router"]
        assert stray.wait() == -signal.SIGTERM
    assert sweep(home) == []


def test_another_process_of_that_number_is_left_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare()
    with subprocess.Popen([sys.executable, "-S", "-c", FOREVER], start_new_session=True) as other:
        left(other.pid, "of another birth").write(home)
        assert sweep(home) == []
        assert psutil.pid_exists(other.pid)
        assert other.poll() is None
        other.kill()
