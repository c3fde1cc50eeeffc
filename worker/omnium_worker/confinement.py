"""What component code may touch of the machine: nothing but reading what it was imported from.

An audit hook, switched on for the component's thread alone, refuses sockets, writing, processes and threads.
It stops mistakes, not malice: plugin code is trusted to be ours, not to be right (docs/security.md).
"""

from __future__ import annotations

import _thread
import os
import sys
import sysconfig
import threading
import zoneinfo
from collections.abc import Callable, Iterable
from typing import Any, Final

from omnium_worker.stage import Stage

#: Events that only look; allowed where the path lies under a readable folder.
_LOOKS: Final = frozenset(
    {
        "glob.glob",
        "glob.glob/2",
        "os.fwalk",
        "os.getxattr",
        "os.listdir",
        "os.listxattr",
        "os.scandir",
        "os.walk",
    }
)
#: Every other event that begins so is refused.
_REFUSED: Final = (
    "_thread.start",
    "builtins.input",
    "ctypes.",
    "fcntl.",
    "ftplib.",
    "http.client.",
    "imaplib.",
    "mmap.",
    "nntplib.",
    "os.",
    "poplib.",
    "pty.",
    "resource.",
    "shutil.",
    "signal.",
    "smtplib.",
    "socket.",
    "sqlite3.",
    "subprocess.",
    "sys.addaudithook",
    "sys.setprofile",
    "sys.settrace",
    "syslog.",
    "telnetlib.",
    "tempfile.",
    "urllib.",
    "webbrowser.",
)
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class ConfinementError(PermissionError):
    """A component reached for what it may not have. The message says what, and what to do instead."""


class Confinement:
    """The audit hook. Installed once in a process; an audit hook can't be taken out again."""

    __slots__ = ("_readable", "_stage", "_thread", "refused")

    def __init__(self, stage: Stage, readable: Iterable[str]) -> None:
        self._stage = stage
        self._readable = tuple({os.path.join(os.path.realpath(folder), "") for folder in readable})
        self._thread = 0
        #: What was refused since it was last emptied: a component may swallow the error, not the fact.
        self.refused: list[str] = []

    def install(self) -> None:
        """Confine the calling thread from now on, whenever a component is on stage."""
        self._thread = threading.get_ident()
        sys.dont_write_bytecode = True  # a lazy import in a component must not want to write
        sys.addaudithook(self._hook)
        # Python 3.11 starts threads without an audit event
        start = self._guarded(_thread.start_new_thread)
        _thread.start_new_thread = threading._start_new_thread = start  # type: ignore[attr-defined]

    def _guarded(self, start: Callable[..., int]) -> Callable[..., int]:
        def start_new_thread(*args: Any, **kwargs: Any) -> int:
            self._hook("_thread.start_new_thread", ())
            return start(*args, **kwargs)

        return start_new_thread

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if self._stage.key is None or threading.get_ident() != self._thread:
            return
        if event == "open":
            self._judge_open(*args)
        elif event in _LOOKS:
            self._judge_look(event, args[0])
        elif event.startswith(_REFUSED):
            self._refuse(event)

    def _judge_open(self, path: Any, _mode: Any, flags: Any) -> None:
        if isinstance(flags, int) and flags & _WRITING:
            self._refuse(f"writing to {path}")
        self._judge_look("open", path)

    def _judge_look(self, event: str, path: Any) -> None:
        if isinstance(path, int) or not self._is_readable(path):
            self._refuse(f"{event} of {path}")

    def _is_readable(self, path: Any) -> bool:
        real = os.path.realpath(os.fsdecode(path if path is not None else "."))
        return os.path.join(real, "").startswith(self._readable)

    def _refuse(self, what: str) -> None:
        self.refused.append(what)
        raise ConfinementError(
            f"A component may not touch the machine ({what} was refused). "
            "Rules only compute: what they need comes in their context."
        )


def readable_folders(*more: str | os.PathLike[str]) -> list[str]:
    """Where a component may read: the standard library, installed packages, time zones and `more`."""
    own = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders = [*own, *sys.path, *zoneinfo.TZPATH, *(os.fspath(folder) for folder in more)]
    return [folder for folder in dict.fromkeys(folders) if folder]
