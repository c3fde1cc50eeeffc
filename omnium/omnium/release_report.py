"""`omnium releases report`: a replay's report is stored under the release that it is of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnium.builds import build_facts
from omnium.client import Client
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption, YesOption
from omnium.output import Output, confirm_change, show_record
from omnium.release_address import ROLE, release_path
from omnium.release_files import read_report

SHOWN = ("version", "headline", "passed", "sports", "corpusDigest", "changed")


def report(
    version: Annotated[str, typer.Argument(help="The release that was replayed as the new one.")],
    file: Annotated[
        Path, typer.Argument(help="What `omnium replay --report json` wrote; - takes standard input.")
    ],
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    output: OutputOption = Output.TABLE,
    yes: YesOption = False,
) -> None:
    """Store a replay report, passed or failed: what an approval looks at. It has to be of these bytes."""
    found = read_report(file)
    wanted = {"report": found, "build": build_facts()}
    with Client.open(home, url, token, role=ROLE) as client:
        path = f"{release_path(version)}/reports"
        done = client.post(path, {**wanted, "dryRun": True})
        if done["changed"]:
            name = f"report {done['corpusDigest'][:12]}"
            before = {"release": version, "status": done["status"], name: None}
            confirm_change(before, {**before, name: done["headline"]}, yes=yes)
            done = client.post(path, wanted)
    shown = {name: done[name] for name in SHOWN}
    show_record(done if output is Output.JSON else shown, output=output, identity="version")
