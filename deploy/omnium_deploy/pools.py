"""Which pools there should be: a value made from what is wanted, what runs and the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Lane = Literal["live", "bulk"]


@dataclass(frozen=True, slots=True, order=True)
class PoolKey:
    """All workers of one release in one lane."""

    version: str
    lane: Lane = "live"

    def __str__(self) -> str:
        return self.version if self.lane == "live" else f"{self.version} ({self.lane})"


@dataclass(frozen=True, slots=True)
class Want:
    """One reason for a pool, in words that `omnium status` prints."""

    key: PoolKey
    why: str
    is_default: bool = False  # new fixtures get it


@dataclass(frozen=True, slots=True)
class PoolRules:
    """How large a pool is, and how long one stays that nobody wants any more."""

    size: int
    bulk_size: int = 1
    grace_s: float = 30.0

    def size_of(self, key: PoolKey) -> int:
        """Workers of a pool."""
        return self.size if key.lane == "live" else self.bulk_size


@dataclass(frozen=True, slots=True)
class PoolPlan:
    """What one pool should be, and why. `size` 0 ends it; `idle_since` counts its grace."""

    key: PoolKey
    size: int
    why: tuple[str, ...]
    is_default: bool = False
    idle_since: float | None = None


def plan(
    wants: Sequence[Want],
    running: Mapping[PoolKey, int],
    idle_since: Mapping[PoolKey, float],
    *,
    now: float,
    rules: PoolRules,
) -> list[PoolPlan]:
    """A plan for every pool that is wanted or runs, in the order of their versions.

    `running` has the size of each pool that there is; `idle_since` the moment since when it is not wanted.
    """
    reasons: dict[PoolKey, list[Want]] = {}
    for want in wants:
        reasons.setdefault(want.key, []).append(want)
    return [
        _wanted(key, reasons[key], rules)
        if key in reasons
        else _unwanted(key, running[key], since=idle_since.get(key, now), now=now, rules=rules)
        for key in sorted(reasons.keys() | running.keys())
    ]


def _wanted(key: PoolKey, wants: Sequence[Want], rules: PoolRules) -> PoolPlan:
    why = tuple(want.why for want in wants)
    return PoolPlan(key, rules.size_of(key), why, is_default=any(want.is_default for want in wants))


def _unwanted(key: PoolKey, size: int, *, since: float, now: float, rules: PoolRules) -> PoolPlan:
    left_s = since + rules.grace_s - now
    if left_s <= 0:
        return PoolPlan(key, 0, ("nobody wants it",), idle_since=since)
    return PoolPlan(key, size, (f"nobody wants it; ends in {left_s:.0f} s",), idle_since=since)
