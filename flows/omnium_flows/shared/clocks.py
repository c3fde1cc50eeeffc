"""A match clock as state: changed by events alone, read at the time of one, so that a fold gives it again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

Clock = dict[str, Any]


def running(at: str, *, limit_ms: int) -> Clock:
    """A clock that starts at `at` (RFC 3339) and counts up; `limit_ms` is where regular time ends."""
    return {"running": True, "at": at, "elapsed_ms": 0, "direction": "up", "limit_ms": limit_ms}


def elapsed_ms(clock: Clock, at: str) -> int | None:
    """Milliseconds on the clock at `at`, or None where a time is missing. Never runs backwards."""
    kept = int(clock.get("elapsed_ms", 0))
    if not clock.get("running"):
        return kept
    start, now = _moment(clock.get("at", "")), _moment(at)
    if start is None or now is None:
        return None
    return kept + max(0, round((now - start).total_seconds() * 1000))


def stop(clock: Clock, at: str) -> None:
    """Stop the clock at `at`, keeping what it shows."""
    shown = elapsed_ms(clock, at)
    clock.update(running=False, at=at, elapsed_ms=clock.get("elapsed_ms", 0) if shown is None else shown)


def resume(clock: Clock, at: str) -> None:
    """Let a stopped clock run on from what it shows."""
    if not clock.get("running"):
        clock.update(running=True, at=at)


def _moment(at: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
