"""The command line against a router in this process: what it prints, changes, asks, and how it ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs
from typer.testing import CliRunner

from harness.postgres import Database
from harness.routers import Router, made_router
from omnium.main import app
from omnium_store.access import Role


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, read."""
        return json.loads(self.out)

    @property
    def reason(self) -> str:
        """The last line on stderr."""
        return self.err.splitlines()[-1] if self.err else ""


@dataclass(frozen=True, slots=True)
class CommandLine:
    """Runs `omnium releases` for somebody with a role. `piped` is what comes on standard input."""

    router: Router

    async def __call__(
        self,
        *arguments: str,
        role: Role = Role.RELEASE_MANAGER,
        sub: str = "ada",
        piped: str = "",
        **variables: str,
    ) -> Ended:
        told = {"OMNIUM_URL": self.router.serving.http, "OMNIUM_TOKEN": self.router.token(role, sub=sub)}
        result = await asyncio.to_thread(
            CliRunner().invoke,
            app,
            ["releases", *arguments],
            env={**told, **variables},
            input=piped,
            prog_name="omnium",
        )
        return Ended(result.exit_code, result.stdout, result.stderr)


@asynccontextmanager
async def command_line(database: Database, home: Path, **settings: Any) -> AsyncIterator[CommandLine]:
    """One with a router of its own."""
    home.mkdir(exist_ok=True)  # noqa: ASYNC240  # once, before anything runs
    with capture_logs():  # the router speaks to the same stdout here
        async with made_router(database, home, **{"environment": "local", **settings}) as router:
            yield CommandLine(router)
