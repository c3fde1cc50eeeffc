"""Which pools there should be."""

from __future__ import annotations

from omnium_deploy.pools import PoolKey, PoolRules, Want, plan

RULES = PoolRules(size=2, bulk_size=1, grace_s=30.0)
OLD, NEW = PoolKey("0.8.0"), PoolKey("0.9.0")


def test_every_wanted_release_has_a_pool_of_the_set_size_with_all_reasons() -> None:
    wants = [Want(NEW, "default of football", is_default=True), Want(OLD, "3 unfinished fixtures")]
    wants.append(Want(NEW, "1 unfinished fixture"))
    plans = plan(wants, {}, {}, now=0.0, rules=RULES)
    assert [(one.key, one.size, one.why, one.is_default) for one in plans] == [
        (OLD, 2, ("3 unfinished fixtures",), False),
        (NEW, 2, ("default of football", "1 unfinished fixture"), True),
    ]


def test_a_bulk_pool_is_beside_the_live_one_and_smaller() -> None:
    bulk = PoolKey("0.9.0", "bulk")
    plans = plan([Want(bulk, "asked for: import")], {}, {}, now=0.0, rules=RULES)
    assert [(one.key, one.size) for one in plans] == [(bulk, 1)]


def test_a_pool_that_nobody_wants_stays_for_the_grace_and_then_ends() -> None:
    first = plan([], {OLD: 2}, {}, now=100.0, rules=RULES)
    assert [(one.size, one.idle_since) for one in first] == [(2, 100.0)]
    assert "30 s" in first[0].why[0]
    almost = plan([], {OLD: 2}, {OLD: 100.0}, now=129.9, rules=RULES)
    assert [one.size for one in almost] == [2]
    over = plan([], {OLD: 2}, {OLD: 100.0}, now=130.0, rules=RULES)
    assert [one.size for one in over] == [0]


def test_a_pool_that_is_wanted_again_in_its_grace_is_not_idle_any_more() -> None:
    plans = plan([Want(OLD, "1 unfinished fixture")], {OLD: 2}, {OLD: 100.0}, now=120.0, rules=RULES)
    assert [(one.size, one.idle_since) for one in plans] == [(2, None)]


def test_a_pool_in_its_grace_is_not_resized() -> None:
    plans = plan([], {OLD: 5}, {OLD: 100.0}, now=101.0, rules=RULES)
    assert [one.size for one in plans] == [5]
