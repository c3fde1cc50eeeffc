"""Watches what a release does while it is imported: a clean import computes, and touches nothing else."""

from __future__ import annotations

import _thread
import os
import sys
import sysconfig
import tempfile
import threading
import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FORBIDDEN = {
    "socket": "uses the network",
    "subprocess": "starts a process",
    "os.system": "starts a process",
    "os.exec": "starts a process",
    "os.fork": "starts a process",
    "os.forkpty": "starts a process",
    "os.posix_spawn": "starts a process",
    "os.spawn": "starts a process",
    "pty.spawn": "starts a process",
    "os.putenv": "changes the environment",
    "os.unsetenv": "changes the environment",
    "os.remove": "removes a file",
    "os.rmdir": "removes a folder",
    "os.rename": "renames a file",
    "os.mkdir": "makes a folder",
    "os.link": "makes a link",
    "os.symlink": "makes a link",
    "os.truncate": "writes a file",
    "os.chmod": "changes a file's mode",
    "ctypes.dlopen": "loads native code",
}


class ImportWatch:
    """An audit hook that refuses and remembers. Python can't take a hook back: the process should end."""

    def __init__(self, folder: Path) -> None:
        self.problems: list[str] = []
        self._armed = False
        self._readable = tuple(_readable(folder))
        sys.addaudithook(self._hear)

    @contextmanager
    def watching(self, what: str) -> Iterator[None]:
        """Watch the block, and say of each problem that it was `what`."""
        before = len(self.problems)
        with _captured_output() as output, self._without_threads():
            self._armed = True
            try:
                yield
            finally:
                self._armed = False
                sys.stdout.flush()
                sys.stderr.flush()
        if output:
            self.problems.append(f"prints {output.decode(errors='replace').strip()[:200]!r}")
        found = dict.fromkeys(self.problems[before:])
        self.problems[before:] = [f"{what}: {problem} while it is imported" for problem in found]

    @contextmanager
    def _without_threads(self) -> Iterator[None]:
        """Starting a thread raises no audit event, so its functions are others for a while."""
        places = [
            (module, name)
            for module in (_thread, threading)
            for name in ("start_new_thread", "start_new", "start_joinable_thread", "_start_new_thread")
            if hasattr(module, name)
        ]
        kept = [getattr(module, name) for module, name in places]
        for module, name in places:
            setattr(module, name, self._start_no_thread)
        try:
            yield
        finally:
            for (module, name), function in zip(places, kept, strict=True):
                setattr(module, name, function)

    def _start_no_thread(self, *_: object, **__: object) -> None:
        self.problems.append("starts a thread")
        raise PermissionError("starts a thread")

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._armed:
            return
        problem = self._opening(*arguments) if event == "open" else _forbidden(event)
        if problem:
            self.problems.append(problem)
            raise PermissionError(problem)

    def _opening(self, path: object, mode: str | None, flags: int | None) -> str | None:
        if isinstance(path, int):
            return None  # a descriptor: whoever opened it was asked
        name = os.fsdecode(path) if isinstance(path, str | bytes) else str(path)
        if (flags or 0) & _WRITING or any(letter in (mode or "r") for letter in "wax+"):
            return f"writes {name}"
        place = Path(os.path.realpath(name))
        return None if any(place.is_relative_to(root) for root in self._readable) else f"reads {name}"


def _forbidden(event: str) -> str | None:
    problem = _FORBIDDEN.get(event) or _FORBIDDEN.get(event.partition(".")[0])
    return f"{problem} ({event})" if problem else None


def _readable(folder: Path) -> Iterator[Path]:
    """Where a plugin may read: its release, the standard library, the platform's environment, time zones."""
    yield folder.resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib"):
        yield Path(sysconfig.get_path(name)).resolve()
    yield from (Path(path).resolve() for path in (*sys.path, *zoneinfo.TZPATH))
    if sys.pycache_prefix:
        yield Path(sys.pycache_prefix).resolve()


@contextmanager
def _captured_output() -> Iterator[bytearray]:
    """What the block writes to descriptors 1 and 2 is in the bytes that it gives, once it has ended."""
    output = bytearray()
    kept = {number: os.dup(number) for number in (1, 2)}
    with tempfile.TemporaryFile() as file:
        for number in kept:
            os.dup2(file.fileno(), number)
        try:
            yield output
        finally:
            for number, copy in kept.items():
                os.dup2(copy, number)
                os.close(copy)
            file.seek(0)
            output += file.read(10_000)
