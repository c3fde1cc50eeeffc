"""`omnium releases retire`: nothing new may point at a release any more."""

from __future__ import annotations

from typing import Annotated

import typer

from omnium.builds import build_facts
from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_record
from omnium.release_address import ROLE, VersionsArgument, release_path, versions_of


def retire(
    versions: VersionsArgument,
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
        for version in versions_of(versions):
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
