"""The verbs `corpus`, `why` and `releases capsule`: what they print, where they write, how they end."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from omnium.main import app

from .conftest import ACTOR, SCORER, SIDES, Played
from .test_capsules import changed, manifest
from .test_import import GOLDENS, SAMPLES

Verb: TypeAlias = Callable[..., Result]


@pytest.fixture
def omnium(played: Played) -> Verb:
    def run(*arguments: str | Path, database: bool = True) -> Result:
        where = ["--home", str(played.home), *(["--database", played.dsn] if database else [])]
        with capture_logs():
            return CliRunner().invoke(app, [*map(str, arguments), *where], prog_name="omnium")

    return run


def told(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_an_export_a_night_writes_what_is_new(omnium: Verb, tmp_path: Path) -> None:
    first = omnium("corpus", "export", tmp_path, "--since", "36h")
    assert (first.exit_code, first.stdout) == (0, f"2 written, 0 unchanged in {tmp_path}\n")
    again = told(omnium("corpus", "export", tmp_path, "--output", "json"))
    assert (again["written"], len(again["unchanged"]), again["left"]) == ([], 2, [])
    assert sorted(file.stem for file in tmp_path.rglob("*.json")) == sorted(again["unchanged"])
    ids = omnium("corpus", "export", tmp_path / "other", "--output", "ids")
    assert sorted(ids.stdout.split()) == sorted(again["unchanged"])


def test_the_key_of_the_home_is_used_and_kept_from_others(
    omnium: Verb, played: Played, tmp_path: Path
) -> None:
    omnium("corpus", "export", tmp_path)
    key = played.home / "keys" / "pseudonym.key"
    assert key.stat().st_mode & 0o777 == 0o600
    key.chmod(0o644)
    refused = omnium("corpus", "export", tmp_path)
    key.chmod(0o600)
    assert (refused.exit_code, "chmod 600" in refused.stderr) == (2, True)


def test_public_files_are_imported_by_the_release_that_is_named(
    omnium: Verb, played: Played, tmp_path: Path
) -> None:
    by_version = omnium(
        *("corpus", "import", "auto", SAMPLES, "--out", tmp_path / "one", "--release", played.release.version)
    )
    assert by_version.exit_code == 0, by_version.stderr
    assert "2 with scores only" in by_version.stdout
    golden = GOLDENS / "two_one_home_win.json"
    wheel = ("--release", played.release.flows)
    by_wheel = omnium("corpus", "import", "golden", golden, "--out", tmp_path / "two", *wheel, database=False)
    assert by_wheel.exit_code == 0, by_wheel.stderr
    wrong = omnium("corpus", "import", "timeline", golden, "--out", tmp_path, *wheel)
    assert (wrong.exit_code, "is of format golden" in wrong.stderr) == (1, True)
    unknown = omnium("corpus", "import", "cricinfo", golden, "--out", tmp_path, *wheel)
    assert (unknown.exit_code, "fjelstul" in unknown.stderr) == (2, True)


@pytest.mark.parametrize("since", ["yesterday", "2026-09-19", "5w"])
def test_a_moment_that_is_none_is_a_usage_problem(since: str, omnium: Verb, tmp_path: Path) -> None:
    refused = omnium("corpus", "export", tmp_path, "--since", since)
    assert (refused.exit_code, f"--since {since} is no moment" in refused.stderr) == (2, True)


def test_why_says_it_in_a_sentence_a_card_and_as_data(omnium: Verb, played: Played) -> None:
    side = SIDES[0][1]
    asked = ("why", played.first, f"goals.{side}")
    table = omnium(*asked)
    assert table.exit_code == 0, table.stderr
    cause = told(omnium(*asked, "--output", "json"))
    sentence = f"goals.{side} is 2 since event {cause['seq']}: football.goal by {ACTOR}. Before it was 1."
    assert table.stdout.splitlines()[0] == sentence
    for line in ("command    Goal (football.goal)", f"judged by  {played.release.version}"):
        assert line in table.stdout
    assert omnium(*asked, "--output", "ids").stdout == f"{cause['seq']}\n"
    assert (cause["value"], cause["before"], cause["changes"]) == (2, 1, 3)


def test_why_says_what_is_not_there(omnium: Verb, played: Played) -> None:
    never = omnium("why", played.first, "gaols")
    assert (never.exit_code, "gaols was never there" in never.stderr) == (4, True)
    for fixture in (uuid.uuid4(), "first"):
        missing = omnium("why", fixture, "goals")
        assert (missing.exit_code, missing.stderr.startswith("omnium: There is no match")) == (4, True)
    began = omnium("why", played.first, "conflicts")
    assert began.stdout.splitlines()[0].startswith("conflicts is [] since before the first event, under ")


def test_a_capsule_is_written_and_checked_without_a_database(
    omnium: Verb, played: Played, tmp_path: Path
) -> None:
    file = tmp_path / "final.capsule"
    made = told(omnium("releases", "capsule", played.first, "--out", file, "--output", "json"))
    assert made == {"fixture": str(played.first), "file": str(file), "bytes": file.stat().st_size}
    checked = told(omnium("releases", "capsule", "--check", file, "--output", "json", database=False))
    assert (checked["same"], checked["accepted"], checked["refused"]) == (True, 13, 4)
    assert (checked["release"], checked["runtime"]) == (played.release.version, "the same")
    file.write_bytes(file.read_bytes()[:-1])
    broken = omnium("releases", "capsule", "--check", file, database=False)
    assert (broken.exit_code, "This is no sound capsule" in broken.stderr) == (1, True)


def test_a_capsule_that_replays_otherwise_exits_with_the_first_difference(
    omnium: Verb, played: Played, tmp_path: Path
) -> None:
    file = tmp_path / "final.capsule"
    omnium("releases", "capsule", played.first, "--out", file)

    def forged(members: dict[str, bytes]) -> dict[str, bytes]:
        document = json.loads(members["match.json"])
        document["log"][2]["digest"] = "0" * 64
        text = json.dumps(document).encode()
        listed = json.loads(members["capsule.json"])["members"]
        hashed = {**listed, "match.json": hashlib.sha256(text).hexdigest()}
        return manifest({**members, "match.json": text}, members=hashed)

    file.write_bytes(changed(file.read_bytes(), forged))
    parted = omnium("releases", "capsule", "--check", file, database=False)
    assert parted.exit_code == 1
    assert parted.stderr.splitlines()[-1].startswith("omnium: event 2 football.match_start: the state after")


@pytest.mark.parametrize(
    "arguments", [(), ("--out", "x"), ("f",), ("f", "--check", "x"), ("--check", "gone")]
)
def test_a_capsule_is_either_written_or_checked(arguments: tuple[str, ...], omnium: Verb) -> None:
    assert omnium("releases", "capsule", *arguments).exit_code == 2


async def test_nobody_named_the_scorer_in_what_was_printed(omnium: Verb, tmp_path: Path) -> None:
    printed = await asyncio.to_thread(omnium, "corpus", "export", tmp_path, "--output", "json")
    assert SCORER not in printed.output
