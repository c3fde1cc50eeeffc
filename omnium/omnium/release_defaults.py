"""`omnium releases default` and `omnium releases defaults`: which release a new match gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer

from omnium.builds import build_facts
from omnium.client import Client
from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_json, show_rows
from omnium.release_address import ROLE, VersionArgument, release_path, version_of
from omnium_deploy.errors import UsageProblem

app = verbs("The defaults: which release a new match gets.")

SCOPES = ("sport", "competition", "before", "after", "from")

SportOption = Annotated[str | None, typer.Option("--sport", help="The sport.", show_default=False)]
CompetitionOption = Annotated[
    str | None, typer.Option("--competition", help="Its code, EVENT/CODE, or id.", show_default=False)
]


def default(
    version: VersionArgument,
    sport: SportOption = None,
    competition: CompetitionOption = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="From then on, like 2026-09-19T08:00Z (else now).", show_default=False),
    ] = None,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Make a release what new matches of a sport (else of each it holds) or of a competition get."""
    version = version_of(version)
    wanted = {
        "sport": sport,
        "competition": competition,
        "from": _moment(from_, "--from"),
        "build": build_facts(),
    }
    with Client.open(home, url, token, role=ROLE) as client:
        path = f"{release_path(version)}/default"
        planned = client.post(path, {**wanted, "dryRun": True})["items"]
        if any(scope["changed"] for scope in planned):
            confirm_change(_scopes(planned, "before"), _scopes(planned, "after"), yes=yes)
            planned = client.post(path, wanted)["items"]
    rows = [{**scope, "from": scope["fromAt"] or "always"} for scope in planned]
    match output:
        case Output.IDS:
            typer.echo(version)
        case Output.JSON | Output.TABLE:
            show_rows(rows, columns=SCOPES, output=output, identity="after")
            _say_later(rows, output)


@app.callback()
def defaults_group() -> None:
    """Keep `explain` a verb of its own while it is the only one."""


@app.command()
def explain(
    sport: Annotated[str, typer.Option("--sport", help="The sport.")],
    competition: CompetitionOption = None,
    at: Annotated[
        str | None, typer.Option("--at", help="For a match that starts then (else now).", show_default=False)
    ] = None,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Which release a new match would get, and why."""
    with Client.open(home, url, token, role=ROLE) as client:
        asked = {"sport": sport, "competition": competition, "at": _moment(at, "--at")}
        told = client.get("/releases/defaults", asked)
    match output:
        case Output.JSON:
            show_json(told)
        case Output.IDS:
            typer.echo(told["version"] or "", nl=bool(told["version"]))
        case Output.TABLE:
            typer.echo(told["sentence"])
            if told["candidates"]:
                rows = [{**one, "from": one["fromAt"] or "always"} for one in told["candidates"]]
                columns = ("scope", "version", "from", "setBy", "wins", "verdict")
                show_rows(rows, columns=columns, output=output, identity="version")


def _scopes(planned: Sequence[Mapping[str, Any]], when: str) -> dict[str, Any]:
    return {f"{scope['sport']}{_within(scope)}{_from(scope)}": scope[when] for scope in planned}


def _within(scope: Mapping[str, Any]) -> str:
    return f" in {scope['competition']}" if scope["competition"] else ""


def _from(scope: Mapping[str, Any]) -> str:
    return f" from {scope['fromAt']}" if scope["fromAt"] else ""


def _say_later(rows: Sequence[Mapping[str, Any]], output: Output) -> None:
    for row in rows if output is Output.TABLE else ():
        if row["later"]:
            typer.echo(
                f"{row['sport']}{_within(row)}: set for later and kept: {', '.join(row['later'])}", err=True
            )


def _moment(text: str | None, flag: str) -> str | None:
    """A moment with its zone, in RFC 3339."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageProblem(
            f"{flag} {text} is no moment with a zone. Write it like 2026-09-19T08:00Z or …T13:30+05:30."
        )
    return moment.isoformat()
