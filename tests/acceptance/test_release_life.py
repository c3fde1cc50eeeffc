"""A release from its wheels to a live match, over two environments with a fleet each, by the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.fleet import RunningFleet, accepted, omnium, running_fleet, until
from omnium_releases.build import WheelPair
from omnium_store.access import Role

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("release-life")]


@pytest.fixture
def staging() -> Iterator[RunningFleet]:
    """Where releases are staged; it comes up empty."""
    with running_fleet(None, {"OMNIUM_ENVIRONMENT": "staging"}) as fleet:
        yield fleet


@pytest.fixture
def prod() -> Iterator[RunningFleet]:
    """Where matches are real; it comes up empty."""
    with running_fleet(None, {"OMNIUM_ENVIRONMENT": "prod"}) as fleet:
        yield fleet


def released(fleet: RunningFleet, *args: str | Path, code: int = 0) -> Any:
    """`omnium releases …` on a fleet, as JSON where it printed any."""
    done = fleet.omnium("releases", *args, "--output", "json")
    assert done.returncode == code, (args, done.stderr)
    return json.loads(done.stdout) if done.stdout.strip() else done.stderr


def token(fleet: RunningFleet, sub: str) -> str:
    """Of one more release manager."""
    made = fleet.omnium("token", "create", "--sub", sub, "--role", Role.RELEASE_MANAGER.value)
    assert made.returncode == 0, made.stderr
    return made.stdout.strip()


def test_a_release_goes_from_wheels_over_staging_to_a_live_match_in_prod(
    staging: RunningFleet, prod: RunningFleet, wheels: WheelPair, tmp_path: Path
) -> None:
    version, report = wheels.version, tmp_path / "report.json"
    replayed = omnium(
        "replay", "--new", wheels.flows, "--corpus", "golden", "--report", "json", "--out", report
    )
    assert replayed.returncode == 0, replayed.stderr
    released(staging, "register", wheels.flows, "--env", "staging", "--report", report, "--yes")
    assert "another person has to approve it" in released(staging, "approve", version, "--yes", code=1)

    bob = ("--url", staging.endpoints.router, "--token", token(staging, "bob"))
    to = ("--to", prod.endpoints.router, "--to-token", token(prod, "bob"))
    approved = omnium("releases", "approve", version, *bob, *to, "--yes", "--output", "json")
    assert approved.returncode == 0, approved.stderr
    assert json.loads(approved.stdout)["there"]["status"] == "prod"
    ours, theirs = (released(fleet, "show", version) for fleet in (staging, prod))
    assert {card["status"] for card in (ours, theirs)} == {"prod"}
    for name in ("codeSha", "contractSha", "registeredBy"):
        assert ours[name] == theirs[name]
    assert [one["corpusDigest"] for one in theirs["reports"]] == [
        one["corpusDigest"] for one in ours["reports"]
    ]

    assert released(prod, "check", "--before", "24")["items"] == []  # nothing is to be played yet
    released(prod, "default", version, "--yes")
    match = prod.make_match(prod.make_event())
    assert [one["id"] for one in released(prod, "pins", version)["fixtures"]] == [match.fixture]

    def is_loaded() -> bool:
        return prod.omnium("releases", "check", "--before", "24").returncode == 0

    until(is_loaded, "the release is loaded", within_s=60)
    assert released(prod, "zombies") == []
    accepted(prod.send(match, "match_start", key="kick-off", home=match.home, away=match.away))
    held = released(prod, "retire", version, "--yes", code=1)
    assert "1 unfinished fixture is on it (1 live)" in held
    assert "It is the default of football (now)" in held
    assert released(prod, "audit", version)[0]["verb"] == "default"
    released(
        staging, "retire", version, "--reason", "served its purpose", "--yes", code=1
    )  # the only one there
