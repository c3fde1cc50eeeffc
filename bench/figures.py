"""What a benchmark prints: ratios with their spread, figures, goals; as a table or as one line of JSON."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What a ratio or figure is to reach: at least or at most."""

    limit: float
    least: bool

    def met(self, value: float) -> bool:
        """Whether the value reaches it."""
        return value >= self.limit if self.least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {self.limit:g}"


def at_least(limit: float) -> Goal:
    """A goal from below."""
    return Goal(limit=limit, least=True)


def at_most(limit: float) -> Goal:
    """A goal from above."""
    return Goal(limit=limit, least=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """One ratio over the rounds of a run."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Ratio:
        """The ratio of each round, summed up."""
        return cls(median=statistics.median(values), low=min(values), high=max(values))


@dataclass(slots=True)
class Outcome:
    """What one benchmark found. `limits` says in words what bounds the figures."""

    bench: str
    ratios: dict[str, Ratio] = field(default_factory=dict)
    figures: dict[str, Any] = field(default_factory=dict)
    goals: Mapping[str, Goal] = field(default_factory=dict)

    def as_line(self) -> str:
        """One line of JSON."""
        ratios = {name: {"median": r.median, "low": r.low, "high": r.high} for name, r in self.ratios.items()}
        return json.dumps({"bench": self.bench, "ratios": ratios, "figures": self.figures})

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Name, value, goal, whether it is met."""
        made = []
        for name, ratio in self.ratios.items():
            shown = f"{ratio.median:.3g} ({ratio.low:.3g} to {ratio.high:.3g})"
            made.append((name, shown, *self._against(name, ratio.median)))
        for name, value in self.figures.items():
            shown = f"{value:.4g}" if isinstance(value, float) else str(value)
            made.append((name, shown, *self._against(name, value)))
        return made

    def _against(self, name: str, value: Any) -> tuple[str, str]:
        goal = self.goals.get(name)
        if goal is None or not isinstance(value, int | float):
            return "", ""
        return str(goal), "yes" if goal.met(value) else "no"


def show(outcome: Outcome, *, as_json: bool) -> None:
    """Print the outcome."""
    if as_json:
        print(outcome.as_line())
        return
    table = Table(title=outcome.bench)
    for column in ("figure", "value", "goal", "met"):
        table.add_column(column)
    for row in outcome.rows():
        table.add_row(*row)
    Console(width=110).print(table)


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of them lie."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
