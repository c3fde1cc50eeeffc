"""How the verbs of `omnium releases` name a release, and whose token they take from a home."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Final
from urllib.parse import quote

import typer

from omnium_deploy.errors import UsageProblem

ROLE: Final = "release_manager"
PIPED: Final = "-"

VersionArgument = Annotated[
    str, typer.Argument(help="The release's version; - takes it from standard input.", show_default=False)
]
VersionsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="VERSION",
        help="Versions of releases; - takes them from standard input.",
        show_default=False,
    ),
]


def release_path(version: str) -> str:
    """The address of a release in the facade; a version may hold a plus."""
    return f"/releases/{quote(version, safe='')}"


def versions_of(named: Sequence[str]) -> list[str]:
    """The versions that are named, with those that another verb pipes in. Raises `UsageProblem` for none."""
    found = [one for name in named for one in (sys.stdin.read().split() if name == PIPED else [name])]
    if not found:
        raise UsageProblem("No version came on standard input.")
    return found


def version_of(named: str) -> str:
    """The one version that is named or piped in. Raises `UsageProblem`."""
    found = versions_of([named])
    if len(found) > 1:
        raise UsageProblem(f"This takes one version; {len(found)} came on standard input.")
    return found[0]
