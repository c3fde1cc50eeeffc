"""Coverage: which commands, rules, actions and branches of a release no match of the corpus exercised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from omnium_proto.replay_pb2 import ReplayRan

#: Names in a program document, and what a report calls them.
_KINDS: Final = (
    ("commands", "commands"),
    ("validations", "rules"),
    ("actions", "actions"),
    ("branches", "branches"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCoverage:
    """One kind of component of one workflow. `missing` are keys of those that nothing exercised."""

    total: int
    missing: tuple[str, ...]

    @property
    def exercised(self) -> int:
        """How many were exercised."""
        return self.total - len(self.missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkflowCoverage:
    """A command is exercised once it was accepted, the others once they ran.

    `never_refused` are rules that were asked, and never said no: nothing shows that they would.
    """

    kinds: Mapping[str, KindCoverage]
    never_refused: tuple[str, ...]

    def as_data(self) -> dict[str, Any]:
        """As a report has it."""
        shown: dict[str, Any] = {
            kind: {"total": one.total, "exercised": one.exercised, "missing": list(one.missing)}
            for kind, one in self.kinds.items()
        }
        return {**shown, "never_refused": list(self.never_refused)}


def coverage_of(folds: Mapping[str, Mapping[str, Any]], ran: ReplayRan) -> dict[str, WorkflowCoverage]:
    """Of every workflow that has matches. A component that it inherits is its parent's business."""
    return {code: _workflow(program, ran) for code, program in sorted(folds.items())}


def _workflow(program: Mapping[str, Any], ran: ReplayRan) -> WorkflowCoverage:
    own = {told: [c["key"] for c in program[kind] if not c.get("inheritedFrom")] for kind, told in _KINDS}
    exercised = {"commands": set(ran.accepted)}
    kinds = {
        kind: KindCoverage(total=len(keys), missing=_without(keys, exercised.get(kind, set(ran.called))))
        for kind, keys in own.items()
    }
    asked = [key for key in own["rules"] if key in ran.called]
    return WorkflowCoverage(kinds=kinds, never_refused=_without(asked, set(ran.refused)))


def _without(keys: Iterable[str], exercised: set[str]) -> tuple[str, ...]:
    return tuple(key for key in keys if key not in exercised)
