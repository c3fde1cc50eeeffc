"""What was sent, as rules read it that several commands share: the raw input, before its model is applied."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnium_contract.flows.types import Ctx
from omnium_flows.football.constants import Role
from omnium_flows.football.match import board
from omnium_flows.football.match.eligibility import Shown
from omnium_flows.football.match.settings import FootballFormat

Raw = Mapping[str, Any]


def said(input: Raw, *names: str) -> str | None:
    """The first of these fields that was sent, without the blanks around it."""
    value = next((input[name] for name in names if input.get(name) is not None), None)
    return None if value is None else str(value).strip()


def seq(input: Raw) -> int:
    """The number of the event that the input points at."""
    return int(input["seq"])


def shown(input: Raw, ctx: Ctx[FootballFormat]) -> Shown | None:
    """The card that is sent, or the one that is moved, as it would stand with its new person."""
    if "seq" not in input:
        return Shown(
            entry=said(input, "entry") or "",
            person=said(input, "person", "player") or "",
            colour=said(input, "colour") or "",
            role=said(input, "role") or Role.PLAYER.value,
            phase=said(input, "phase") or board.phase_now(ctx.derived, ctx.fixture.format),
        )
    row = board.card_numbered(ctx.derived, seq(input))
    if row is None:
        return None
    moved = {name: row[name] for name in ("entry", "role", "phase")}
    return Shown(**moved, person=said(input, "to") or "", colour=row["shown"])
