"""`omnium releases audit`: who did what to which release, and what they saw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_rows
from omnium.release_address import ROLE, version_of

ENTRIES = ("at", "who", "verb", "version", "fixtureId", "reason", "build")


def audit(
    version: Annotated[
        str | None,
        typer.Argument(help="Only this release; - takes it from standard input.", show_default=False),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, max=1000, help="How many entries at most.")] = 100,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Who did what, newest first; --output json has what they saw, and the commit and CI run it came from."""
    release = None if version is None else version_of(version)
    with Client.open(home, url, token, role=ROLE) as client:
        entries = client.get("/releases/audit", {"release": release, "limit": limit})["items"]
    rows = entries if output is Output.JSON else [{**one, "build": _build(one["build"])} for one in entries]
    show_rows(rows, columns=ENTRIES, output=output, identity="id")


def _build(build: Mapping[str, Any]) -> str:
    commit, run = build.get("commit", "")[:12], build.get("run", "")
    return " ".join(part for part in (commit, f"run {run}" if run else "") if part) or "-"
