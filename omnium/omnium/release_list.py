"""`omnium releases list`: every release, once or again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

import typer
from rich.console import Console

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_rows
from omnium.release_address import ROLE
from omnium_store.errors import FleetError

Row: TypeAlias = Mapping[str, Any]

WATCH_S = 2.0
LIST = ("version", "status", "sports", "live", "upcoming", "done", "workers", "createdAt")


class Status(StrEnum):
    """Where a release stands in its life."""

    PROVEN = "proven"
    STAGING = "staging"
    PROD = "prod"
    RETIRED = "retired"


def list_releases(
    status: Annotated[
        list[Status] | None,
        typer.Option("--status", help="Only those that stand here; may be repeated.", show_default=False),
    ] = None,
    sport: Annotated[
        str | None, typer.Option("--sport", help="Only those that hold this sport.", show_default=False)
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Again every two seconds, until Ctrl-C.")] = False,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """The releases, newest first, with how many matches are on each."""

    def is_wanted(row: Row) -> bool:
        return (not status or row["status"] in status) and (sport is None or sport in row["sports"])

    with Client.open(home, url, token, role=ROLE) as client, suppress(KeyboardInterrupt):
        _show(client, is_wanted, output)
        while watch:
            time.sleep(WATCH_S)
            try:
                _show(client, is_wanted, output, clear=Console().clear)
            except FleetError as away:  # it may come back, and somebody watches
                typer.echo(f"omnium: {away}", err=True)


def _show(
    client: Client,
    is_wanted: Callable[[Row], bool],
    output: Output,
    *,
    clear: Callable[[], None] | None = None,
) -> None:
    rows = [row for row in client.get("/releases")["items"] if is_wanted(row)]
    if clear and output is Output.TABLE:
        clear()
    show_rows(rows, columns=LIST, output=output, identity="version")
