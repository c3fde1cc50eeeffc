"""Every error has a wire form, and comes back from it as the same error."""

from __future__ import annotations

import inspect
import json

import pytest
from google.rpc import code_pb2, error_details_pb2, status_pb2

from omnium_store import errors, wire
from omnium_store.embedded import EmbeddedServerError
from omnium_store.errors import (
    DatabaseAway,
    FleetError,
    InternalError,
    NotFound,
    OmniumError,
    Overloaded,
    Refused,
    ReleaseUnavailable,
    WrongRelease,
)

TREE = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, OmniumError) and kind.__module__ == errors.__name__
]
RELEASE = "0.1.0+g1a2b3c4d5e6f"


def raised(kind: type[OmniumError]) -> OmniumError:
    if kind in (ReleaseUnavailable, WrongRelease):
        return kind(RELEASE)
    if kind is InternalError:
        return InternalError(id="abc")
    return kind("The fact. The way out.", metadata={"fixture": "F1"})


def test_the_tree_is_the_whole_table_of_codes() -> None:
    assert set(TREE) == set(wire.CODES)


@pytest.mark.parametrize("kind", TREE)
def test_every_error_comes_back_over_grpc_as_it_was(kind: type[OmniumError]) -> None:
    error = raised(kind)
    back = wire.from_status(status_pb2.Status.FromString(wire.to_status(error).SerializeToString()))
    assert type(back) is kind
    assert (back.message, back.reason, back.metadata) == (error.message, error.reason, error.metadata)
    assert (back.status, back.retryable, str(back)) == (error.status, error.retryable, str(error))


@pytest.mark.parametrize("kind", TREE)
def test_every_error_is_a_problem_with_a_stable_type(kind: type[OmniumError]) -> None:
    error = raised(kind)
    problem = wire.to_problem(error, request_id="r1", instance="/x")
    assert json.loads(json.dumps(problem)) == problem
    assert problem["type"] == f"urn:omnium:problem:{error.reason}"
    assert (problem["status"], problem["detail"]) == (error.status, error.message)
    assert (problem["requestId"], problem["instance"]) == ("r1", "/x")
    assert error.metadata.items() <= problem.items()
    assert problem["title"]


@pytest.mark.parametrize("kind", [kind for kind in TREE if issubclass(kind, FleetError)])
def test_what_may_succeed_later_says_when(kind: type[OmniumError]) -> None:
    infos = [error_details_pb2.RetryInfo() for _ in range(1)]
    assert any(detail.Unpack(infos[0]) for detail in wire.to_status(raised(kind)).details)
    assert infos[0].retry_delay.seconds >= 1


def test_an_error_of_a_part_travels_as_the_nearest_that_all_know() -> None:
    back = wire.from_status(wire.to_status(EmbeddedServerError("It does not start.")))
    assert (type(back), back.reason) == (DatabaseAway, "embedded_server")


def test_an_internal_error_keeps_its_id() -> None:
    back = wire.from_status(wire.to_status(InternalError(id="abc")))
    assert isinstance(back, InternalError)
    assert back.id == "abc"


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (code_pb2.NOT_FOUND, NotFound),
        (code_pb2.FAILED_PRECONDITION, Refused),
        (code_pb2.RESOURCE_EXHAUSTED, Overloaded),
        (code_pb2.DATA_LOSS, InternalError),
    ],
)
def test_a_status_that_is_not_ours_becomes_the_nearest_error(code: int, kind: type[OmniumError]) -> None:
    assert type(wire.from_status(status_pb2.Status(code=code, message="no"))) is kind


def test_metadata_never_hide_a_member_of_the_problem() -> None:
    problem = wire.to_problem(Refused("No.", metadata={"status": "retired", "pins": "3"}), request_id="r")
    assert (problem["status"], problem["pins"]) == (409, "3")
