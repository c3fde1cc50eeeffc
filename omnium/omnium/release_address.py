"""How the verbs of `omnium releases` name a release, and whose token they take from a home."""

from __future__ import annotations

from typing import Annotated, Final
from urllib.parse import quote

import typer

ROLE: Final = "release_manager"

VersionArgument = Annotated[str, typer.Argument(help="The release's version.")]


def release_path(version: str) -> str:
    """The address of a release in the facade; a version may hold a plus."""
    return f"/releases/{quote(version, safe='')}"
