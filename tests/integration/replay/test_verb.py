"""`omnium replay`: what it takes, what it writes, and how it ends."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.fleet import omnium
from harness.replays import entry_of, tally_release, write_corpus
from harness.wheels import MadeRelease

from .conftest import PlayedTally

LOOSENED = (
    'return ok() if ctx.fixture.side(input["entry"]) else reject(f"There is no side {input[\'entry\']}.")'
)
NOTES = """
summary = "Guests may score"

[[rule_changes]]
sport = "tally"
what = "guests may score"
keys = ["rules.known_side"]
why = "asked for"
"""


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> MadeRelease:
    return tally_release(tmp_path_factory.mktemp("new"), (LOOSENED, "return ok()"), number=2)


def replay(finished: PlayedTally, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return omnium("replay", *arguments, "--home", finished.home, "--database", finished.dsn)


def test_matches_of_a_database_under_a_registered_version_and_a_wheel(
    finished: PlayedTally, new: MadeRelease
) -> None:
    done = replay(finished, "--old", finished.release.version, "--new", new.flows, "--corpus", "db")
    assert done.returncode == 1
    assert (
        f'{finished.fixture} event 3 (tally.add): refused "There is no side nobody." -> accepted '
        "[rules.known_side] (undeclared)"
    ) in done.stdout
    assert "1 matches, 5 commands (2 refused)" in done.stdout
    assert f"omnium: {new.version} fails the replay: 1 reason." == done.stderr.splitlines()[-1]
    assert f"undeclared: {finished.fixture} event 3" in done.stderr


def test_notes_declare_and_the_report_goes_to_a_file(
    finished: PlayedTally, new: MadeRelease, tmp_path: Path
) -> None:
    notes, report = tmp_path / "notes.toml", tmp_path / "report.json"
    notes.write_text(NOTES)
    done = replay(
        finished, "--old", finished.release.version, "--new", new.flows.parent, "--corpus", "db",
        "--notes", notes, "--report", "json", "--out", report,
    )  # fmt: skip
    assert (done.returncode, "omnium:" in done.stderr) == (0, False)
    assert done.stdout.splitlines()[-1] == str(report)
    told = json.loads(report.read_text())
    assert (told["passed"], told["matches"], told["new"]["code_sha"]) == (True, 1, new.code_sha)
    assert [one["declared"] for one in told["differences"]] == ["guests may score"]


@pytest.mark.parametrize("form", ["junit", "html"])
def test_other_forms_for_other_readers(
    finished: PlayedTally, new: MadeRelease, tmp_path: Path, form: str
) -> None:
    corpus = write_corpus(tmp_path / "corpus", entry_of())
    done = replay(finished, "--new", new.flows, "--corpus", corpus, "--report", form)
    assert done.returncode == 0, done.stderr
    if form == "junit":
        assert ElementTree.fromstring(done.stdout).get("failures") == "0"
    else:
        assert done.stdout.startswith("<!doctype html>")
        assert "Replay passed" in done.stdout


def test_what_is_not_there_is_said(finished: PlayedTally, new: MadeRelease, tmp_path: Path) -> None:
    unknown = replay(finished, "--old", "9.9.9", "--new", new.flows, "--corpus", "db")
    assert (unknown.returncode, "There is no release 9.9.9." in unknown.stderr) == (4, True)
    nowhere = replay(finished, "--new", new.flows, "--corpus", tmp_path / "none")
    assert (nowhere.returncode, "There is no corpus" in nowhere.stderr) == (2, True)
    no_wheel = replay(finished, "--new", tmp_path / "none.whl")
    assert (no_wheel.returncode, "There is no wheel" in no_wheel.stderr) == (2, True)
    empty = tmp_path / "empty"
    empty.mkdir()
    nothing = replay(finished, "--new", new.flows, "--corpus", empty)
    assert (nothing.returncode, "empty_corpus" in nothing.stderr) == (1, True)
