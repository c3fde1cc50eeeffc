"""`omnium play`: recorded matches as live commands, compared with what their files state."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from harness.fleet import ROOT, RunningFleet
from harness.proofs import folded_again
from omnium_releases.build import WheelPair

pytestmark = pytest.mark.xdist_group("fleet")

SAMPLES: Final = ROOT / "tests" / "unit" / "readers" / "samples"
GOLDENS: Final = ROOT / "flows" / "tests" / "goldens"
#: Public match files, which are no part of the project: a folder beside the repository's, or a named one.
CORPUS: Final = Path(os.environ.get("OMNIUM_CORPUS") or ROOT.parent / "shared" / "corpus")


def check(fleet: RunningFleet, *files: Path, exit_code: int = 0) -> dict[str, Any]:
    """What `omnium play --check` counts."""
    played = fleet.omnium("play", *files, "--check", "--output", "json")
    assert played.returncode == exit_code, (played.stdout, played.stderr)
    report: dict[str, Any] = json.loads(played.stdout)
    return report


def counts(report: dict[str, Any]) -> dict[str, int]:
    classes = ("disagree", "contradicts", "skipped")
    numbers = {name: report[name] for name in ("files", "played", "as_stated", "scores_only")}
    return {**numbers, **{name: len({row["file"] for row in report[name]}) for name in classes}}


def by_name(rows: list[dict[str, str]]) -> dict[str, str]:
    return {Path(row["file"]).name: row["reason"] for row in rows}


def test_a_sample_of_each_format_ends_as_its_file_states(fleet: RunningFleet) -> None:
    """Three of them disagree with themselves on purpose: they are named, and nothing is chosen."""
    report = check(fleet, SAMPLES)
    assert counts(report) == {
        "files": 5, "played": 4, "as_stated": 1, "scores_only": 1,
        "disagree": 0, "contradicts": 3, "skipped": 0,
    }  # fmt: skip
    assert by_name(report["contradicts"]) == {
        "live_log.json": "match 2 RED - GRE: it states 1 goals for RED, but lists 2 that are not cancelled",
        "openfootball.json": "2090-07-15 Greens - Reds: it states 1-1, but lists goals for 2-0",
        "timeline.json": "timeline of 2090-05-16: it ends with 0-1, but its score changes add up to 1-1",
    }


def test_all_goldens_of_football_end_as_they_state(fleet: RunningFleet) -> None:
    files = sorted((GOLDENS / "football").glob("*.json"))
    assert len(files) >= 10
    assert counts(check(fleet, GOLDENS / "football")) == {
        "files": len(files), "played": len(files), "as_stated": len(files), "scores_only": 0,
        "disagree": 0, "contradicts": 0, "skipped": 0,
    }  # fmt: skip


def test_a_file_that_states_something_else_disagrees_and_ends_with_1(
    fleet: RunningFleet, tmp_path: Path
) -> None:
    golden = min((GOLDENS / "football").glob("*.json"))
    told = json.loads(golden.read_text())
    told["state"]["status"] = "postponed"
    wrong, other = tmp_path / "wrong.json", tmp_path / "notes.txt"
    wrong.write_text(json.dumps(told))
    other.write_text("no match")
    report = check(fleet, wrong, other, exit_code=1)
    assert counts(report) == {
        "files": 2, "played": 1, "as_stated": 0, "scores_only": 0,
        "disagree": 1, "contradicts": 0, "skipped": 1,
    }  # fmt: skip
    assert "state.status: 'postponed' -> " in by_name(report["disagree"])["wrong.json"]
    assert "is not JSON" in by_name(report["skipped"])["notes.txt"]


def test_boards_of_played_matches_are_what_their_logs_give(fleet: RunningFleet, wheels: WheelPair) -> None:
    played = fleet.omnium(
        "play", SAMPLES / "fjelstul.json", SAMPLES / "openfootball.json", "--output", "json"
    )
    assert played.returncode == 0, played.stderr
    rows = json.loads(played.stdout)
    assert {row["release"] for row in rows} == {wheels.version}
    found = folded_again(fleet, wheels.version, [row["fixture"] for row in rows])
    assert {fixture: one["problems"] for fixture, one in found.items() if one["problems"]} == {}
    assert [found[row["fixture"]]["events"] for row in rows] == [row["commands"] for row in rows]


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.skipif(
    not CORPUS.is_dir(), reason=f"no match files at {CORPUS}; OMNIUM_CORPUS names another folder"
)
def test_every_football_file_of_the_corpus_ends_as_its_publisher_states(fleet: RunningFleet) -> None:
    report = check(fleet, CORPUS / "football")
    assert counts(report) == {
        "files": 60, "played": 42, "as_stated": 40, "scores_only": 18,
        "disagree": 0, "contradicts": 2, "skipped": 0,
    }  # fmt: skip
    assert Counter(by_name(report["contradicts"]).keys()) == {
        "wc2022_64_matches_live_log.json": 1,
        "match_03.json": 1,
    }
