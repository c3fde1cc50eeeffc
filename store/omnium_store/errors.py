"""Errors that all services share. A class's docstring says what it means; a message the fact and the way out.

OmniumError
├── CallerError            the caller must change something before it tries again
│   ├── BadRequest         400  key_required, bad_json, bad_parameter, …
│   ├── Unauthenticated    401
│   ├── Forbidden          403
│   ├── NotFound           404  no_such_fixture, no_such_event, no_such_release, …
│   ├── Refused            409  a release, pin or default can't be changed like that
│   ├── TooLarge           413
│   └── TooMany            429
├── FleetError             the same call may succeed later (503, Retry-After); `retryable` is true
│   ├── ReleaseUnavailable no worker of the release is ready; `release` names it
│   ├── ShuttingDown       this process is draining; nothing has run
│   ├── DatabaseAway       PostgreSQL does not answer
│   ├── Overloaded         the queue is full; nothing has run
│   └── OutOfTime          the deadline passed; with a key the retry is safe
├── WrongRelease           this worker is not of the pinned release; `release` is the right one (router only)
├── NeedsBulk              this command wants a bulk worker; nothing has run (router only)
└── InternalError          500; `id` is in the log
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar


class OmniumError(Exception):
    """Any failure that has a form on the wire. `reason` is stable snake_case; metadata are text."""

    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    default_reason: ClassVar[str] = "internal"

    def __init__(
        self, message: str, *, reason: str | None = None, metadata: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or self.default_reason
        self.metadata = dict(metadata or {})


class CallerError(OmniumError):
    """The caller must change something before it tries again."""

    status = 400
    default_reason = "bad_request"


class BadRequest(CallerError):
    """The request can't be read or lacks something."""


class Unauthenticated(CallerError):
    """No token, or one that is not valid any more."""

    status = 401
    default_reason = "unauthenticated"


class Forbidden(CallerError):
    """The token does not allow this."""

    status = 403
    default_reason = "forbidden"


class NotFound(CallerError):
    """There is no such thing."""

    status = 404
    default_reason = "not_found"


class Refused(CallerError):
    """The change would break a promise: the message says which, and the way out."""

    status = 409
    default_reason = "refused"


class TooLarge(CallerError):
    """The body or a field of it is above the limit."""

    status = 413
    default_reason = "too_large"


class TooMany(CallerError):
    """Above the rate that this token may have."""

    status = 429
    default_reason = "too_many"


class FleetError(OmniumError):
    """The same call may succeed later."""

    status = 503
    retryable = True
    default_reason = "unavailable"
    retry_after_s: ClassVar[int] = 1


class ReleaseUnavailable(FleetError):
    """No worker of the release is ready; it never goes to another release."""

    default_reason = "release_unavailable"

    def __init__(self, release: str, message: str | None = None) -> None:
        super().__init__(
            message or f"No worker of release {release} is ready. One is being started; try again.",
            metadata={"release": release},
        )


class ShuttingDown(FleetError):
    """This process is draining; nothing has run."""

    default_reason = "shutting_down"


class DatabaseAway(FleetError):
    """PostgreSQL does not answer."""

    default_reason = "database_away"


class Overloaded(FleetError):
    """The queue is full; nothing has run."""

    default_reason = "overloaded"


class OutOfTime(FleetError):
    """The deadline passed. Whether the command ran is unknown; the same key gives its answer."""

    default_reason = "out_of_time"


class WrongRelease(OmniumError):
    """This worker is not of the release that is pinned; nothing has been written."""

    status = 409
    default_reason = "wrong_release"

    def __init__(self, release: str) -> None:
        super().__init__(f"Not mine: it belongs to release {release}.", metadata={"release": release})


class NeedsBulk(OmniumError):
    """The command wants a bulk worker; nothing has run."""

    status = 503
    default_reason = "needs_bulk"


class InternalError(OmniumError):
    """Ours. Nothing is half-written; the log has the id."""

    def __init__(self, message: str | None = None, *, id: str | None = None) -> None:  # noqa: A002 (its word)
        self.id = id or uuid.uuid4().hex
        super().__init__(
            message or f"Something went wrong here. The log has it as {self.id}.", metadata={"id": self.id}
        )
