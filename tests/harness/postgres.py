"""One PostgreSQL for all processes of a test run, and a fresh migrated database for each test.

It is an embedded one, or the server that OMNIUM_TEST_DATABASE_URL names.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import asyncpg

from omnium_store.embedded import TEST_SETTINGS, EmbeddedServer
from omnium_store.migrations import functions, migrate, numbered

#: Address of a database of another server, whose user may create databases and roles.
SERVER = "OMNIUM_TEST_DATABASE_URL"
TEMPLATE = "omnium_template"
MEMORY = Path("/dev/shm")  # making a database is twenty times as fast there as on a busy disk
ROOM = 2 * 2**30


@dataclass(frozen=True, slots=True)
class Database:
    """A migrated database of one test's own."""

    dsn: str
    name: str

    async def connect(self) -> asyncpg.Connection[asyncpg.Record]:
        """A connection as the owner; close it."""
        return await asyncpg.connect(self.dsn)


@dataclass(frozen=True, slots=True)
class SharedServer:
    """The run's server; `dsn` is of its maintenance database, `template` its migrated one."""

    dsn: str
    template: str = TEMPLATE

    def make(self, *, migrated: bool = True) -> Database:
        """A new database, cloned from the migrated template or empty."""
        name = f"t_{uuid.uuid4().hex[:16]}"
        template = self.template if migrated else "template1"
        _execute(self.dsn, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY wal_log')
        return Database(_with_database(self.dsn, name), name)

    def drop(self, database: Database) -> None:
        """Drop it, whoever is still connected."""
        _execute(self.dsn, f'DROP DATABASE IF EXISTS "{database.name}" WITH (FORCE)')


@contextmanager
def shared_server(run: str) -> Iterator[SharedServer]:
    """Join the server of this test run (`run` names it)."""
    dsn = os.environ.get(SERVER)
    with _given_server(run, dsn) if dsn else _embedded_server(run) as server:
        yield server


@contextmanager
def _given_server(run: str, dsn: str) -> Iterator[SharedServer]:
    """A server that somebody else keeps; the last process to leave drops the run's template."""
    folder = Path(tempfile.gettempdir(), f"omnium-given-{os.getuid()}-{run}")
    server = SharedServer(dsn, f"{TEMPLATE}_{run}")
    me = folder / "users" / str(os.getpid())
    with _turn():
        me.parent.mkdir(parents=True, exist_ok=True)
        me.touch()
        _make_template(dsn, folder, server.template)
    try:
        yield server
    finally:
        with _turn():
            me.unlink(missing_ok=True)
            if not _alive(me.parent):
                _execute(dsn, f'DROP DATABASE IF EXISTS "{server.template}"')
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _embedded_server(run: str) -> Iterator[SharedServer]:
    """A server of this run alone; the last process to leave stops and removes it."""
    folder = _fast_folder() / f"omnium-test-{os.getuid()}-{run}"
    server = EmbeddedServer(folder / "pg", settings=TEST_SETTINGS)
    users = folder / "users"
    me = users / str(os.getpid())
    with _turn():
        _sweep(folder.parent)
        users.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o711)
        me.touch()
        dsn = server.start()
        _make_template(dsn, folder, TEMPLATE)
    try:
        yield SharedServer(dsn)
    finally:
        with _turn():
            me.unlink(missing_ok=True)
            _sweep(folder.parent)


@contextmanager
def server_folder() -> Iterator[Path]:
    """A short folder that a server of another user may reach (`tmp_path` lies below a private one)."""
    folder = Path(tempfile.mkdtemp(prefix="omnium-", dir=_fast_folder()))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Stop and remove the servers whose runs are over, those of killed runs as well."""
    for folder in parent.glob(f"omnium-test-{os.getuid()}-*"):
        if not _alive(folder / "users"):
            EmbeddedServer(folder / "pg").stop()
            shutil.rmtree(folder, ignore_errors=True)


def _fast_folder() -> Path:
    """Memory where there is room for it, else the temporary folder."""
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM:
        return MEMORY
    return Path(tempfile.gettempdir())


def run_name() -> str:
    """One name for all xdist workers of a run, another for every other run."""
    return os.environ.get("PYTEST_XDIST_TESTRUNUID", f"pid{os.getpid()}")[:12]


def _make_template(dsn: str, folder: Path, template: str) -> None:
    """Migrated once a run; a stamp says from which files."""
    stamp = folder / "template"
    wanted = hashlib.sha256(
        "".join(one.checksum for one in (*numbered("pre"), *functions())).encode()
    ).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    _execute(dsn, f'DROP DATABASE IF EXISTS "{template}"')
    _execute(dsn, f'CREATE DATABASE "{template}"')
    asyncio.run(migrate(_with_database(dsn, template)))
    stamp.write_text(wanted)


def _execute(dsn: str, sql: str) -> None:
    async def go() -> None:
        connection = await asyncpg.connect(dsn)
        try:
            await connection.execute(sql)
        finally:
            await connection.close()

    asyncio.run(go())


def _with_database(dsn: str, name: str) -> str:
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


@contextmanager
def _turn() -> Iterator[None]:
    with Path(tempfile.gettempdir(), f"omnium-test-{os.getuid()}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _alive(users: Path) -> bool:
    """Whether another process of this run still uses the server; one that was killed does not count."""
    return users.is_dir() and any(_is_process(int(user.name)) for user in users.iterdir())


def _is_process(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
