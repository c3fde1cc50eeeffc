"""`omnium releases check` and `zombies`: whether what fixtures need runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_json, show_rows
from omnium.release_address import ROLE
from omnium_store.errors import Refused

NEEDED = ("version", "status", "well", "answering", "workers", "reasons", "problems")
STRANDED = ("event", "code", "sport", "status", "scheduledStart", "version", "why", "id")


def check(
    before: Annotated[
        float, typer.Option("--before", min=0, max=24 * 366, help="Fixtures that start in so many hours.")
    ] = 24,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Is every release that an upcoming fixture needs loaded, answering, and of the right hash?

    Exit code 1 if not. --output ids prints the versions of those that are not.
    """
    with Client.open(home, url, token, role=ROLE) as client:
        told = client.get("/releases/check", {"before": before})
    items = told["items"]
    match output:
        case Output.JSON:
            show_json(told)
        case Output.IDS:
            show_rows(
                [item for item in items if not item["well"]],
                columns=NEEDED,
                output=output,
                identity="version",
            )
        case Output.TABLE:
            show_rows(items, columns=NEEDED, output=output, identity="version")
    if not told["ok"]:
        raise Refused(_verdict(items, told["undecided"]), reason="not_loaded")


def zombies(
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Unfinished fixtures that are pinned to a release that does not run: their commands wait for nothing."""
    with Client.open(home, url, token, role=ROLE) as client:
        found = client.get("/releases/zombies")["items"]
    if found or output is not Output.TABLE:
        show_rows(found, columns=STRANDED, output=output, identity="id")
    else:
        typer.echo("Every unfinished fixture is on a release that runs.")


def _verdict(items: Sequence[Mapping[str, Any]], undecided: Sequence[str]) -> str:
    ill = [f"{item['version']} ({'; '.join(item['problems'])})" for item in items if not item["well"]]
    parts = [f"Not ready: {', '.join(ill)}."] if ill else []
    if undecided:
        parts.append(
            f"No release is the default of {', '.join(undecided)}. Set one: omnium releases default."
        )
    return " ".join(parts)
