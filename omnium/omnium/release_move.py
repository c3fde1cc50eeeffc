"""`omnium releases move`: a match that has begun goes on under another release."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final
from urllib.parse import quote

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from omnium.builds import build_facts
from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, cell, confirm_change, show_json, show_record
from omnium.release_address import ROLE
from omnium_deploy.errors import UsageProblem
from omnium_store.errors import FleetError, Refused

#: How many differences and conflicts a card shows; --output json has all that the facade tells.
MOST_SHOWN: Final = 40
#: How long a worker of the release is waited for; one for a long log is started when somebody asks.
PATIENCE_S = 30.0
PAUSE_S: Final = 0.5
DONE: Final = ("fixture", "event", "code", "from", "to", "changed", "seq", "version", "digest")
#: What says whose a difference is, in the order of a sentence.
_OF: Final = ("entry", "person", "segment")


def move(
    fixture: Annotated[str, typer.Argument(help="The match, by its id.")],
    to: Annotated[str, typer.Option("--to", help="Version of the release that it goes on under.")],
    expect: Annotated[
        str | None,
        typer.Option(
            "--expect", help="The digest that the preview showed; --yes needs it.", show_default=False
        ),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for log and audit.")] = "",
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Move a match that has begun to another release: shows what that changes, then asks.

    Events that come meanwhile are folded on top; only a difference that was not shown refuses the move.
    """
    if yes and expect is None:
        raise UsageProblem("--yes needs --expect DIGEST, the digest that the preview shows.")
    path = f"/releases/moves/{quote(fixture, safe='')}"
    wanted = {"to": to, "reason": reason, "build": build_facts()}
    with Client.open(home, url, token, role=ROLE) as client:
        seen = _asked(client, path, {**wanted, "dryRun": True})
        if seen["changed"]:
            digest = expect or seen["digest"]
            _show_preview(seen)
            _confirm(seen, output, yes=yes)
            seen = _asked(client, path, {**wanted, "expect": digest})
    shown = {name: seen[name] for name in DONE}
    show_record(seen if output is Output.JSON else shown, output=output, identity="fixture")


def _asked(client: Client, path: str, wanted: Mapping[str, Any]) -> Any:
    """The facade's answer. A worker that is being started is waited for; a move is safe to be made again."""
    until, has_told = time.monotonic() + PATIENCE_S, False
    while True:
        try:
            return client.post(path, wanted)
        except FleetError as away:
            if away.reason != "release_unavailable" or time.monotonic() > until:
                raise
            if not has_told:
                typer.echo(f"  waiting: {away.message}", err=True)
                has_told = True
            time.sleep(PAUSE_S)


def _confirm(seen: Mapping[str, Any], output: Output, *, yes: bool) -> None:
    """Ask; a program that can't be asked gets the preview for its result, with the digest to expect."""
    told = ", ".join(f"{number} {part}" for part, number in seen["counts"].items() if number) or "none"
    same = {"match": _match(seen), "events": seen["events"], "digest": seen["digest"], "differences": told}
    try:
        confirm_change(
            {**same, "release": seen["from"]},
            {**same, "release": seen["to"]},
            yes=yes,
            flags=f"--yes --expect {seen['digest']}",
        )
    except Refused:
        if output is Output.JSON:
            show_json(seen)
        raise


def _show_preview(seen: Mapping[str, Any]) -> None:
    """What changes, for people: beside the result."""
    names = _names(seen["sides"])
    changed = [
        (one["part"], _what(one, names), cell(one["before"]), cell(one["after"]))
        for one in seen["differences"]
    ]
    _show_rows(("part", "what", "before", "after"), changed)
    refused = [(f"event {one['seq']}", one["code"], one["sentence"]) for one in seen["conflicts"]]
    _show_rows(("would refuse", "command", "because"), refused)
    left = seen["leftOut"] + max(0, len(changed) - MOST_SHOWN) + max(0, len(refused) - MOST_SHOWN)
    if left:
        typer.echo(f"  and {left} more", err=True)


def _what(one: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """`goals of Alpha, H. Quay, 1H`; sides by their names wherever their entry stands."""
    text: str = one["key"]
    whose = [str(one[name]) for name in _OF if one.get(name)]
    text = f"{text} of {', '.join(whose)}" if whose else text
    for entry, name in names.items():
        text = text.replace(entry, name)
    return text


def _names(sides: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    return {side["entry"]: side["name"] or side["code"] or side["entry"] for side in sides}


def _match(seen: Mapping[str, Any]) -> str:
    sides = " v ".join(_names(seen["sides"]).values())
    return f"{seen['event']}/{seen['code']} {sides} ({seen['status']})"


def _show_rows(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stderr, where all goes that is not the result."""
    if not rows:
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows[:MOST_SHOWN]:
        table.add_row(*row)
    console = Console(markup=False, highlight=False, stderr=True)
    if not console.is_terminal:  # a pipe has no width to fold at
        console.width = 200
    console.print(table)
