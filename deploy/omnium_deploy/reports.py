"""What a start tells whoever waits for it: people at a terminal, or the command that started a daemon."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Told:
    """A step is done."""

    text: str


@dataclass(frozen=True, slots=True)
class Up:
    """Everything answers. `already`: it did before this start."""

    already: bool


@dataclass(frozen=True, slots=True)
class Failed:
    """Nothing runs: why, the exit code that says so, and the log that knows more."""

    reason: str
    code: int
    log: str | None = None


Report = Told | Up | Failed
_KINDS: dict[str, type[Told] | type[Up] | type[Failed]] = {kind.__name__: kind for kind in (Told, Up, Failed)}


class Reporter(Protocol):
    """Takes reports as they come."""

    def report(self, report: Report) -> None:
        """Tell one."""
        ...


class PipeReporter:
    """Tells the process at the other end of a pipe; when that has gone nobody minds."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)  # noqa: FBT003  children must not hold it open
        self._descriptor = descriptor

    def report(self, report: Report) -> None:
        """Write one line. After `Up` or `Failed` there is nothing more to tell."""
        line = json.dumps({"kind": type(report).__name__, **asdict(report)})
        try:
            os.write(self._descriptor, line.encode() + b"\n")
        except BrokenPipeError:
            return


def read_reports(descriptor: int) -> Iterator[Report]:
    """Reports from a pipe until its writer is gone."""
    with os.fdopen(descriptor) as pipe:
        for line in pipe:
            told: dict[str, Any] = json.loads(line)
            yield _KINDS[told.pop("kind")](**told)
