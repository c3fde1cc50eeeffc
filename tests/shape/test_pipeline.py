"""The pipeline: workflows call targets of the Makefile and nothing else, in the order of the guide."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ALLOWED_ACTIONS = {"actions/checkout", "actions/setup-python"}
#: From wheel to staging.
STEPS = ["install", "gate", "wheels", "refuse-existing-version", "replay", "stage"]


def said(file: Path, name: str) -> list[str]:
    """What each `name:` line of a workflow says, in order."""
    return re.findall(rf"^\s*(?:- )?{name}: (.+)$", file.read_text(), re.MULTILINE)


def targets() -> set[str]:
    lines = (ROOT / "Makefile").read_text().splitlines()
    return {name for line in lines if (match := re.match(r"^([a-z][\w -]*):(?!=)", line))
            for name in match[1].split()}  # fmt: skip


def test_there_are_the_two_workflows() -> None:
    assert [file.name for file in WORKFLOWS] == ["ci.yml", "flows-release.yml"]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_every_step_is_a_target_that_exists(file: Path) -> None:
    runs = said(file, "run")
    assert len(runs) >= 3
    assert [run for run in runs if not re.fullmatch(r"make [a-z-]+", run)] == []
    assert {run.removeprefix("make ") for run in runs} - targets() == set()


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_no_workflow_uses_what_is_not_named_here_or_reaches_anywhere_else(file: Path) -> None:
    text = file.read_text()
    assert {use.partition("@")[0] for use in said(file, "uses")} == ALLOWED_ACTIONS
    assert [use for use in said(file, "uses") if not re.search(r"@v\d+$", use)] == []
    assert re.findall(r"https?://|index-url|registry|pip install|\bcurl\b|\bwget\b", text) == []
    assert "permissions:\n  contents: read\n" in text
    assert "\t" not in text


def test_a_release_takes_the_steps_in_their_order_and_stops_before_prod() -> None:
    release = ROOT / ".github" / "workflows" / "flows-release.yml"
    assert [run.removeprefix("make ") for run in said(release, "run")] == STEPS
    assert "--env prod" not in release.read_text() + (ROOT / ".ci" / "stage").read_text()
    guide = (ROOT / "docs" / "guides" / "pipeline.md").read_text()
    places = [guide.index(f"`make {step}`") for step in STEPS]
    assert places == sorted(places)


def test_what_ci_runs_by_hand_is_what_it_runs_there() -> None:
    ci = {run.removeprefix("make ") for run in said(ROOT / ".github" / "workflows" / "ci.yml", "run")}
    assert ci == {"install", "gate", "test"}
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "make check structure test"
    assert "\ngate: check structure\n" in (ROOT / "Makefile").read_text()


@pytest.mark.parametrize("target", STEPS)
def test_every_step_can_be_made(target: str) -> None:
    done = subprocess.run(
        ["make", "-n", "-o", ".venv/.installed", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("script", sorted(p.name for p in (ROOT / ".ci").iterdir()))
def test_scripts_can_be_read_by_bash_and_run(script: str) -> None:
    file = ROOT / ".ci" / script
    assert file.stat().st_mode & 0o111
    done = subprocess.run(["bash", "-n", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
