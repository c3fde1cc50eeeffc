"""`omnium releases diff`: what a release differs in from another one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_json, show_rows
from omnium.release_address import ROLE

SECTIONS = (
    ("components", "components", ("workflow", "kind", "key", "change", "members")),
    ("inputs that changed shape", "inputs", ("key", "field", "change", "old", "new")),
    ("files", "files", ("wheel", "path", "change")),
    ("declared rule changes", "ruleChanges", ("sport", "what", "keys", "why")),
)


def diff(
    old: Annotated[str, typer.Argument(help="The release that is compared with.")],
    new: Annotated[str, typer.Argument(help="The release that is asked about.")],
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Components that were added, changed or removed, inputs that changed shape, files, declared changes.

    --output ids prints the keys of the components.
    """
    with Client.open(home, url, token, role=ROLE) as client:
        told = client.get("/releases/diff", {"old": old, "new": new})
    match output:
        case Output.JSON:
            show_json(told)
        case Output.IDS:
            show_rows(told["components"], columns=(), output=output, identity="key")
        case Output.TABLE:
            _show(told)


def _show(told: Mapping[str, Any]) -> None:
    old, new = told["old"], told["new"]
    if old["codeSha"] == new["codeSha"] and old["contractSha"] == new["contractSha"]:
        typer.echo("They hold the same bytes.")
        return
    if old["contractSha"] != new["contractSha"]:
        typer.echo(f"contract {old['contractVersion']} -> {new['contractVersion']}")
    for title, name, columns in SECTIONS:
        if told[name]:
            typer.echo(f"\n{title}")
            show_rows(told[name], columns=columns, output=Output.TABLE, identity="")
