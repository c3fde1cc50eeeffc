"""`omnium releases fetch`: the wheels of registered releases, as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_rows
from omnium.release_address import ROLE, release_path, versions_of
from omnium.release_approve import registered_wheel
from omnium_deploy.errors import UsageProblem

COLUMNS = ("version", "folder", "defaultOf")
#: Beside the wheels: the sports that the release is the default of, one a line.
SPORTS = "default-of"
KINDS = {"flows": "codeSha", "contract": "contractSha"}


def fetch(
    versions: Annotated[
        list[str] | None,
        typer.Argument(metavar="VERSION", help="Releases; - takes them from standard input."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Every release that new matches of a sport with a log get now.")
    ] = False,
    out: Annotated[Path, typer.Option("--out", help="Both wheels go to OUT/VERSION.")] = Path("build"),
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Write the wheels of releases into folders of their versions, with the sports that get them now."""
    if bool(versions) == defaults:
        raise UsageProblem("Say which: VERSION, or --defaults.")
    with Client.open(home, url, token, role=ROLE) as client:
        cards = _defaults(client) if defaults else _named(client, versions or [])
        rows = [_written(client, card, out / card["version"]) for card in cards]
    show_rows(rows, columns=COLUMNS, output=output, identity="folder")


def _named(client: Client, versions: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    for version in versions_of(versions):
        yield client.get(release_path(version))


def _defaults(client: Client) -> Iterator[Mapping[str, Any]]:
    """The cards of the releases that are the default of something that is played now."""
    for row in client.get("/releases")["items"]:
        if row["status"] == "prod":
            card = client.get(release_path(row["version"]))
            if _default_of(card):
                yield card


def _default_of(card: Mapping[str, Any]) -> list[str]:
    """The sports whose matches get this release now, and have a log: the others have nothing to replay."""
    played = {program["workflow"] for program in card["programs"] if program["mode"] == "fold"}
    return sorted({scope["sport"] for scope in card["defaults"] if scope["begun"]} & played)


def _written(client: Client, card: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    parts = [registered_wheel(client, card, kind, card[sha]) for kind, sha in KINDS.items()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for part in parts:
            (folder / part.name).write_bytes(part.content)
        (folder / SPORTS).write_text("".join(f"{sport}\n" for sport in _default_of(card)))
    except OSError as error:
        raise UsageProblem(f"{folder} can't be written: {error.strerror}.") from None
    return {"version": card["version"], "folder": str(folder), "defaultOf": _default_of(card)}
