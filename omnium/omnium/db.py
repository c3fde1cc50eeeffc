"""`omnium db`: the schema of a database."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import Annotated

import typer

from omnium.databases import DatabaseOption, dsn_of
from omnium.exits import Exit
from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_json
from omnium_store import migrations

app = verbs("The schema: bring a database up to this build, or see what is missing.")


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
    dsn = dsn_of(home, database)
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
    found = asyncio.run(migrations.status(dsn_of(home, database)))
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
