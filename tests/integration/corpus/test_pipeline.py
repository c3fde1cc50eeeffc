"""The steps from wheel to staging, run as `make` runs them, against a real router and real releases."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from harness.editions import HEADERS_COUNT_TWICE, edition
from harness.fleet import ROOT, working_tree_wheels
from harness.postgres import Database
from harness.routers import Router, made_router
from harness.wheels import MadeRelease, make_release, sample
from omnium_releases.build import WheelPair
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntrySide
from omnium_store.access import Role

pytestmark = pytest.mark.slow

#: A corpus in which one match alone shows a header.
NOTES = """
[[rule_changes]]
sport = "football"
what = "a header counts twice"
keys = ["**"]
why = "for this test"
"""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Runs its steps with a build folder of their own."""

    router: Router
    build: Path

    async def __call__(self, *command: str, dist: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        told = {
            "OMNIUM_URL": self.router.serving.http,
            "OMNIUM_TOKEN": self.router.token(Role.RELEASE_MANAGER),
            "OMNIUM_HOME": str(self.build / "home"),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "DIST": str(dist),
            "BUILD": str(self.build),
            "CORPUS": str(ROOT / "flows" / "tests" / "goldens" / "football"),
            **variables,
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith("OMNIUM_")}
        return await asyncio.to_thread(
            subprocess.run,
            command,
            env={**kept, **told},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def reports(self) -> list[dict[str, Any]]:
        """Those that the last replay wrote."""
        return [json.loads(file.read_text()) for file in sorted((self.build / "reports").glob("*.json"))]


@pytest.fixture
async def pipeline(database: Database, tmp_path: Path) -> AsyncIterator[Pipeline]:
    (tmp_path / "home").mkdir()
    with capture_logs():  # the router speaks to the same stdout here
        async with made_router(database, tmp_path / "home", environment="local") as router:
            yield Pipeline(router, tmp_path / "build")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> WheelPair:
    return working_tree_wheels(tmp_path_factory.mktemp("first"))


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> WheelPair:
    return edition(tmp_path_factory.mktemp("second"), HEADERS_COUNT_TWICE)


async def test_from_the_first_release_to_a_changed_helper(
    pipeline: Pipeline, first: WheelPair, second: WheelPair, tmp_path: Path
) -> None:
    """One story, as CI would go through it."""
    old, new = first.flows.parent, second.flows.parent
    free = ("omnium", "releases", "unregistered", str(old), "--output", "json")
    assert json.loads((await pipeline(*free, dist=old)).stdout)["registered"] is False

    nothing_before = await pipeline(".ci/replay", dist=old)
    assert nothing_before.returncode == 0, nothing_before.stderr
    assert "Nothing is a default yet" in nothing_before.stdout
    staged = await pipeline(".ci/stage", dist=old)
    assert staged.returncode == 0, staged.stderr
    assert json.loads((await pipeline(*free, dist=old)).stdout)["status"] == "staging"

    for verb in (("register", str(old), "--env", "prod"), ("default", first.version)):
        done = await pipeline("omnium", "releases", *verb, "--yes", dist=old)
        assert done.returncode == 0, done.stderr

    undeclared = await pipeline(".ci/replay", dist=new)
    assert undeclared.returncode == 1
    assert f"{first.version} -> {new}" in undeclared.stdout
    assert "goals" in undeclared.stderr
    assert [report["passed"] for report in pipeline.reports()] == [False]

    notes = tmp_path / "notes.toml"
    notes.write_text(NOTES)
    declared = await pipeline(".ci/replay", dist=new, NOTES=str(notes))
    assert declared.returncode == 0, declared.stderr
    again = await pipeline(".ci/stage", dist=new, NOTES=str(notes))
    assert again.returncode == 0, again.stderr
    card = json.loads(
        (await pipeline("omnium", "releases", "show", second.version, "--output", "json", dist=new)).stdout
    )
    assert (card["status"], [report["passed"] for report in card["reports"]]) == ("staging", [True])
    assert card["ruleChanges"][0]["what"] == "a header counts twice"


async def test_another_release_than_the_default_can_be_named(pipeline: Pipeline, first: WheelPair) -> None:
    same = await pipeline(".ci/replay", dist=first.flows.parent, PREV=str(first.flows))
    assert same.returncode == 0, same.stderr
    assert [report["old"]["version"] for report in pipeline.reports()] == [first.version]
    unknown = await pipeline(".ci/replay", dist=first.flows.parent, PREV="9.9.9")
    assert (unknown.returncode, "There is no release 9.9.9" in unknown.stderr) == (4, True)


async def test_a_version_that_names_other_bytes_is_refused_and_its_own_bytes_are_fine(
    pipeline: Pipeline, tmp_path: Path
) -> None:
    ours = make_release(tmp_path / "ours").flows.parent
    theirs = make_release(tmp_path / "theirs", {"tally/__init__.py": sample("tally") + "# other\n"}).flows
    staged = await pipeline("omnium", "releases", "register", str(ours), "--yes", dist=ours)
    assert staged.returncode == 0, staged.stderr
    same = await pipeline("omnium", "releases", "unregistered", str(ours), "--output", "json", dist=ours)
    assert (same.returncode, json.loads(same.stdout)["status"]) == (0, "proven")
    other = await pipeline("omnium", "releases", "unregistered", str(theirs), dist=ours)
    assert (other.returncode, "is registered with other bytes" in other.stderr) == (1, True)


async def test_wheels_are_fetched_by_version_and_by_default(pipeline: Pipeline, tmp_path: Path) -> None:
    first = make_release(tmp_path / "wheels")
    old = first.flows.parent
    for verb in (("register", str(old), "--env", "prod"), ("default", first.version, "--sport", "tally")):
        assert (await pipeline("omnium", "releases", *verb, "--yes", dist=old)).returncode == 0
    for asked, out in ((first.version, "one"), ("--defaults", "two")):
        fetch = ("omnium", "releases", "fetch", asked, "--out", str(tmp_path / out), "--output", "ids")
        done = await pipeline(*fetch, dist=old)
        assert done.stdout.splitlines() == [str(tmp_path / out / first.version)], done.stderr
        for wheel in (first.flows, first.contract):
            assert (tmp_path / out / first.version / wheel.name).read_bytes() == wheel.read_bytes()
    for wrong in ((), (first.version, "--defaults")):
        assert (await pipeline("omnium", "releases", "fetch", *wrong, dist=old)).returncode == 2


COUNT = sample("tally").replace('"tally', '"count').replace("Tally", "Count")
TWICE = COUNT.replace('+ event.input["amount"]', '+ 2 * event.input["amount"]')


def made(folder: Path, count: str, version: str) -> MadeRelease:
    """A release of two sports."""
    source = {"tally/__init__.py": sample("tally"), "count/__init__.py": count}
    return make_release(folder, source, version=version)


def shelved(folder: Path) -> Path:
    """A match of each."""
    for sport in ("tally", "count"):
        entry = CorpusEntry(
            id=f"m-{sport}",
            workflow=sport,
            sides=(EntrySide(entry="a"), EntrySide(entry="b")),
            log=(
                EntryCommand(seq=1, code=f"{sport}.begin", input={}),
                EntryCommand(seq=2, code=f"{sport}.add", input={"entry": "a", "amount": 3}),
            ),
        )
        Shelf(folder).put(entry)
    return folder


async def test_each_sport_is_compared_with_the_default_that_its_own_matches_get(
    pipeline: Pipeline, tmp_path: Path
) -> None:
    one = made(tmp_path / "one", COUNT, "0.1.0+g000000000001")
    two = made(tmp_path / "two", TWICE, "0.1.0+g000000000002")
    three = made(tmp_path / "three", f"{TWICE}# another tree\n", "0.1.0+g000000000003").flows.parent
    corpus = str(shelved(tmp_path / "corpus"))
    for release, sport in ((one, "tally"), (two, "count")):
        wheels = str(release.flows.parent)
        for verb in (("register", wheels, "--env", "prod"), ("default", release.version, "--sport", sport)):
            done = await pipeline("omnium", "releases", *verb, "--yes", dist=three)
            assert done.returncode == 0, done.stderr
    replayed = await pipeline(".ci/replay", dist=three, CORPUS=corpus)
    assert replayed.returncode == 0, replayed.stderr
    assert [(report["old"]["version"], report["passed"]) for report in pipeline.reports()] == [
        (one.version, True),
        (two.version, True),
    ]
    against_all_of_one = await pipeline(".ci/replay", dist=three, CORPUS=corpus, PREV=str(one.flows))
    assert (against_all_of_one.returncode, "m-count" in against_all_of_one.stderr) == (1, True)
