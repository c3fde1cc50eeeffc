"""The embedded server: started, found running, stopped, killed, in deep folders, and beside stale files."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest

from omnium_store.embedded import TEST_SETTINGS, EmbeddedServer, EmbeddedServerError, free_port
from omnium_store.epoch import epoch


async def one(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def epoch_of(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    try:
        return await epoch(connection)
    finally:
        await connection.close()


def short_folders() -> list[str]:
    return [str(folder) for folder in Path(tempfile.gettempdir()).glob("omnium-pg-*")]


def wait_until_gone(pid: int) -> None:
    """Until the process has ended; as a zombie that nobody collects it has."""
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.01)


async def test_it_starts_once_answers_and_stops(private_server: EmbeddedServer) -> None:
    dsn = private_server.dsn()
    assert await one(dsn, "SELECT current_setting('server_version_num')::int / 10000") == 18
    assert await one(dsn, "SHOW max_connections") == "300"
    assert await one(dsn, "SHOW listen_addresses") == "127.0.0.1"
    assert (private_server.start(), private_server.is_running()) == (dsn, True)
    private_server.stop()
    private_server.stop()
    assert not private_server.is_running()
    assert private_server.start() == dsn


async def test_only_who_has_the_password_comes_in(private_server: EmbeddedServer) -> None:
    file = private_server.home / "password"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((private_server.home / "data").stat().st_mode) == 0o700
    parts = urlsplit(private_server.dsn())
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(
            host=parts.hostname, port=parts.port, user="omnium", password="x", database="omnium"
        )


async def test_after_a_kill_it_comes_back_on_its_port_with_what_was_committed_and_a_new_epoch(
    private_server: EmbeddedServer,
) -> None:
    dsn = private_server.dsn()
    await one(
        dsn, "CREATE UNLOGGED TABLE database_epoch (is_single bool PRIMARY KEY DEFAULT true, token text)"
    )
    await one(dsn, "CREATE TABLE kept AS SELECT 7 AS number")
    before = await epoch_of(dsn)
    private_server.stop()
    private_server.start()
    assert await epoch_of(dsn) == before

    pid = private_server.pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    wait_until_gone(pid)
    assert private_server.start() == dsn
    assert await one(dsn, "SELECT number FROM kept") == 7
    assert await epoch_of(dsn) != before


async def test_a_pid_file_whose_number_is_another_process_by_now_is_stale(
    private_server: EmbeddedServer,
) -> None:
    pid_file = private_server.home / "data" / "postmaster.pid"
    lines = pid_file.read_text().splitlines()
    private_server.stop()
    pid_file.write_text("\n".join([str(os.getpid()), *lines[1:]]) + "\n")
    assert not private_server.is_running()
    assert await one(private_server.start(), "SELECT 1") == 1


async def test_a_home_deeper_than_a_socket_path_may_be_is_no_trouble(server_home: Path) -> None:
    deep = server_home / "/".join(["a folder with a long name"] * 5)
    server = EmbeddedServer(deep, settings=TEST_SETTINGS)
    try:
        folder = str(await one(server.start(), "SHOW unix_socket_directories"))
        assert folder in short_folders()
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    finally:
        server.stop()
    assert folder not in short_folders()


async def test_two_who_start_one_home_at_once_get_one_server(server_home: Path) -> None:
    server = EmbeddedServer(server_home / "pg", settings=TEST_SETTINGS)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(lambda _: server.start(), range(2))
    assert first == second
    assert await one(first, "SELECT 1") == 1
    server.stop()


async def test_a_kept_port_that_somebody_else_took_is_given_up(private_server: EmbeddedServer) -> None:
    private_server.stop()
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", urlsplit(private_server.dsn()).port or 0))
        taken.listen()
        fixed = EmbeddedServer(private_server.home, port=taken.getsockname()[1], settings=TEST_SETTINGS)
        with pytest.raises(EmbeddedServerError, match="could not bind"):
            fixed.start()
        assert await one(private_server.start(), "SELECT 1") == 1


AS_SOMEBODY = """
import os, pwd, sys
from pathlib import Path
from omnium_store.embedded import TEST_SETTINGS, EmbeddedServer
import omnium_store.server_account, omnium_store.server_files
account = pwd.getpwnam("pgserver")
os.chown(sys.argv[1], account.pw_uid, account.pw_gid)
os.setgroups([]); os.setgid(account.pw_gid); os.setuid(account.pw_uid)
server = EmbeddedServer(Path(sys.argv[1]) / "pg", settings=TEST_SETTINGS)
server.start()
print(server.is_running(), (server.home / "data").stat().st_uid == os.getuid() != 0)
server.stop()
print(server.is_running())
"""


@pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can be somebody else; all other tests cover not being root"
)
def test_it_runs_as_whoever_starts_it_unless_that_is_root(server_home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AS_SOMEBODY, str(server_home)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-3:] == ["True", "True", "False"]


async def test_a_chosen_port_is_the_port(server_home: Path) -> None:
    port = free_port()
    server = EmbeddedServer(server_home / "pg", port=port, settings=TEST_SETTINGS)
    assert urlsplit(server.start()).port == port
    server.stop()
