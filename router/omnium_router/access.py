"""Who may do what: one table of rows and grants. What no row allows is refused.

A token without `events` and `fixtures` is bound by its roles alone. As soon as it has either claim, it
reaches what they name and nothing else: an event with all its fixtures, or single fixtures. An admin is never
narrowed.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from omnium_store.access import Kind, Role
from omnium_store.errors import Forbidden
from omnium_store.tokens import Caller


class Grant(StrEnum):
    """To whom a row is open: anyone, a role of a person, or an integration."""

    ANYONE = "anyone"
    VIEWER = Role.VIEWER
    SCORER = Role.SCORER
    OPERATOR = Role.OPERATOR
    RELEASE_MANAGER = Role.RELEASE_MANAGER
    ADMIN = Role.ADMIN
    INTEGRATION = "integration"


_ANYONE: Final = frozenset({Grant.ANYONE})
_SCORING: Final = frozenset({Grant.SCORER, Grant.OPERATOR, Grant.ADMIN})
_READING: Final = _SCORING | {Grant.VIEWER}
_OPERATING: Final = frozenset({Grant.OPERATOR, Grant.ADMIN})
_RELEASING: Final = frozenset({Grant.RELEASE_MANAGER, Grant.ADMIN})
_ADMIN: Final = frozenset({Grant.ADMIN})

#: A row for every route, and one for each sort of command behind the one route that takes them.
TABLE: Final[Mapping[str, frozenset[Grant]]] = {
    "commands.send": _SCORING | {Grant.INTEGRATION},  # which sort it is says one of the next three
    "commands.fold": _SCORING,
    "commands.apply": _OPERATING,
    "commands.import": frozenset({Grant.INTEGRATION}),
    "workflows.list": _READING | _RELEASING,
    "workflows.describe": _READING | _RELEASING,
    "workflows.install": _RELEASING,
    "reads.list": _READING,
    "reads.read": _READING,
    "reads.staff": _SCORING,  # read models that are for staff alone
    "log.read": _SCORING,
    "events.create": _OPERATING,
    "events.list": _READING,
    "events.show": _READING,
    "releases.register": _RELEASING,
    "releases.list": _RELEASING | _OPERATING,
    "releases.show": _RELEASING | _OPERATING,
    "releases.pins": _RELEASING | _OPERATING,
    "releases.explain": _RELEASING | _OPERATING,
    "releases.check": _RELEASING | _OPERATING,
    "releases.zombies": _RELEASING | _OPERATING,
    "releases.diff": _RELEASING | _OPERATING,
    "releases.audit": _RELEASING,
    "releases.report": _RELEASING,
    "releases.read_report": _RELEASING | _OPERATING,
    "releases.wheel": _RELEASING,
    "releases.approve": _RELEASING,
    "releases.default": _RELEASING,
    "releases.retire": _RELEASING,
    "releases.move": _RELEASING,
    "fleet.show": _RELEASING,  # whoever loads a release has to see its pool come up
    "tokens.create": _ADMIN,
    "tokens.list": _ADMIN,
    "tokens.revoke": _ADMIN,
    "openapi": _ANYONE,
    "docs": _ANYONE,
    "health": _ANYONE,
    "ready": _ANYONE,
    "metrics": _ANYONE,
}


def is_open(row: str) -> bool:
    """Whether a row asks for no token at all."""
    return Grant.ANYONE in TABLE.get(row, frozenset())


def grants(caller: Caller) -> frozenset[Grant]:
    """What a token stands for. An integration has no roles, whatever its token says."""
    return _grants(caller.kind, caller.roles)


def require(caller: Caller, row: str) -> None:
    """Raises `Forbidden` unless the row is open to this caller."""
    if not grants(caller) & TABLE.get(row, frozenset()):
        raise Forbidden(_refusal(caller, row), metadata={"needs": ", ".join(sorted(TABLE.get(row, ())))})


def require_scope(caller: Caller, *, event: str, fixture: uuid.UUID | None = None) -> None:
    """Raises `Forbidden` unless the token reaches this event, or this fixture of it."""
    if not in_scope(caller, event=event, fixture=fixture):
        what = f"fixture {fixture}" if fixture else f"event {event}"
        raise Forbidden(f"This token does not reach {what}.", reason="out_of_scope")


def in_scope(caller: Caller, *, event: str, fixture: uuid.UUID | None = None) -> bool:
    """Whether the token reaches this event, or this fixture of it."""
    if Grant.ADMIN in grants(caller) or not (caller.events or caller.fixtures):
        return True
    return event in caller.events or (fixture is not None and str(fixture) in caller.fixtures)


@lru_cache(maxsize=256)
def _grants(kind: Kind, roles: frozenset[Role]) -> frozenset[Grant]:
    if kind is Kind.INTEGRATION:
        return frozenset({Grant.INTEGRATION})
    return frozenset(Grant(role.value) for role in roles)


def _refusal(caller: Caller, row: str) -> str:
    if caller.kind == Kind.INTEGRATION:
        return "An integration may send its imports and nothing else."
    if row == "commands.import":
        return "Only an integration may send an import."
    return f"This needs another role than {', '.join(sorted(caller.roles)) or 'none'}."
