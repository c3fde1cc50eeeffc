"""The wait before a process is started again."""

from __future__ import annotations

from omnium_deploy.backoff import Backoff

BACKOFF = Backoff(first_s=0.1, most_s=10.0, calm_s=30.0)


def test_waits_double_up_to_the_longest() -> None:
    waits = [round(BACKOFF.wait_s(deaths=deaths), 3) for deaths in (1, 2, 3, 7, 8, 500)]
    assert waits == [0.1, 0.2, 0.4, 6.4, 10.0, 10.0]


def test_a_calm_life_makes_the_next_death_the_first_again() -> None:
    assert BACKOFF.deaths(6, lived_s=29.0) == 7
    assert BACKOFF.deaths(6, lived_s=30.0) == 1
