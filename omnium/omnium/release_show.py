"""`omnium releases show` and `pins`: all about one release, and who is on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_card, show_json, show_record, show_rows
from omnium.release_address import ROLE, VersionsArgument, release_path, versions_of

FIXTURES = ("event", "code", "name", "sport", "status", "scheduledStart", "id")
CARD = (
    *("version", "status", "contractVersion", "sports", "registeredBy", "createdAt"),
    *("approvedBy", "approvedAt", "retiredAt", "codeSha", "contractSha"),
)
REPORTS = ("id", "against", "passed", "matches", "events", "differences", "failures", "storedBy", "storedAt")


def show(
    versions: VersionsArgument,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """All about a release: life, wheels, reports, defaults, declared rule changes, audit."""
    with Client.open(home, url, token, role=ROLE) as client:
        for version in versions_of(versions):
            card = client.get(release_path(version))
            if output is Output.TABLE:
                _show(card)
            else:
                show_record(card, output=output, identity="version")


def pins(
    versions: VersionsArgument,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Who is on a release, which are live, and when it will be free."""
    with Client.open(home, url, token, role=ROLE) as client:
        for version in versions_of(versions):
            _show_pins(client.get(f"{release_path(version)}/pins"), output)


def _show_pins(told: Mapping[str, Any], output: Output) -> None:
    if output is Output.JSON:
        show_json(told)
        return
    if output is Output.TABLE:
        typer.echo(f"{told['version']}: {told['sentence']}")
    if told["fixtures"] or output is Output.IDS:
        show_rows(told["fixtures"], columns=FIXTURES, output=output, identity="id")


def _show(card: Mapping[str, Any]) -> None:
    counts = card["pins"]
    on_it = f"{counts['live']} live, {counts['upcoming']} upcoming, {counts['done']} done"
    show_card({**{name: card[name] for name in CARD}, "on it": on_it})
    reports = [{**one, "against": one["oldVersion"] or "goldens alone"} for one in card["reports"]]
    for title, rows, columns in (
        ("workflows", card["programs"], ("workflow", "title", "mode", "commands", "checksum")),
        ("default of", card["defaults"], ("sport", "event", "competition", "fromAt", "begun")),
        ("replay reports", reports, REPORTS),
        ("declared rule changes", card["ruleChanges"], ("sport", "what", "keys", "why")),
        ("audit", card["audit"], ("at", "who", "verb", "reason")),
    ):
        if rows:
            typer.echo(f"\n{title}")
            show_rows(rows, columns=columns, output=Output.TABLE, identity="")
