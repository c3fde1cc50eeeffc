"""The parts that need nobody else: suspects, rates, choosing, labels, settings, pools' hash."""

from __future__ import annotations

import uuid
from collections import Counter

import pytest

from omnium_router.access import TABLE
from omnium_router.forwarding import BUDGET, RetryBudget
from omnium_router.identities import CommandIdentity
from omnium_router.metrics import MOST_VALUES, Metrics
from omnium_router.poisoned import MOST_REMEMBERED, Suspects
from omnium_router.pools import score
from omnium_router.rates import Rates
from omnium_router.settings import Listen, RouterSettings
from omnium_store.errors import BadRequest, TooMany

ADA = CommandIdentity("person:ada", "fixture/1", "k")
BOB = CommandIdentity("person:bob", "fixture/1", "k")


class Clock:
    """Tells the time that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_one_death_makes_suspects_and_a_second_names_the_culprit() -> None:
    suspects = Suspects(clock=Clock(), ttl_s=600)
    suspects.accuse([ADA, BOB, ADA])
    assert suspects.is_suspect(ADA)
    assert not suspects.is_poisoned(ADA)
    suspects.clear(BOB)
    suspects.accuse([ADA])
    assert suspects.is_poisoned(ADA)
    assert not suspects.is_suspect(BOB)


def test_what_is_held_against_a_key_is_forgotten_after_ten_minutes() -> None:
    clock = Clock()
    suspects = Suspects(clock=clock, ttl_s=600)
    suspects.accuse([ADA])
    suspects.accuse([ADA])
    clock.now += 599
    assert suspects.is_poisoned(ADA)
    clock.now += 2
    assert not suspects.is_suspect(ADA)
    assert len(suspects) == 0


def test_suspects_are_bounded() -> None:
    suspects = Suspects(clock=Clock(), ttl_s=600)
    suspects.accuse(CommandIdentity("person:x", "fixture/1", str(n)) for n in range(MOST_REMEMBERED + 50))
    assert len(suspects) == MOST_REMEMBERED


def test_a_rate_allows_a_burst_and_then_so_many_a_second() -> None:
    clock = Clock()
    rates = Rates(per_second=2, burst=3, clock=clock)
    for _ in range(3):
        rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")
    rates.take("b")
    clock.now += 0.5
    rates.take("a")
    with pytest.raises(TooMany):
        rates.take("a")


def test_retries_are_paid_for_by_commands() -> None:
    budget = RetryBudget()
    assert sum(budget.spend() for _ in range(1000)) == BUDGET
    for _ in range(8):
        budget.earn()
    assert [budget.spend() for _ in range(3)] == [True, True, False]


def test_a_hash_spreads_fixtures_and_moves_only_those_of_the_worker_that_left() -> None:
    seeds = [uuid.uuid4().int & 2**64 - 1 for _ in range(4)]
    fixtures = [uuid.uuid4().int for _ in range(4000)]
    before = {fixture: max(seeds, key=lambda seed: score(fixture, seed)) for fixture in fixtures}
    after = {fixture: max(seeds[1:], key=lambda seed: score(fixture, seed)) for fixture in fixtures}

    assert all(800 < count < 1200 for count in Counter(before.values()).values())
    assert all(before[f] == after[f] for f in fixtures if before[f] != seeds[0])


def test_labels_are_bounded() -> None:
    metrics = Metrics()
    for number in range(MOST_VALUES + 10):
        metrics.command("http", "1.0.0", f"made.up_{number}", "accepted")
    text = metrics.text().decode()
    assert text.count("omnium_router_commands_total{") == MOST_VALUES + 1
    assert 'code="other"' in text


@pytest.mark.parametrize(
    ("text", "listen"),
    [
        ("0.0.0.0:80", Listen("0.0.0.0", 80)),
        (":0", Listen("127.0.0.1", 0)),
        ("[::1]:8600", Listen("::1", 8600)),
    ],
)
def test_an_address_is_host_and_port(text: str, listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://x/y")
    monkeypatch.setenv("OMNIUM_ROUTER_LISTEN", text)
    assert RouterSettings.from_environment().router_listen == listen


@pytest.mark.parametrize("text", ["8600", "host:port", "host:99999", ""])
def test_an_address_that_is_none_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMNIUM_DATABASE_URL", "postgresql://x/y")
    monkeypatch.setenv("OMNIUM_ROUTER_LISTEN", text)
    with pytest.raises(BadRequest) as refused:
        RouterSettings.from_environment()
    assert "OMNIUM_ROUTER_LISTEN" in refused.value.message


def test_an_admin_may_all_that_any_person_may() -> None:
    assert [row for row, grants in TABLE.items() if row != "commands.import" and "admin" not in grants
            and "anyone" not in grants] == []  # fmt: skip
