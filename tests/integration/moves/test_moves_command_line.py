"""`omnium releases move`: what it shows, when it asks, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from harness.postgres import Database
from harness.routers import VERSION, Router, Scene, made_router, made_scene
from harness.stand_in import StandIn
from omnium import release_move
from omnium.main import app
from omnium_router.identities import ReleaseRef
from omnium_store.access import Role
from omnium_store.errors import Refused, ReleaseUnavailable

NEXT = "0.2.0+g000000000002"
DIGEST = "d" * 64


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last line on stderr."""
        return self.err.splitlines()[-1] if self.err else ""


@dataclass(frozen=True, slots=True)
class MoveLine:
    """Runs `omnium releases move` on the scene's match, against a worker that does as it is told."""

    router: Router
    scene: Scene
    worker: StandIn

    async def __call__(
        self, *arguments: str, to: str = NEXT, match: str = "", role: Role = Role.RELEASE_MANAGER, **told: str
    ) -> Ended:
        variables = {"OMNIUM_URL": self.router.serving.http, "OMNIUM_TOKEN": self.router.token(role)}
        asked = ["releases", "move", match or str(self.scene.match), "--to", to, *arguments]
        result = await asyncio.to_thread(
            CliRunner().invoke, app, asked, env={**variables, **told}, prog_name="omnium"
        )
        return Ended(result.exit_code, result.stdout, result.stderr)

    @property
    def previews(self) -> int:
        """How often it was asked what would change."""
        return sum(one.dry_run for one in self.worker.moves)

    @property
    def moves(self) -> list[Any]:
        """The moves that were asked for."""
        return [one for one in self.worker.moves if not one.dry_run]


@pytest.fixture
async def move(database: Database, tmp_path: Path) -> AsyncIterator[MoveLine]:
    async with made_scene(database) as scene:
        release = await scene.world.release(NEXT)
        await scene.copy_programs(release)
        target = ReleaseRef(release, NEXT, scene.release.code_sha, scene.release.contract_sha)
        with capture_logs():  # the router speaks to the same stdout here
            async with made_router(database, tmp_path) as router:
                yield MoveLine(router, scene, await router.ready(scene, StandIn(target)))


async def test_a_script_moves_with_the_digest_that_it_has_seen(move: MoveLine) -> None:
    seen = await move("--output", "json")
    assert seen.code == 1
    assert seen.reason.endswith(f"there is nobody to ask here. Say --yes --expect {DIGEST}.")
    assert (json.loads(seen.out)["digest"], move.moves) == (DIGEST, [])

    done = await move("--yes", "--expect", DIGEST, "--reason", "a bug", "--output", "json", GITHUB_SHA="abc")
    assert (done.code, json.loads(done.out)["changed"]) == (0, True)
    [asked] = move.moves
    assert (asked.expect, asked.reason, dict(asked.build)["commit"]) == (DIGEST, "a bug", "abc")
    ids = await move("--yes", "--expect", DIGEST, "--output", "ids")
    assert (ids.code, ids.out) == (0, f"{move.scene.match}\n")


async def test_the_card_says_what_changes_before_anything_is_asked(move: MoveLine) -> None:
    ended = await move()
    assert (ended.code, ended.out, move.moves) == (1, "", [])
    said = ended.err
    assert [word for word in ("goals", f"release: 0.0.1 -> {NEXT}", f"digest: {DIGEST}", "1 state")
            if word not in said] == []  # fmt: skip


async def test_yes_without_a_digest_is_a_usage_problem_and_asks_nobody(move: MoveLine) -> None:
    ended = await move("--yes")
    assert (ended.code, "--yes needs --expect DIGEST" in ended.reason) == (2, True)
    assert move.worker.moves == []


async def test_a_worker_that_is_being_started_is_waited_for(move: MoveLine) -> None:
    answers = [ReleaseUnavailable(NEXT), ReleaseUnavailable(NEXT)]

    async def not_yet(_: Any) -> None:
        if answers:
            raise answers.pop()

    move.worker.behave_at_move = not_yet
    done = await move("--yes", "--expect", DIGEST, "--output", "ids")
    assert (done.code, done.err.count("waiting: No worker of release")) == (0, 1)


async def test_the_ends_of_a_move_that_is_not_made(move: MoveLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release_move, "PATIENCE_S", 0.0)

    async def changed(request: Any) -> None:
        if not request.dry_run:
            raise Refused("Changes something else.", reason="differences_changed")

    move.worker.behave_at_move = changed
    yes = ("--yes", "--expect", DIGEST)
    other = "5" + "0" * 7 + "-0000-4000-8000-000000000000"
    cases = {
        1: await move(*yes),
        2: await move("--yes"),
        3: await move(*yes, role=Role.OPERATOR),
        4: await move(*yes, match=other),
        5: await move(*yes, OMNIUM_URL="http://127.0.0.1:9"),
    }
    assert {code: ended.code for code, ended in cases.items()} == {code: code for code in cases}
    assert cases[1].reason == "omnium: Changes something else."
    await move.worker.die()
    away = await move(*yes)
    assert (away.code, NEXT in away.reason) == (5, True)
    not_prod = await move(*yes, to=VERSION)  # its worker is not there; its status is looked at first
    assert not_prod.code == 5
    await move.scene.world.connection.execute("UPDATE plugin_release SET status = 'retired'")
    assert ((await move(*yes)).code, (await move(*yes)).reason.endswith("choose another one.")) == (1, True)
