"""What becomes of a finished match of a fleet: evidence for the replay, a capsule, and answers to why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.fleet import Match, RunningFleet, accepted, omnium
from omnium_releases.build import WheelPair

pytestmark = pytest.mark.xdist_group("fleet")

SCORER = "Aurelia Quayside"


@pytest.fixture(scope="module")
def final(fleet: RunningFleet) -> Match:
    """1-0, official."""
    match = fleet.make_match(fleet.make_event())
    accepted(fleet.send(match, "match_start", home=match.home, away=match.away))
    accepted(fleet.send(match, "goal", entry=match.home, kind="header", scorer=SCORER, minute=7))
    assert not fleet.send(match, "match_end")["accepted"]
    for code, told in (
        ("half_end", {}),
        ("half_start", {"period": "2H"}),
        ("half_end", {}),
        ("match_end", {}),
    ):
        accepted(fleet.send(match, code, **told))
    with fleet.client("operator") as client:
        subject = ("fixture", match.fixture)
        accepted(client.command("results", subject, "results.set_status", {"status": "OFFICIAL"}))
    return match


def test_the_finished_matches_of_a_fleet_are_exported_and_replayed_against_its_release(
    fleet: RunningFleet, final: Match, wheels: WheelPair, tmp_path: Path
) -> None:
    exported = fleet.omnium("corpus", "export", tmp_path, "--output", "json")
    assert exported.returncode == 0, exported.stderr
    report = json.loads(exported.stdout)
    assert (len(report["written"]) >= 2, report["left"]) == (True, [])
    text = "".join(file.read_text() for file in tmp_path.rglob("*.json"))
    names = (SCORER, final.fixture, final.home, final.away, "Alpha", "Beta")
    assert [name for name in names if name in text] == []
    replayed = fleet.omnium(
        "replay",
        "--old",
        wheels.version,
        "--new",
        str(wheels.flows),
        "--corpus",
        tmp_path,
        "--report",
        "json",
    )
    assert replayed.returncode == 0, replayed.stderr


def test_why_and_capsule_work_on_the_home_of_a_running_fleet(
    fleet: RunningFleet, final: Match, tmp_path: Path
) -> None:
    why = json.loads(fleet.omnium("why", final.fixture, "goals.AAA", "--output", "json").stdout)
    assert (why["value"], why["before"], why["code"], why["input"]["scorer"]) == (
        1,
        0,
        "football.goal",
        SCORER,
    )
    file = tmp_path / "final.capsule"
    made = fleet.omnium("releases", "capsule", final.fixture, "--out", file)
    assert made.returncode == 0, made.stderr
    # another home, in which nothing ever ran
    checked = omnium("releases", "capsule", "--check", file, "--home", tmp_path / "elsewhere")
    assert checked.returncode == 0, checked.stderr
    assert ("accepted", "6") in [tuple(line.split()) for line in checked.stdout.splitlines()]
