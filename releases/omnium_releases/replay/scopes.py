"""Which sports a replay is about: all that the new release holds, or those that were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Scope:
    """`sports` empty: all. A format is of its parent's sport."""

    sports: frozenset[str] = frozenset()
    parents: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, sports: frozenset[str], programs: Mapping[str, Mapping[str, Any]]) -> Scope:
        """The scope of a replay of a release with these programs, by workflow."""
        formats = {
            code: str(program["parent"]) for code, program in programs.items() if program.get("parent")
        }
        return cls(sports, formats)

    def holds(self, workflow: str) -> bool:
        """Whether a workflow is of one of the sports."""
        return not self.sports or self.parents.get(workflow, workflow) in self.sports

    def within(self, folds: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
        """Those workflows that are of the sports."""
        return {code: program for code, program in folds.items() if self.holds(code)}
