"""`omnium releases capsule`: one file that replays a final byte for byte, and the check that it does."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from omnium.databases import DatabaseOption, connected, dsn_of
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_record
from omnium.why import fixture_id
from omnium_deploy.errors import UsageProblem
from omnium_deploy.home import Home
from omnium_releases.artifacts import fetch
from omnium_releases.capsules import Capsule, check, made_capsule, read_capsule
from omnium_releases.corpus.logged import read_match
from omnium_releases.corpus.stages import stage_of
from omnium_releases.documents import document
from omnium_releases.listing import show

#: Of the release's row; what changes later (its status, its pins) is no part of a capsule.
ROW = (
    *("version", "codeSha", "contractSha", "contractVersion", "notes", "ruleChanges"),
    *("registeredBy", "createdAt", "approvedBy", "approvedAt"),
)


def capsule(
    fixture: Annotated[str | None, typer.Argument(help="The match, by its id.", show_default=False)] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write.", show_default=False)] = None,
    check_file: Annotated[
        Path | None,
        typer.Option("--check", help="A capsule to replay, without any database.", show_default=False),
    ] = None,
    home: HomeOption = None,
    database: DatabaseOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Write a match with its release into one file, or replay such a file: exit code 1 if it differs."""
    if check_file is not None and fixture is None and out is None:
        told = asyncio.run(_checked(_read(check_file), Home.at(home)))
        show_record(told, output=output, identity="fixture")
    elif fixture is not None and out is not None and check_file is None:
        made = asyncio.run(_made(fixture_id(fixture), Home.at(home), dsn_of(home, database)))
        _write(out, made)
        show_record(
            {"fixture": fixture, "file": str(out), "bytes": len(made)}, output=output, identity="file"
        )
    else:
        raise UsageProblem("Say either FIXTURE --out FILE, or --check FILE.")


async def _made(fixture: uuid.UUID, home: Home, dsn: str) -> bytes:
    async with connected(dsn, verb="capsule") as conn:
        match = await read_match(conn, fixture)
        stored, card = await fetch(conn, match.release), await show(conn, match.release)
    told = document(card)
    row = {name: told[name] for name in ROW}
    async with stage_of(stored.files, bytecode=home.cache) as stage:
        return await made_capsule(match, stage, files=stored.files, release=row)


async def _checked(content: bytes, home: Home) -> Mapping[str, Any]:
    """What the capsule is of. Raises `Refused` with the first difference."""
    opened = read_capsule(content)
    async with stage_of(opened.files, bytecode=home.cache) as stage:
        await check(opened, stage)
        return _told(opened, is_same_runtime=stage.runtime_sha == opened.runtime_sha)


def _told(opened: Capsule, *, is_same_runtime: bool) -> dict[str, Any]:
    manifest, log = opened.manifest, opened.entry.log
    return {
        "fixture": manifest["fixture"],
        "match": manifest["name"],
        "status": manifest["status"],
        "release": opened.files.version,
        "accepted": sum(command.refused is None for command in log),
        "refused": sum(command.refused is not None for command in log),
        "same": True,
        "runtime": "the same" if is_same_runtime else "another",
    }


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageProblem(f"The capsule {path} can't be read: {error.strerror}.") from None


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UsageProblem(f"{path} can't be written: {error.strerror}.") from None
