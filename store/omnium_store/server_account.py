"""The system account that the embedded server runs as: ours, or `pgserver` where we are root."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import structlog

from omnium_store.errors import DatabaseAway

SERVER_USER: Final = "pgserver"

log = structlog.get_logger("omnium.embedded")


class AccountError(DatabaseAway):
    """The account of the embedded server can't be made, or can't reach a folder that it needs."""

    default_reason = "embedded_server_account"


@dataclass(frozen=True, slots=True)
class Account:
    """Who runs the server; `uid` is None where that is ourselves."""

    uid: int | None = None
    gid: int | None = None

    @classmethod
    def current(cls) -> Account:
        """Ourselves, unless we are root: PostgreSQL refuses to run as root."""
        if os.geteuid() != 0:
            return cls()
        entry = _entry() or _made()
        return cls(uid=entry.pw_uid, gid=entry.pw_gid)

    def subprocess_arguments(self) -> dict[str, Any]:
        """What makes `subprocess.run` run as it."""
        if self.uid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def give(self, path: Path) -> None:
        """Make `path` its own."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid)

    def let_through(self, folder: Path) -> None:
        """Let it pass (search, not read) `folder` and all above; each that had to be opened is logged."""
        if self.uid is None:
            return
        for place in (folder, *folder.parents):
            mode = place.stat().st_mode
            if not mode & stat.S_IXOTH and place.stat().st_uid != self.uid:
                place.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
                log.info(
                    "embedded.folder_opened", folder=str(place), why=f"{SERVER_USER} must pass through it"
                )

    def let_read(self, tree: Path) -> None:
        """Let it read and run what lies below `tree`, as a strict umask may have forbidden."""
        if self.uid is None or tree.stat().st_mode & stat.S_IROTH:
            return
        for place in (tree, *tree.rglob("*")):
            if not place.is_symlink():
                mode = stat.S_IMODE(place.stat().st_mode)
                place.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _entry() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(SERVER_USER)
    except KeyError:
        return None


def _made() -> pwd.struct_passwd:
    command = _command()
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    entry = _entry()  # somebody else may have made it in the meantime
    if entry is None:
        raise AccountError(
            f"PostgreSQL does not run as root, and the system user {SERVER_USER} can't be made "
            f"({done.stderr.strip()}). Make it, run as another user, or set OMNIUM_DATABASE_URL."
        )
    return entry


def _command() -> list[str]:
    if shutil.which("useradd"):
        return [
            "useradd",
            "--system",
            "--user-group",
            "--no-create-home",
            "--shell",
            "/usr/sbin/nologin",
            SERVER_USER,
        ]
    return ["adduser", "-S", "-D", "-H", "-s", "/sbin/nologin", SERVER_USER]
