"""`omnium releases report` and `approve`: with the proof in front of a second person, here and elsewhere."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.command_line import CommandLine, command_line
from harness.postgres import Database, SharedServer
from harness.replay_reports import failed_report, report_document
from harness.wheels import MadeRelease
from harness.world import Connection, World
from omnium_releases.artifacts import Wheel
from omnium_store.access import Role

from .conftest import NEW

NOTES = '[[rule_changes]]\nsport = "tally"\nwhat = "more"\nkeys = ["points"]\n'


def written(folder: Path, document: dict[str, Any], name: str = "report.json") -> str:
    """A report as a file."""
    file = folder / name
    file.write_text(json.dumps(document))
    return str(file)


@pytest.fixture
def other_database(postgres: SharedServer) -> Iterator[Database]:
    """The database of another environment."""
    made = postgres.make()
    yield made
    postgres.drop(made)


@pytest.fixture
async def other_connection(other_database: Database) -> AsyncIterator[Connection]:
    """Of its owner."""
    opened = await other_database.connect()
    yield opened
    await opened.close()


@pytest.fixture
async def prod(other_database: Database, tmp_path: Path) -> AsyncIterator[CommandLine]:
    """A command line of that environment."""
    async with command_line(other_database, tmp_path / "prod", environment="prod") as made:
        yield made


async def register(line: CommandLine, made: MadeRelease, *more: str) -> None:
    done = await line("register", str(made.flows), "--env", "staging", "--yes", *more)
    assert done.code == 0, done.err


async def test_a_staged_release_is_approved_by_a_second_person_who_sees_the_proof(
    staging: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    await register(staging, made)
    file = written(tmp_path, report_document(made))
    stored = await staging("report", NEW, file, "--yes", "--output", "json", CI_COMMIT_SHA="abc")
    assert (stored.code, stored.json["changed"], stored.json["passed"]) == (0, True, True), stored.err
    assert "passed by its goldens alone: 2 matches, 40 commands, 0 differences" in stored.err
    again = await staging("report", NEW, file)
    assert (again.code, "changed    no" in " ".join(again.out.split("\n"))) == (0, False)

    asked = await staging("approve", NEW, sub="bob")
    assert (asked.code, "there is nobody to ask here. Say --yes." in asked.reason) == (1, True)
    assert "registered by: ada" in asked.err
    assert "proof of tally: first release, by its goldens alone: 2 matches, 40 commands" in asked.err
    assert "status: staging -> prod" in asked.err

    done = await staging("approve", NEW, "--yes", "--output", "ids", sub="bob", CI_PIPELINE_ID="77")
    assert (done.code, done.out) == (0, f"{NEW}\n")
    shown = (await staging("show", NEW, "--output", "json")).json
    assert (shown["status"], shown["registeredBy"], shown["approvedBy"]) == ("prod", "ada", "bob")
    assert [entry["verb"] for entry in shown["audit"]] == ["approve", "report", "register"]
    assert [entry["build"] for entry in shown["audit"][:2]] == [{"run": "77"}, {"commit": "abc"}]
    assert "replay reports" in (await staging("show", NEW)).out
    once_more = await staging("approve", NEW, sub="eve")
    assert (once_more.code, "prod" in once_more.out) == (0, True)  # it is that already: nothing to ask


async def test_versions_and_reports_can_be_piped_in(staging: CommandLine, made: MadeRelease) -> None:
    await register(staging, made)
    piped = json.dumps(report_document(made))
    assert (await staging("report", NEW, "-", "--yes", piped=piped)).code == 0
    listed = await staging("list", "--status", "staging", "--output", "ids")
    assert listed.out == f"{NEW}\n"
    done = await staging("approve", "-", "--yes", "--output", "ids", sub="bob", piped=listed.out)
    assert (done.code, done.out) == (0, f"{NEW}\n")
    assert (await staging("default", "-", "--sport", "tally", "--yes", piped=listed.out)).code == 0
    nothing = await staging("approve", "-", "--yes", sub="bob", piped="")
    assert (nothing.code, "No version came on standard input" in nothing.reason) == (2, True)
    many = await staging("default", "-", "--yes", piped="a\nb\n")
    assert (many.code, "2 came on standard input" in many.reason) == (2, True)


async def test_each_refusal_of_an_approval_ends_with_one_and_its_reason(
    staging: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    async def refused(line: CommandLine = staging, sub: str = "bob") -> str:
        ended = await line("approve", NEW, "--yes", sub=sub)
        assert ended.code == 1, ended
        return ended.reason

    assert (await staging("register", str(made.flows), "--yes")).code == 0
    assert "a release is staged before it becomes prod" in await refused()
    await register(staging, made)
    assert "has no replay report that proves tally by its goldens" in await refused()
    failed = await staging("report", NEW, written(tmp_path, failed_report(made)), "--yes")
    assert (failed.code, "failed with 1 failures" in failed.err) == (0, True)
    assert "The newest replay of release" in await refused()
    passed = written(tmp_path, report_document(made, corpus_digest="d" * 64))
    assert (await staging("report", NEW, passed, "--yes")).code == 0
    assert "another person has to approve it" in await refused(sub="ada")
    viewer = await staging("approve", NEW, "--yes", role=Role.OPERATOR)
    assert (viewer.code, "This needs another role" in viewer.reason) == (3, True)
    assert (await staging("approve", "9.9.9", "--yes", sub="bob")).code == 4
    assert (await staging("approve", NEW, "--yes", OMNIUM_URL="http://127.0.0.1:9")).code == 5
    assert (await staging("approve", NEW, "--yes", sub="bob")).code == 0


async def test_a_report_that_is_not_of_the_release_or_no_report_is_refused(
    staging: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    await register(staging, made)
    other = {"version": NEW, "code_sha": "f" * 64, "contract_sha": made.contract_sha}
    cases = {
        written(tmp_path, report_document(made, new=other), "other.json"): (
            1,
            "The report is not of release",
        ),
        written(tmp_path, {"passed": True}, "half.json"): (1, "`by_sport` is no object"),
        str(tmp_path / "absent.json"): (2, "can't be read"),
    }
    for file, (code, sentence) in cases.items():
        ended = await staging("report", NEW, file, "--yes")
        assert (ended.code, sentence in ended.reason) == (code, True), ended
    assert (await staging("report", "9.9.9", written(tmp_path, report_document(made)), "--yes")).code == 4


async def test_reports_come_with_the_wheels_and_a_failed_one_stops_them(
    staging: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    failed = await staging(
        "register", str(made.flows), "--yes", "--report", written(tmp_path, failed_report(made))
    )
    assert (failed.code, "failed with 1 failures" in failed.reason) == (1, True)
    assert (await staging("show", NEW)).code == 4
    await register(staging, made, "--report", written(tmp_path, report_document(made)))
    assert [one["passed"] for one in (await staging("show", NEW, "--output", "json")).json["reports"]] == [
        True
    ]


async def test_prod_is_not_reached_by_registering_alone(
    staging: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    straight = await staging("register", str(made.flows), "--env", "prod", "--yes")
    assert (straight.code, "has no replay report" in straight.reason) == (1, True)
    report = written(tmp_path, report_document(made))
    alone = await staging("register", str(made.flows), "--env", "prod", "--yes", "--report", report)
    assert (alone.code, "another person has to approve it" in alone.reason) == (1, True)
    assert (await staging("show", NEW)).code == 4


async def test_an_approval_registers_the_same_bytes_with_the_same_report_in_another_environment(
    staging: CommandLine, prod: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.toml"
    notes.write_text(NOTES)
    declared = [{"sport": "tally", "what": "more", "keys": ["points"], "why": "", "differences": 1}]
    report = written(tmp_path, report_document(made, declared=declared))
    await register(staging, made, "--report", report, "--notes", str(notes))
    to = ("--to", prod.router.serving.http, "--to-token", prod.router.token(Role.RELEASE_MANAGER, sub="bob"))

    same = await staging("approve", NEW, *to, "--yes", sub="ada")
    assert (same.code, "another person has to approve it" in same.reason) == (1, True)
    done = await staging("approve", NEW, *to, "--yes", "--output", "json", sub="bob", GIT_COMMIT="abc")
    assert done.code == 0, done.err
    assert f"status at {prod.router.serving.http}: - -> prod" in done.err
    assert (done.json["after"], done.json["there"]["status"]) == ("prod", "prod")

    for line in (staging, prod):
        card = (await line("show", NEW, "--output", "json")).json
        assert (card["status"], card["codeSha"], card["contractSha"]) == (
            "prod", made.code_sha, made.contract_sha,
        )  # fmt: skip
        assert (card["registeredBy"], card["approvedBy"], card["notes"]) == ("ada", "bob", NOTES)
        assert [one["corpusDigest"] for one in card["reports"]] == ["c" * 64]
    audit = (await prod("audit", NEW, "--output", "json")).json
    assert [(entry["verb"], entry["sub"]) for entry in audit] == [
        ("approve", "bob"), ("report", "bob"), ("register", "bob"),
    ]  # fmt: skip
    assert {entry["build"]["commit"] for entry in audit} == {"abc"}
    assert audit[-1]["seen"]["stagedBy"] == {"name": "ada", "sub": "ada"}
    again = await staging("approve", NEW, *to, sub="bob")
    assert again.code == 0  # both are prod: nothing to ask


async def test_what_the_other_environment_refuses_is_not_approved_here(
    staging: CommandLine,
    prod: CommandLine,
    other_connection: Connection,
    made: MadeRelease,
    tmp_path: Path,
) -> None:
    """There, the sport has a release already, and the report is not against that."""
    await register(staging, made, "--report", written(tmp_path, report_document(made)))
    await World(other_connection).release_of("0.0.9", "tally")
    token = prod.router.token(Role.RELEASE_MANAGER, sub="bob")
    to = ("--to", prod.router.serving.http, "--to-token", token)
    ended = await staging("approve", NEW, *to, "--yes", sub="bob")
    assert (ended.code, "proves tally against 0.0.9" in ended.reason) == (1, True), ended
    assert (await staging("show", NEW, "--output", "json")).json["status"] == "staging"
    assert (await prod("show", NEW)).code == 4
    missing = await staging(
        "approve", NEW, "--to", "http://127.0.0.1:9", "--yes", sub="bob", OMNIUM_TO_TOKEN="x"
    )
    assert missing.code == 5


async def test_wheels_are_fetched_as_they_were_registered(staging: CommandLine, made: MadeRelease) -> None:
    await register(staging, made)
    desk = staging.router.desk(Role.RELEASE_MANAGER)
    status, body, response = await desk.ask("GET", f"/releases/{NEW.replace('+', '%2B')}/wheels/flows")
    assert (status, body) == (200, made.flows.read_bytes())
    assert made.flows.name in response.headers["Content-Disposition"]
    assert Wheel.read(body, filename=made.flows.name).record_sha == made.code_sha
    status, body = await desk.get(f"/releases/{NEW.replace('+', '%2B')}/wheels/spare")
    assert (status, body["reason"]) == (404, "no_such_wheel")
