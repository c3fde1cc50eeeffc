"""What can go wrong with a fleet on this machine; a message is the fact, then the way out.

DeployError
├── UsageProblem     what was asked for can't be done as asked (a flag names nothing, a port is taken)
├── HomeBusy         another process holds the home folder and does not answer
├── NotRunning       nothing runs in this home
└── StartFailed      a part did not come up; `log` names the file that says why
"""

from __future__ import annotations

from pathlib import Path


class DeployError(Exception):
    """A fleet on this machine can't do what was asked."""


class UsageProblem(DeployError):
    """What was asked for can't be done as asked: change the flags."""


class HomeBusy(DeployError):
    """Another process holds the home folder and does not answer."""


class NotRunning(DeployError):
    """Nothing runs in this home."""


class StartFailed(DeployError):
    """A part did not come up."""

    def __init__(self, message: str, *, log: Path | None = None) -> None:
        super().__init__(message)
        self.log = log
