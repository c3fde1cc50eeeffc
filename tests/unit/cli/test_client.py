"""What a problem of the facade is for a verb, and which router and token a verb speaks to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from omnium.client import Client, Reply, failure
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.errors import NotRunning, UsageProblem
from omnium_deploy.home import Home
from omnium_store import errors
from omnium_store.wire import to_problem


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OMNIUM_URL", "OMNIUM_TOKEN", "OMNIUM_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def problem(error: errors.OmniumError) -> Reply:
    return Reply(error.status, {}, json.dumps(to_problem(error, request_id="r1")).encode())


@pytest.mark.parametrize(
    "error",
    [
        errors.BadRequest("Say a number.", reason="bad_parameter"),
        errors.Unauthenticated("The token has expired.", reason="token_expired"),
        errors.Forbidden("Not yours."),
        errors.NotFound("There is no release 9.", reason="no_such_release"),
        errors.Refused("It is a default.", reason="is_default", metadata={"release": "0.9.0"}),
        errors.TooLarge("Too large."),
        errors.TooMany("Slower."),
    ],
)
def test_a_problem_is_the_error_that_the_service_raised(error: errors.CallerError) -> None:
    found = failure(problem(error))
    assert type(found) is type(error)
    assert (found.message, found.reason) == (error.message, error.reason)
    assert error.metadata.items() <= found.metadata.items()


def test_what_may_succeed_later_is_retryable_and_names_the_release() -> None:
    found = failure(problem(errors.ReleaseUnavailable("0.9.0")))
    assert found.retryable
    assert found.reason == "release_unavailable"
    assert found.metadata["release"] == "0.9.0"


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}"])
def test_an_answer_that_is_no_problem_has_a_sentence_all_the_same(body: bytes) -> None:
    found = failure(Reply(502, {}, body))
    assert isinstance(found, errors.FleetError)
    assert "502" in found.message


def endpoints(home: Home) -> Endpoints:
    return Endpoints(
        router="http://127.0.0.1:8600",
        grpc="127.0.0.1:8601",
        database="postgresql://x",
        tokens={"admin": "of-admin", "viewer": "of-viewer"},
        pid=1,
        home=str(home.root),
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home.at(tmp_path / ".omnium")
    made.prepare()
    endpoints(made).write(made)
    return made


def test_a_home_gives_its_router_and_the_token_of_a_role(home: Home) -> None:
    client = Client.open(home.root, None, None, role="viewer")
    assert (client.url, client.token) == ("http://127.0.0.1:8600", "of-viewer")
    assert Client.open(None, None, "mine").token == "mine"


def test_a_url_needs_a_token_from_a_flag_or_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageProblem, match="--token"):
        Client.open(None, "http://example.org", None)
    monkeypatch.setenv("OMNIUM_TOKEN", "of-environment")
    assert Client.open(None, "http://example.org/", None).token == "of-environment"
    assert Client.open(None, "http://example.org/", "of-flag").token == "of-flag"


def test_a_home_that_is_named_wins_over_the_environments_url(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMNIUM_URL", "http://example.org")
    monkeypatch.setenv("OMNIUM_TOKEN", "t")
    assert Client.open(home.root, None, None).url == "http://127.0.0.1:8600"
    assert Client.open(None, None, None).url == "http://example.org"


def test_a_home_where_nothing_runs_says_how_to_start_it(tmp_path: Path) -> None:
    with pytest.raises(NotRunning, match="omnium up"):
        Client.open(tmp_path / "none", None, None)


@pytest.mark.parametrize("url", ["ftp://example.org", "http://", "//"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(UsageProblem, match="no address"):
        Client.open(None, url, "t")
