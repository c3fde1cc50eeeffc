"""What verbs print (tables for people, JSON for programs, ids for the next verb), and what they ask."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from omnium_store.errors import Refused


class Output(StrEnum):
    """The form of what a verb prints on stdout."""

    TABLE = "table"
    JSON = "json"
    IDS = "ids"


def show_rows(
    rows: Sequence[Mapping[str, Any]], *, columns: Sequence[str], output: Output, identity: str
) -> None:
    """Print rows: `columns` in the table, everything as JSON, the member `identity` of each as ids."""
    match output:
        case Output.JSON:
            show_json(rows)
        case Output.IDS:
            for row in rows:
                typer.echo(row[identity])
        case Output.TABLE:
            _show_table(rows, columns)


def show_record(record: Mapping[str, Any], *, output: Output, identity: str) -> None:
    """Print one thing: a card of its members, JSON, or its id."""
    match output:
        case Output.JSON:
            show_json(record)
        case Output.IDS:
            typer.echo(record[identity])
        case Output.TABLE:
            show_card(record)


def show_json(value: Any) -> None:
    """Print a value as JSON for programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def show_card(record: Mapping[str, Any]) -> None:
    """Print names and values, one a line."""
    width = max((len(name) for name in record), default=0)
    for name, value in record.items():
        typer.echo(f"{name.ljust(width)}  {cell(value)}")


def cell(value: Any) -> str:
    """A value as people read it in a table."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(cell(item) for item in value) or "-"
        case dict():
            return json.dumps(value, ensure_ascii=False, default=str)
        case _:
            return str(value)


def confirm_change(
    before: Mapping[str, Any], after: Mapping[str, Any], *, yes: bool, flags: str = "--yes"
) -> None:
    """Show what a change does and ask, unless `yes`. Raises `Refused` when nobody says yes.

    Where the output is no terminal there is nobody to ask: the verb needs `flags`.
    """
    for name in dict.fromkeys((*before, *after)):
        was, will = cell(before.get(name)), cell(after.get(name))
        typer.echo(f"  {name}: {was}" if was == will else f"  {name}: {was} -> {will}", err=True)
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise Refused(
            f"Nothing was changed: there is nobody to ask here. Say {flags}.", reason="not_confirmed"
        )
    if not typer.confirm("Do this?", err=True):
        raise Refused("Nothing was changed.", reason="not_confirmed")


def _show_table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(cell(row.get(column)) for column in columns))
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:  # a pipe has no width to fold at
        console.width = 200
    console.print(table)
