"""The wire forms of `OmniumError`: `google.rpc.Status` with details, and problem+json."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2

from omnium_store import errors
from omnium_store.errors import FleetError, InternalError, OmniumError

DOMAIN: Final = "omnium"
PROBLEM_TYPE: Final = "urn:omnium:problem:"
KIND: Final = "kind"  # metadata member with the error's class
RESERVED: Final = frozenset({"type", "title", "status", "detail", "instance", "requestId", "reason"})

#: Class → code of gRPC. A class that is not here has that of its nearest ancestor.
CODES: Final[dict[type[OmniumError], int]] = {
    OmniumError: code_pb2.INTERNAL,
    errors.CallerError: code_pb2.INVALID_ARGUMENT,
    errors.BadRequest: code_pb2.INVALID_ARGUMENT,
    errors.Unauthenticated: code_pb2.UNAUTHENTICATED,
    errors.Forbidden: code_pb2.PERMISSION_DENIED,
    errors.NotFound: code_pb2.NOT_FOUND,
    errors.Refused: code_pb2.FAILED_PRECONDITION,
    errors.TooLarge: code_pb2.OUT_OF_RANGE,
    errors.TooMany: code_pb2.RESOURCE_EXHAUSTED,
    errors.FleetError: code_pb2.UNAVAILABLE,
    errors.ReleaseUnavailable: code_pb2.UNAVAILABLE,
    errors.ShuttingDown: code_pb2.UNAVAILABLE,
    errors.DatabaseAway: code_pb2.UNAVAILABLE,
    errors.Overloaded: code_pb2.UNAVAILABLE,
    errors.OutOfTime: code_pb2.DEADLINE_EXCEEDED,
    errors.WrongRelease: code_pb2.FAILED_PRECONDITION,
    errors.NeedsBulk: code_pb2.FAILED_PRECONDITION,
    errors.InternalError: code_pb2.INTERNAL,
}
KINDS: Final = {kind.__name__: kind for kind in CODES}

#: What a status without our details means.
FALLBACK: Final[dict[int, type[OmniumError]]] = {
    code_pb2.INVALID_ARGUMENT: errors.BadRequest,
    code_pb2.UNAUTHENTICATED: errors.Unauthenticated,
    code_pb2.PERMISSION_DENIED: errors.Forbidden,
    code_pb2.NOT_FOUND: errors.NotFound,
    code_pb2.FAILED_PRECONDITION: errors.Refused,
    code_pb2.OUT_OF_RANGE: errors.TooLarge,
    code_pb2.RESOURCE_EXHAUSTED: errors.Overloaded,
    code_pb2.UNAVAILABLE: errors.FleetError,
    code_pb2.DEADLINE_EXCEEDED: errors.OutOfTime,
}


def kind_of(error: OmniumError) -> type[OmniumError]:
    """The class under which an error travels: its own, or the nearest that all services know."""
    return next(kind for kind in type(error).__mro__ if kind in CODES)


def to_status(error: OmniumError) -> status_pb2.Status:
    """The error as a status with `ErrorInfo` and, where the same call may succeed later, `RetryInfo`."""
    kind = kind_of(error)
    status = status_pb2.Status(code=CODES[kind], message=error.message)
    info = error_details_pb2.ErrorInfo(
        reason=error.reason, domain=DOMAIN, metadata={**error.metadata, KIND: kind.__name__}
    )
    _pack(status, info)
    if isinstance(error, FleetError):
        delay = duration_pb2.Duration(seconds=error.retry_after_s)
        _pack(status, error_details_pb2.RetryInfo(retry_delay=delay))
    return status


def from_status(status: status_pb2.Status) -> OmniumError:
    """The error that a status stands for; without our details the nearest one by its code."""
    info = next(_error_infos(status), None)
    if info is None:
        return _rebuilt(FALLBACK.get(status.code, InternalError), status.message)
    metadata = dict(info.metadata)
    named = KINDS.get(metadata.pop(KIND, ""))
    kind = named or FALLBACK.get(status.code, InternalError)
    return _rebuilt(kind, status.message, reason=info.reason, metadata=metadata)


def to_problem(error: OmniumError, *, request_id: str, instance: str | None = None) -> dict[str, Any]:
    """The error as the body of an `application/problem+json` answer; metadata are members of their own."""
    kind = kind_of(error)
    return {
        "type": f"{PROBLEM_TYPE}{error.reason}",
        "title": (kind.__doc__ or kind.__name__).splitlines()[0].rstrip("."),
        "status": error.status,
        "detail": error.message,
        "reason": error.reason,
        **({"instance": instance} if instance is not None else {}),
        "requestId": request_id,
        **{name: value for name, value in error.metadata.items() if name not in RESERVED},
    }


def _pack(
    status: status_pb2.Status, detail: error_details_pb2.ErrorInfo | error_details_pb2.RetryInfo
) -> None:
    packed = any_pb2.Any()
    packed.Pack(detail)
    status.details.append(packed)


def _error_infos(status: status_pb2.Status) -> Iterator[error_details_pb2.ErrorInfo]:
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info) and info.domain == DOMAIN:
            yield info


def _rebuilt(
    kind: type[OmniumError],
    message: str,
    *,
    reason: str | None = None,
    metadata: dict[str, str] | None = None,
) -> OmniumError:
    """An error as it was raised elsewhere; constructors that make up messages are passed by."""
    error = kind.__new__(kind)
    OmniumError.__init__(error, message, reason=reason, metadata=metadata)
    if isinstance(error, InternalError):
        error.id = error.metadata.get("id", "")
    return error
