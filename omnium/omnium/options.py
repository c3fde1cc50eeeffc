"""Flags that several verbs share, so that a flag has one name and one meaning everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from omnium.output import Output

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", help="Folder of the fleet (else $OMNIUM_HOME, else .omnium).", show_default=False),
]
UrlOption = Annotated[
    str | None,
    typer.Option(
        "--url", help="Address of a router (else $OMNIUM_URL, else the home's).", show_default=False
    ),
]
TokenOption = Annotated[
    str | None,
    typer.Option("--token", help="Token for --url (else $OMNIUM_TOKEN).", show_default=False),
]
OutputOption = Annotated[
    Output, typer.Option("--output", help="table for people, json for programs, ids for the next verb.")
]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
