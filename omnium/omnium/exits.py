"""How every verb of the command line ends: an exit code, and the reason as the last line on stderr."""

from __future__ import annotations

from enum import IntEnum

from omnium_deploy.errors import DeployError, UsageProblem
from omnium_store import errors


class Exit(IntEnum):
    """Exit codes; the same on every verb."""

    DONE = 0
    REFUSED = 1
    USAGE = 2
    NOT_ALLOWED = 3
    NOT_FOUND = 4
    UNAVAILABLE = 5


_CODES: tuple[tuple[type[Exception], Exit], ...] = (
    (errors.Unauthenticated, Exit.NOT_ALLOWED),
    (errors.Forbidden, Exit.NOT_ALLOWED),
    (errors.NotFound, Exit.NOT_FOUND),
    (errors.BadRequest, Exit.USAGE),
    (errors.TooMany, Exit.UNAVAILABLE),
    (errors.CallerError, Exit.REFUSED),
    (errors.OmniumError, Exit.UNAVAILABLE),
    (UsageProblem, Exit.USAGE),
    (DeployError, Exit.UNAVAILABLE),
)

FAILURES = (errors.OmniumError, DeployError)


def exit_code(failure: Exception) -> Exit:
    """The code that tells a script what kind of failure this is."""
    return next(code for kind, code in _CODES if isinstance(failure, kind))
