"""The secret that the processes of one fleet know each other by."""

from __future__ import annotations

import secrets

from omnium_deploy.home import Home, write_private

NAME = "fleet.key"


def ensure(home: Home) -> None:
    """Make it once; only the owner of the home may read it."""
    path = home.keys / NAME
    if not path.exists():
        write_private(path, secrets.token_hex(32) + "\n")
