"""The worker's guard with all its parts, for programs of `run_script`: what it is told is kept in lists."""

from __future__ import annotations

from dataclasses import dataclass, field

from omnium_worker.budgets import LIMIT_S, BudgetGuard
from omnium_worker.confinement import Confinement, readable_folders
from omnium_worker.memory import Memory
from omnium_worker.stage import Stage
from omnium_worker.voices import Voices


@dataclass(slots=True)
class ListWitness:
    """Keeps what it is told."""

    heard: list[tuple[str, str]] = field(default_factory=list)
    over: list[str] = field(default_factory=list)
    reached: list[tuple[str, str]] = field(default_factory=list)

    def said(self, key: str, text: str) -> None:
        self.heard.append((key, text))

    def over_budget(self, key: str) -> None:
        self.over.append(key)

    def refused(self, key: str, what: str) -> None:
        self.reached.append((key, what))


def started_guard(*, limit_s: float = LIMIT_S, memory_mb: int = 0) -> tuple[BudgetGuard, ListWitness]:
    """A guard in full effect on this process: timer, audit hook, caught output, memory limit."""
    stage, witness, memory = Stage(), ListWitness(), Memory(memory_mb)
    confinement = Confinement(stage, readable_folders())
    guard = BudgetGuard(
        stage=stage,
        confinement=confinement,
        voices=Voices(stage),
        memory=memory,
        witness=witness,
        limit_s=limit_s,
    )
    confinement.install()
    memory.limit()
    guard.start()
    return guard, witness
