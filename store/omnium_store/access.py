"""Who may be what: kinds of senders and roles of people, as tokens carry them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """What sort of sender a token is of."""

    PERSON = "person"
    INTEGRATION = "integration"


class Role(StrEnum):
    """What a person may do; which route asks for which role is the router's table."""

    VIEWER = "viewer"
    SCORER = "scorer"
    OPERATOR = "operator"
    RELEASE_MANAGER = "release_manager"
    ADMIN = "admin"


#: What each role is for, as the command line and the console say it.
ROLE_TITLES: Final = {
    Role.VIEWER: "reads and streams of its events",
    Role.SCORER: "commands of sports on its fixtures or events",
    Role.OPERATOR: "what a scorer may, events, results and games commands, corrections after the end",
    Role.RELEASE_MANAGER: "releases",
    Role.ADMIN: "all, tokens and the fleet",
}
