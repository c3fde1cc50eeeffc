"""`omnium releases check`, `zombies`, `diff`, `audit` and `list`: what is printed, and how it ends."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from harness.command_line import CommandLine
from harness.routers import VERSION, Scene
from harness.wheels import MadeRelease, make_release, sample
from omnium_store.access import Role

from .conftest import NEW

OTHER = "0.3.0+g00000000000c"
FAR = ("--before", "8000")  # the scene's matches are far ahead


async def test_check_ends_with_one_until_the_releases_that_fixtures_need_answer(
    omnium: CommandLine, scene: Scene
) -> None:
    ended = await omnium("check", *FAR)
    assert ended.code == 1
    assert ended.reason == f"omnium: Not ready: {VERSION} (no worker of it holds a lease)."
    assert "1 fixture pinned" in ended.out
    assert (await omnium("check", *FAR, "--output", "ids")).out == f"{VERSION}\n"
    assert (await omnium("check", "--before", "1")).code == 0  # nothing starts so soon

    await omnium.router.ready(scene)
    well = await omnium("check", *FAR, "--output", "json", role=Role.OPERATOR)
    assert (well.code, well.json["ok"], well.json["items"][0]["answering"]) == (0, True, 1)
    assert (await omnium("check", *FAR, "--output", "ids")).out == ""
    assert (await omnium("check", *FAR, role=Role.VIEWER)).code == 3
    assert (await omnium("check", "--before", "-1")).code == 2
    assert (await omnium("check", OMNIUM_URL="http://127.0.0.1:9")).code == 5


async def test_check_says_when_nothing_is_the_default(omnium: CommandLine, scene: Scene) -> None:
    await omnium.router.ready(scene)
    await scene.world.connection.execute(
        "DELETE FROM release_default WHERE sport_id = (SELECT id FROM sport WHERE code = 'games')"
    )
    ended = await omnium("check", *FAR)
    assert (ended.code, "No release is the default of games." in ended.reason) == (1, True)


async def test_zombies_are_fixtures_on_what_does_not_run(omnium: CommandLine, scene: Scene) -> None:
    found = await omnium("zombies")
    assert (found.code, "m-1" in found.out, "no worker of it holds a lease" in found.out) == (0, True, True)
    assert (await omnium("zombies", "--output", "ids")).out == f"{scene.match}\n"
    await omnium.router.ready(scene)
    assert "Every unfinished fixture is on a release that runs." in (await omnium("zombies")).out
    assert (await omnium("zombies", "--output", "json")).json == []


async def test_diff_tells_components_inputs_files_and_what_the_notes_declare(
    omnium: CommandLine, made: MadeRelease, tmp_path: Path
) -> None:
    source = sample("tally").replace('description="Begin."', 'description="Begin it."')
    field = 'amount: int = Field(default=1, ge=1, le=5, description="How many.")'
    source = source.replace(
        'amount: int = Field(default=1, ge=1, le=1_000_000, description="How many.")', field
    )
    other = make_release(tmp_path / "other", {"tally/__init__.py": source}, version=OTHER)
    notes = tmp_path / "notes.toml"
    notes.write_text('[[rule_changes]]\nsport = "tally"\nwhat = "five at most"\nkeys = ["points.*"]\n')
    assert (await omnium("register", str(made.flows), "--yes")).code == 0
    assert (await omnium("register", str(other.flows), "--notes", str(notes), "--yes")).code == 0
    told = await omnium("diff", NEW, OTHER)
    assert told.code == 0
    for words in ("tally.begin", "description", "maximum 1000000", "maximum 5", "five at most", "changed"):
        assert words in told.out
    assert (await omnium("diff", NEW, OTHER, "--output", "ids")).out == "tally.add\ntally.begin\n"
    assert "They hold the same bytes." in (await omnium("diff", NEW, NEW)).out
    assert (await omnium("diff", NEW, "9.9.9")).code == 4


async def test_the_audit_says_who_when_why_and_from_which_build(
    omnium: CommandLine, made: MadeRelease
) -> None:
    done = await omnium(
        "register", str(made.flows), "--yes", sub="ci", GITHUB_SHA="abcdef1234567890", GITHUB_RUN_ID="77"
    )
    assert done.code == 0
    assert (await omnium("retire", NEW, "--reason", "a mistake", "--yes")).code == 0
    shown = await omnium("audit", NEW)
    assert (shown.code, "a mistake" in shown.out, "abcdef123456 run 77" in shown.out) == (0, True, True)
    entries = (await omnium("audit", "--limit", "1", "--output", "json")).json
    assert [(one["verb"], one["who"], one["sub"], one["reason"]) for one in entries] == [
        ("retire", "ada", "ada", "a mistake")
    ]
    assert (await omnium("audit", "-", "--output", "ids", piped=f"{NEW}\n")).out.count("\n") == 2
    assert (await omnium("audit", "9.9.9", "--output", "json")).json == []


async def test_the_list_is_narrowed_for_the_next_verb(omnium: CommandLine, made: MadeRelease) -> None:
    assert (await omnium("register", str(made.flows), "--env", "staging", "--yes")).code == 0
    assert (await omnium("list", "--status", "staging", "--output", "ids")).out == f"{NEW}\n"
    assert (await omnium("list", "--sport", "football", "--output", "ids")).out == f"{VERSION}\n"
    both = await omnium("list", "--status", "staging", "--status", "prod", "--output", "ids")
    assert both.out == f"{NEW}\n{VERSION}\n"
    cards = await omnium("show", "-", "--output", "ids", piped=both.out)
    assert cards.out == both.out
    assert (await omnium("list", "--status", "old")).code == 2


async def test_watching_goes_on_until_somebody_has_had_enough(
    omnium: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", wait)
    ended = await omnium("list", "--watch", "--output", "ids")
    assert (ended.code, ended.out, len(waits)) == (0, f"{VERSION}\n" * 3, 3)
