"""`omnium releases register`: two wheels become a release."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from omnium.builds import build_facts
from omnium.client import Client
from omnium.forms import FilePart, multipart
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_record
from omnium.release_address import ROLE, release_path
from omnium.release_files import read_report, read_text
from omnium_deploy.offers import offers
from omnium_releases.artifacts import Wheel
from omnium_releases.rule_changes import rule_changes
from omnium_store.errors import NotFound


class Env(StrEnum):
    """What a release is registered for."""

    PROVEN = "proven"
    STAGING = "staging"
    PROD = "prod"


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
    report: Annotated[
        list[Path] | None,
        typer.Option(
            "--report", help="What `omnium replay --report json` wrote; may be repeated.", show_default=False
        ),
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
    text = "" if notes is None else read_text(notes, "notes")
    rule_changes(text)
    reports = [read_report(path) for path in report or ()]
    flows, proven_with = Wheel.read(offer.flows), Wheel.read(offer.contract)
    with Client.open(home, url, token, role=ROLE) as client:
        before = known_release(client, flows.version)
        after = {
            "release": flows.version,
            "status": env.value,
            "code": flows.record_sha,
            "contract": f"{proven_with.version} {proven_with.record_sha}",
        }
        confirm_change(before, after, yes=yes)
        wheels = {
            "flows": FilePart(offer.flows.name, offer.flows.read_bytes()),
            "contract": FilePart(offer.contract.name, offer.contract.read_bytes()),
        }
        done = send_release(client, wheels, {"env": env.value, "notes": text}, reports)
    show_record(done, output=output, identity="version")


def send_release(
    client: Client,
    wheels: Mapping[str, FilePart],
    texts: Mapping[str, str],
    reports: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Register two wheels over a facade: how `register` and `approve --to` both do it."""
    told = {**texts, "build": json.dumps(build_facts())}
    if reports:
        told["report"] = json.dumps(list(reports))
    content, content_type = multipart(told, wheels)
    done: dict[str, Any] = client.request(
        "POST", "/releases", content=content, content_type=content_type
    ).json()
    return done


def known_release(client: Client, version: str) -> dict[str, Any]:
    """What is registered under a version, as the cards of verbs show it."""
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
