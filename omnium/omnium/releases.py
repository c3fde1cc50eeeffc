"""`omnium releases`: which rules there are, who is on them, and which ones new matches get."""

from __future__ import annotations

import json
import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from omnium import release_defaults, release_move
from omnium.builds import build_facts
from omnium.client import Client
from omnium.forms import multipart
from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_card, show_json, show_record, show_rows
from omnium.release_address import ROLE, VersionArgument, release_path
from omnium_deploy.errors import UsageProblem
from omnium_deploy.offers import Offer, offers
from omnium_releases.artifacts import Wheel
from omnium_releases.rule_changes import rule_changes
from omnium_store.errors import NotFound

app = verbs("Releases of the rules.")
app.command("default")(release_defaults.default)
app.command()(release_move.move)
app.add_typer(release_defaults.app, name="defaults")

WATCH_S = 2.0
LIST = ("version", "status", "sports", "live", "upcoming", "done", "workers", "createdAt")
FIXTURES = ("event", "code", "name", "sport", "status", "scheduledStart", "id")
CARD = (
    *("version", "status", "contractVersion", "sports", "registeredBy", "createdAt"),
    *("approvedBy", "approvedAt", "retiredAt", "codeSha", "contractSha"),
)


class Env(StrEnum):
    """What a release is registered for."""

    PROVEN = "proven"
    STAGING = "staging"
    PROD = "prod"


@app.command()
def register(
    wheel: Annotated[Path, typer.Argument(help="The flows wheel, or a folder with both wheels.")],
    contract: Annotated[
        Path | None,
        typer.Option("--contract", help="The contract wheel (else the one beside).", show_default=False),
    ] = None,
    notes: Annotated[
        Path | None,
        typer.Option("--notes", help="A TOML file that declares rule changes.", show_default=False),
    ] = None,
    env: Annotated[Env, typer.Option("--env", help="How far up it goes.")] = Env.PROVEN,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Verify two wheels, prove them, and store them as a release."""
    (offer,) = offers([path for path in (wheel, contract) if path])
    text = _notes(notes)
    flows, proven_with = Wheel.read(offer.flows), Wheel.read(offer.contract)
    with Client.open(home, url, token, role=ROLE) as client:
        before = _known(client, flows.version)
        after = {
            "release": flows.version,
            "status": env.value,
            "code": flows.record_sha,
            "contract": f"{proven_with.version} {proven_with.record_sha}",
        }
        confirm_change(before, after, yes=yes)
        done = _sent(client, offer, env, text)
    show_record(done, output=output, identity="version")


@app.command("list")
def list_releases(
    watch: Annotated[bool, typer.Option("--watch", help="Again every two seconds, until Ctrl-C.")] = False,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """The releases, newest first, with how many matches are on each."""
    with Client.open(home, url, token, role=ROLE) as client:
        while True:
            rows = client.get("/releases")["items"]
            if watch and output is Output.TABLE:
                Console().clear()
            show_rows(rows, columns=LIST, output=output, identity="version")
            if not watch:
                return
            time.sleep(WATCH_S)


@app.command()
def show(
    version: VersionArgument,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """All about one release."""
    with Client.open(home, url, token, role=ROLE) as client:
        card = client.get(release_path(version))
    if output is not Output.TABLE:
        show_record(card, output=output, identity="version")
        return
    pins = card["pins"]
    show_card({name: card[name] for name in CARD})
    show_card({"on it": f"{pins['live']} live, {pins['upcoming']} upcoming, {pins['done']} done"})
    for title, rows, columns in (
        ("workflows", card["programs"], ("workflow", "title", "mode", "commands", "checksum")),
        ("default of", card["defaults"], ("sport", "event", "competition", "fromAt", "begun")),
        ("declared rule changes", card["ruleChanges"], ("sport", "what", "keys", "why")),
        ("audit", card["audit"], ("at", "who", "verb", "reason")),
    ):
        if rows:
            typer.echo(f"\n{title}")
            show_rows(rows, columns=columns, output=Output.TABLE, identity="")


@app.command()
def pins(
    version: VersionArgument,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Who is on a release, which are live, and when it will be free."""
    with Client.open(home, url, token, role=ROLE) as client:
        told = client.get(f"{release_path(version)}/pins")
    match output:
        case Output.JSON:
            show_json(told)
        case Output.IDS:
            show_rows(told["fixtures"], columns=FIXTURES, output=output, identity="id")
        case Output.TABLE:
            typer.echo(told["sentence"])
            if told["fixtures"]:
                show_rows(told["fixtures"], columns=FIXTURES, output=output, identity="id")


@app.command()
def retire(
    version: VersionArgument,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the audit.")] = "",
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Retire a release: nothing new may point at it. Refused while anything unfinished or future needs it."""
    wanted = {"reason": reason, "build": build_facts()}
    with Client.open(home, url, token, role=ROLE) as client:
        path = f"{release_path(version)}/retire"
        done = client.post(path, {**wanted, "dryRun": True})
        if done["changed"]:
            confirm_change(
                {"release": version, "status": done["before"]},
                {"release": version, "status": done["after"]},
                yes=yes,
            )
            done = client.post(path, wanted)
    shown = {name: done[name] for name in ("version", "before", "after", "changed")}
    show_record(done if output is Output.JSON else shown, output=output, identity="version")


def _sent(client: Client, offer: Offer, env: Env, notes: str) -> dict[str, Any]:
    texts = {"env": env.value, "notes": notes, "build": json.dumps(build_facts())}
    content, content_type = multipart(texts, {"flows": offer.flows, "contract": offer.contract})
    done: dict[str, Any] = client.request(
        "POST", "/releases", content=content, content_type=content_type
    ).json()
    return done


def _known(client: Client, version: str) -> dict[str, Any]:
    """What is registered under a version, as the card of `register` shows it."""
    try:
        card = client.get(release_path(version))
    except NotFound:
        return {"release": None}
    return {
        "release": version,
        "status": card["status"],
        "code": card["codeSha"],
        "contract": f"{card['contractVersion']} {card['contractSha']}",
    }


def _notes(path: Path | None) -> str:
    """The notes file, checked before anything is sent."""
    if path is None:
        return ""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageProblem(f"The notes {path} can't be read: {error}.") from None
    rule_changes(text)
    return text
