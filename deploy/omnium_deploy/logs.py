"""The log files of a home: their last lines, and setting aside those that have grown long."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

_TAIL_BYTES = 16_384


class LogFile:
    """A log of our own that is appended to. A full disk loses lines and stops nobody."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def write(self, text: str) -> int:
        """Append it, if there is room."""
        with contextlib.suppress(OSError):
            os.write(self._descriptor, text.encode())
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        """Close it."""
        os.close(self._descriptor)


def last_lines(path: Path, count: int) -> list[str]:
    """The last lines of a log; none when there is no such file."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            return file.read().decode(errors="replace").splitlines()[-count:]
    except FileNotFoundError:
        return []


def set_aside(folder: Path, *, most_bytes: int) -> list[Path]:
    """Copy each log that is too long to `NAME.log.1` and empty it; gives those that were.

    Emptied and not renamed, since the processes hold their files open to append.
    """
    long = [path for path in sorted(folder.glob("*.log")) if path.stat().st_size > most_bytes]
    for path in long:
        shutil.copyfile(path, path.with_name(f"{path.name}.1"))
        os.truncate(path, 0)
    return long
