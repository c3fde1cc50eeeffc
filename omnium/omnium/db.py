"""`omnium db`: the schema of a database."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from omnium.exits import Exit
from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_json
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.home import Home
from omnium_deploy.settings import FleetSettings
from omnium_store import migrations

app = verbs("The schema: bring a database up to this build, or see what is missing.")

DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", help="DSN (else $OMNIUM_DATABASE_URL, else the home's).", show_default=False),
]


class Step(StrEnum):
    """Which migrations."""

    PRE = "pre"  # before new code starts
    POST = "post"  # after old code is gone
    BOTH = "both"


@app.command()
def migrate(
    home: HomeOption = None,
    database: DatabaseOption = None,
    step: Annotated[
        Step, typer.Option(help="pre before new code starts, post after old is gone.")
    ] = Step.BOTH,
    output: OutputOption = Output.TABLE,
) -> None:
    """Bring a database up to this build."""
    dsn = _dsn(home, database)
    steps = [one for one in migrations.STEPS if step in (one, Step.BOTH)]
    applied = asyncio.run(migrations.migrate(dsn, steps))
    match output:
        case Output.JSON:
            show_json({"applied": applied})
        case Output.IDS:
            typer.echo("\n".join(applied), nl=bool(applied))
        case Output.TABLE:
            typer.echo("\n".join(f"applied {name}" for name in applied) or "The database is up to date.")


@app.command()
def status(
    home: HomeOption = None, database: DatabaseOption = None, output: OutputOption = Output.TABLE
) -> None:
    """Say what a database lacks. Exit code 1 when it is not up to this build."""
    found = asyncio.run(migrations.status(_dsn(home, database)))
    lists = {"pending": found.pending, "unknown": found.unknown, "changed": found.changed}
    match output:
        case Output.JSON:
            show_json({"current": found.is_current, "applied": found.applied, **lists})
        case Output.IDS:
            typer.echo("\n".join(found.pending), nl=bool(found.pending))
        case Output.TABLE:
            for name, entries in lists.items():
                for entry in entries:
                    typer.echo(f"{name:8} {entry}")
    if not found.is_current:
        typer.echo("omnium: The database is not up to this build. Run: omnium db migrate", err=True)
        raise typer.Exit(Exit.REFUSED)
    if output is Output.TABLE:
        typer.echo(f"The database is up to date ({len(found.applied)} files).")


def _dsn(home: Path | None, database: str | None) -> str:
    if database:
        return database
    if home is None and (configured := FleetSettings.from_environment().database_url):
        return configured
    return Endpoints.read(Home.at(home)).database
