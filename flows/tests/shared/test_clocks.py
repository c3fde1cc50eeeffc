"""A clock that is state: what it shows follows from the events' times alone."""

from __future__ import annotations

import pytest

from omnium_flows.shared import clocks

NOON, FIVE_PAST = "2026-01-01T12:00:00Z", "2026-01-01T12:05:00.250Z"


def test_it_counts_up_from_where_it_was_started() -> None:
    clock = clocks.running(NOON, limit_ms=60_000)
    assert clocks.elapsed_ms(clock, FIVE_PAST) == 300_250


def test_it_keeps_what_it_shows_when_it_is_stopped_and_runs_on_from_there() -> None:
    clock = clocks.running(NOON, limit_ms=60_000)
    clocks.stop(clock, FIVE_PAST)
    assert clocks.elapsed_ms(clock, "2026-01-01T18:00:00Z") == 300_250
    clocks.stop(clock, "2026-01-01T19:00:00Z")
    clocks.resume(clock, "2026-01-01T20:00:00Z")
    assert clocks.elapsed_ms(clock, "2026-01-01T20:00:01Z") == 301_250


@pytest.mark.parametrize("at", ["", "yesterday", "2026-01-01T12:00:00"])
def test_a_time_that_is_missing_or_has_no_zone_shows_nothing(at: str) -> None:
    clock = clocks.running(NOON, limit_ms=60_000)
    assert clocks.elapsed_ms(clock, at) is None
    clocks.stop(clock, at)
    assert clock["elapsed_ms"] == 0


def test_it_never_runs_backwards() -> None:
    assert clocks.elapsed_ms(clocks.running(FIVE_PAST, limit_ms=1), NOON) == 0
