"""`omnium releases unregistered`: whether a wheel's version is free, asked before anything is sent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_record
from omnium.release_address import ROLE, release_path
from omnium_deploy.offers import offers
from omnium_releases.artifacts import Wheel
from omnium_store.errors import NotFound, Refused


def unregistered(
    wheel: Annotated[Path, typer.Argument(help="The flows wheel, or a folder with both wheels.")],
    contract: Annotated[
        Path | None,
        typer.Option("--contract", help="The contract wheel (else the one beside).", show_default=False),
    ] = None,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Say whether a wheel's version is free or names these bytes. Exit code 1 if it names others."""
    (offer,) = offers([path for path in (wheel, contract) if path])
    flows, proven_with = Wheel.read(offer.flows), Wheel.read(offer.contract)
    with Client.open(home, url, token, role=ROLE) as client:
        status = _status(client, flows, proven_with)
    told = {"version": flows.version, "registered": status is not None, "status": status}
    show_record(told, output=output, identity="version")


def _status(client: Client, flows: Wheel, contract: Wheel) -> str | None:
    """The status of the release if it is there, None if its version is free. Raises `Refused`."""
    try:
        card = client.get(release_path(flows.version))
    except NotFound:
        return None
    if (card["codeSha"], card["contractSha"]) != (flows.record_sha, contract.record_sha):
        raise Refused(
            f"{flows.version} is registered with other bytes. A version never names two contents: "
            "change the tree (make wheels gives it another version), or restore the wheels of that version.",
            reason="version_taken",
        )
    return str(card["status"])
