"""What component code prints: caught, and told to the log with the component's key."""

from __future__ import annotations

import io
import sys
from typing import Final, TextIO

from omnium_worker.stage import Stage

#: Characters that one call may say; the rest is counted and dropped.
LONGEST: Final = 8192


class Voice(io.TextIOBase):
    """A stream that is the process's own, except while a component is on stage."""

    def __init__(self, stage: Stage, stream: TextIO) -> None:
        super().__init__()
        self._stage = stage
        self._stream = stream
        self._heard: list[str] = []
        #: Characters that components said since the last `take`.
        self.length = 0

    def write(self, text: str) -> int:
        if self._stage.key is None:
            return self._stream.write(text)
        room = LONGEST - self.length
        if room > 0:
            self._heard.append(text[:room])
        self.length += len(text)
        return len(text)

    def take(self) -> str:
        """What components said since the last time."""
        said = "".join(self._heard).rstrip("\n")
        dropped = max(self.length - LONGEST, 0)
        self._heard.clear()
        self.length = 0
        return f"{said} … and {dropped} characters more" if dropped else said

    def flush(self) -> None:
        self._stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> str:  # type: ignore[override]  # typeshed has it as a plain attribute
        return self._stream.encoding


class Voices:
    """Standard output and standard error of the process, both caught."""

    __slots__ = ("_err", "_out")

    def __init__(self, stage: Stage) -> None:
        """Put a `Voice` before each of the two streams, under both of their names."""
        self._out, self._err = Voice(stage, sys.stdout), Voice(stage, sys.stderr)
        sys.stdout = sys.__stdout__ = self._out  # type: ignore[assignment, misc]  # a TextIO in all but name
        sys.stderr = sys.__stderr__ = self._err  # type: ignore[assignment, misc]

    def has_heard(self) -> bool:
        """Whether a component said something since the last `take`."""
        return bool(self._out.length or self._err.length)

    def take(self) -> str:
        """What components said since the last time."""
        return "\n".join(filter(None, (self._out.take(), self._err.take())))
