"""A no to a command: a value, and the exception that carries it out of a list of steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from omnium_worker.guard import OverBudget
from omnium_worker.host import ComponentFailed

Kind = Literal["not_offered", "input", "rejected", "confirm", "key_reused", "record", "over_budget", "failed"]

_NOTHING: Final = "Nothing was written."


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a command was not accepted: `message` for the sender, a stable `reason`, `notes` with fields."""

    kind: Kind
    message: str
    reason: str | None = None
    notes: tuple[Mapping[str, str], ...] = ()


class Denied(Exception):
    """The command is refused. Caught where the answer is made, never further out."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def not_offered(message: str, *, reason: str) -> Denied:
    """The fixture, the workflow or the sender does not have this command."""
    return Denied(Refusal(kind="not_offered", message=message, reason=reason))


def failed(failure: ComponentFailed, *, log_id: str | None = None) -> Refusal:
    """A component raised. `log_id` is where the log has it."""
    where = f" The log has it as {log_id}." if log_id else ""
    return Refusal(kind="failed", message=f"{failure.key} failed. {_NOTHING}{where}", reason=failure.key)


def over_budget(spent: OverBudget) -> Refusal:
    """A component took longer than it may."""
    return Refusal(
        kind="over_budget", message=f"{spent.key} took too long and was stopped. {_NOTHING}", reason=spent.key
    )
