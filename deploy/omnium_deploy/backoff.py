"""How long to wait before a process that died is started again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits grow from `first_s` to `most_s` while deaths come quickly; a life of `calm_s` starts over."""

    first_s: float = 0.1
    most_s: float = 10.0
    calm_s: float = 30.0

    def wait_s(self, *, deaths: int) -> float:
        """Seconds to wait after so many quick deaths in a row (1 and more)."""
        return min(self.most_s, self.first_s * 2.0 ** min(deaths - 1, 20))

    def deaths(self, before: int, *, lived_s: float) -> int:
        """Quick deaths in a row, after one more death of a process that lived so long."""
        return 1 if lived_s >= self.calm_s else before + 1
