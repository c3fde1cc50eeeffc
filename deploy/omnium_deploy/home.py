"""The home folder of one fleet on this machine: where things lie, who may read them, who runs there."""

from __future__ import annotations

import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

DEFAULT_HOME = Path(".omnium")
PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


@dataclass(frozen=True, slots=True)
class Home:
    """Paths below one home folder. `root` is absolute."""

    root: Path

    @classmethod
    def at(cls, folder: Path | None) -> Home:
        """The home at `folder`, at $OMNIUM_HOME, or in the current folder."""
        chosen = folder or Path(os.environ.get("OMNIUM_HOME") or DEFAULT_HOME)
        return cls(chosen.expanduser().absolute())

    @property
    def keys(self) -> Path:
        """Token key and fleet key."""
        return self.root / "keys"

    @property
    def cache(self) -> Path:
        """Unpacked releases, by their hashes."""
        return self.root / "cache"

    @property
    def postgres(self) -> Path:
        """The embedded database."""
        return self.root / "postgres"

    @property
    def log(self) -> Path:
        """One file of JSON lines a process."""
        return self.root / "log"

    @property
    def supervisor_log(self) -> Path:
        """What the supervisor logs."""
        return self.log / "supervisor.log"

    @property
    def run(self) -> Path:
        """The lock and what the supervisor says of itself."""
        return self.root / "run"

    @property
    def endpoints(self) -> Path:
        """Addresses and tokens; there only while the fleet answers."""
        return self.root / "endpoints.json"

    @property
    def lock(self) -> Path:
        """Held by the supervisor as long as it lives."""
        return self.run / "supervisor.lock"

    @property
    def state(self) -> Path:
        """What the supervisor last said of its processes and pools."""
        return self.run / "fleet.json"

    def exists(self) -> bool:
        """Whether a fleet was ever started here."""
        return self.run.is_dir()

    def prepare(self) -> None:
        """Make the folders. The root may be passed through, since PostgreSQL may run as another user."""
        self.root.mkdir(parents=True, exist_ok=True)
        for folder in (self.keys, self.cache, self.log, self.run):
            folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
            folder.chmod(PRIVATE_FOLDER)


class HomeLock:
    """A lock on a home folder; the system lets go of it when its holder dies, however it dies."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    def take(cls, home: Home) -> HomeLock | None:
        """The lock, or None while another process has it."""
        descriptor = os.open(home.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        return cls(descriptor)

    def release(self) -> None:
        """Let go; the file stays, because removing it would let two processes lock two files of one name."""
        os.close(self._descriptor)


def holder(home: Home) -> int | None:
    """Pid of the process that holds the home, or None when nobody does."""
    try:
        descriptor = os.open(home.lock, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        written = os.pread(descriptor, 32, 0).strip()
        return int(written) if written.isdigit() else 0
    else:
        return None
    finally:
        os.close(descriptor)


def write_private(path: Path, content: str) -> None:
    """Write a file that only its owner may read, whole or not at all."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, PRIVATE_FILE)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
    draft.replace(path)
