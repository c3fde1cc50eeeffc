"""`omnium releases approve`: a person lets a release judge real matches, here or in another environment."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from omnium.builds import build_facts
from omnium.client import Client
from omnium.forms import FilePart
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_record
from omnium.release_address import ROLE, VersionsArgument, release_path, versions_of
from omnium.release_register import known_release, send_release
from omnium_deploy.errors import UsageProblem
from omnium_releases.artifacts import Wheel
from omnium_store.errors import Refused

SHOWN = ("version", "before", "after", "changed", "registeredBy")
TO_TOKEN = "OMNIUM_TO_TOKEN"


def approve(
    versions: VersionsArgument,
    to: Annotated[
        str | None,
        typer.Option(
            "--to", help="Address of another environment's router: register it there.", show_default=False
        ),
    ] = None,
    to_token: Annotated[
        str | None,
        typer.Option(
            "--to-token",
            help=f"Token for --to (else ${TO_TOKEN}, else the one of --token).",
            show_default=False,
        ),
    ] = None,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Make a staged release prod. Asks for its replay reports, and for another person than registered it.

    With --to the same wheels are registered there for prod, with the same notes and reports, and then
    approved here. Without --url, --token is for --to, and the home's own token is used here.
    """
    own_token = token if url or not to else None
    with Client.open(home, url, own_token, role=ROLE) as client:
        for version in versions_of(versions):
            if to is None:
                done = _approve(client, version, yes=yes)
            else:
                with Client(to, _token_of(to_token, token)) as there:
                    done = _approve_to(client, there, version, yes=yes)
            shown = {name: done[name] for name in SHOWN}
            show_record(done if output is Output.JSON else shown, output=output, identity="version")


def _approve(client: Client, version: str, *, yes: bool) -> Any:
    planned = _ask(client, version, dry_run=True)
    if not planned["changed"]:
        return planned
    confirm_change(_card(planned, "before"), _card(planned, "after"), yes=yes)
    return _ask(client, version, dry_run=False)


def _approve_to(client: Client, there: Client, version: str, *, yes: bool) -> Any:
    """There first: if that is refused, nothing here says that it was approved."""
    planned = _ask(client, version, dry_run=True)
    known = known_release(there, version)
    status = known.get("status")
    if not planned["changed"] and status == "prod":
        return {**planned, "there": known}
    before = {**_card(planned, "before"), f"status at {there.url}": status}
    after = {**_card(planned, "after"), f"status at {there.url}": "prod"}
    confirm_change(before, after, yes=yes)
    registered = _register_there(client, there, version)
    return {**_ask(client, version, dry_run=False), "there": registered}


def _register_there(client: Client, there: Client, version: str) -> dict[str, Any]:
    card = client.get(release_path(version))
    staged_by = {"name": card["registeredBy"], "sub": card["registeredSub"] or card["registeredBy"]}
    texts = {"env": "prod", "notes": card["notes"], "stagedBy": json.dumps(staged_by)}
    wheels = {
        "flows": registered_wheel(client, card, "flows", card["codeSha"]),
        "contract": registered_wheel(client, card, "contract", card["contractSha"]),
    }
    return send_release(there, wheels, texts, _reports(client, card))


def registered_wheel(client: Client, card: Mapping[str, Any], kind: str, record_sha: str) -> FilePart:
    """A wheel as it is registered here, held to its hash before it goes anywhere."""
    content = client.request("GET", f"{release_path(card['version'])}/wheels/{kind}").body
    name = next(one["filename"] for one in card["artifacts"] if one["kind"] == kind)
    if Wheel.read(content, filename=name).record_sha != record_sha:
        raise Refused(
            f"{name} is not the wheel that release {card['version']} is registered with. "
            "Look at what is between here and the router.",
            reason="tampered",
        )
    return FilePart(name, content)


def _reports(client: Client, card: Mapping[str, Any]) -> list[Any]:
    """The newest passed report against each release that it was replayed against."""
    newest: dict[str | None, int] = {}
    for report in card["reports"]:
        if report["passed"]:
            newest.setdefault(report["oldCodeSha"], report["id"])
    return [client.get(f"{release_path(card['version'])}/reports/{number}") for number in newest.values()]


def _ask(client: Client, version: str, *, dry_run: bool) -> Any:
    return client.post(f"{release_path(version)}/approve", {"dryRun": dry_run, "build": build_facts()})


def _card(planned: Mapping[str, Any], when: str) -> dict[str, Any]:
    """What the person who approves has in front of them."""
    proofs = {f"proof of {ground['sport']}": _proof(ground) for ground in planned["grounds"]}
    return {
        "release": planned["version"],
        "registered by": planned["registeredBy"],
        **proofs,
        "status": planned[when],
    }


def _proof(ground: Mapping[str, Any]) -> str:
    report = ground["report"]
    if report is None:
        return "no report; a local environment asks for none"
    against = f"against {ground['against']}" if ground["against"] else "first release, by its goldens alone"
    return (
        f"{against}: {report['matches']} matches, {report['events']} commands, "
        f"{report['differences']} differences, {report['failures']} undeclared"
    )


def _token_of(to_token: str | None, token: str | None) -> str:
    found = to_token or os.environ.get(TO_TOKEN) or token or os.environ.get("OMNIUM_TOKEN")
    if not found:
        raise UsageProblem(f"--to needs a token. Say --to-token T or set {TO_TOKEN}.")
    return found
