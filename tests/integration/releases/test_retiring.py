"""A release is retired only when nothing unfinished or future needs it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from harness.world import World
from omnium_releases.audit import entries
from omnium_releases.defaults import set_default
from omnium_releases.listing import list_releases, show
from omnium_releases.pins import EXPECTED_LENGTH, pins
from omnium_releases.retiring import preview, retire
from omnium_store.database import Connection
from omnium_store.errors import NotFound, Refused

from .test_defaults import NEW, OLD, SOON, release

NOW = datetime(2026, 11, 30, 10, tzinfo=UTC)


async def refusal(conn: Connection, version: str = OLD) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        await retire(conn, version, who="ada", reason="old")
    assert await conn.fetchval("SELECT status FROM plugin_release WHERE version = $1", version) != "retired"
    return refused.value.reason, refused.value.message


async def test_a_release_that_nothing_needs_is_retired(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    done = await retire(conn, OLD, who="ada", reason="nobody is on it")
    assert (done.version, done.before, done.after, done.changed) == (OLD, "prod", "retired", True)
    card = await show(conn, OLD)
    assert (card.status, card.retired_at is not None) == ("retired", True)
    (entry,) = await entries(conn, OLD)
    assert (
        entry.verb,
        entry.who,
        entry.reason,
        entry.seen["release"]["before"],
    ) == ("retire", "ada", "nobody is on it", "prod")


async def test_retiring_again_changes_nothing(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await retire(conn, OLD, who="ada", reason="")
    assert not (await retire(conn, OLD, who="bob", reason="")).changed
    assert len(await entries(conn, OLD)) == 1


async def test_a_preview_changes_nothing_and_refuses_alike(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    with pytest.raises(Refused, match="the only prod release of football"):
        await preview(conn, OLD)
    await release(world, NEW, "football")
    assert (await preview(conn, OLD)).changed
    assert (await show(conn, OLD)).status == "prod"


async def test_finished_fixtures_do_not_hold_it(conn: Connection, world: World) -> None:
    old = await release(world, OLD, "football")
    await release(world, NEW, "football")
    event, sport = await world.event(), await world.sport()
    for status in ("COMPLETED", "CANCELLED", "VOID"):
        await world.fixture(f"m-{status}", competition=event, sport=sport, release=old, status=status)
    done = await retire(conn, OLD, who="ada", reason="")
    assert (done.counts.unfinished, done.counts.done) == (0, 3)


@pytest.mark.parametrize("status", ["SCHEDULED", "LIVE", "INTERRUPTED", "POSTPONED"])
async def test_any_unfinished_fixture_holds_it(status: str, conn: Connection, world: World) -> None:
    old = await release(world, OLD, "football")
    await release(world, NEW, "football")
    await world.fixture(
        "m1", competition=await world.event(), sport=await world.sport(), release=old, status=status
    )
    reason, message = await refusal(conn)
    assert reason == "pinned"
    assert f"1 unfinished fixture is on it ({1 if status in ('LIVE', 'INTERRUPTED') else 0} live)" in message


async def test_the_refusal_says_how_many_which_next_and_until_when(conn: Connection, world: World) -> None:
    old = await release(world, OLD, "football")
    await release(world, NEW, "football")
    event, sport = await world.event("asia"), await world.sport()
    for nth in (5, 3, 1, 4, 2):
        start = NOW + timedelta(hours=nth)
        await world.fixture(f"m{nth}", competition=event, sport=sport, release=old, start=start)
    await world.fixture("later", competition=event, sport=sport, release=old, start=None)
    _, message = await refusal(conn)
    assert "6 unfinished fixtures are on it (0 live)" in message
    assert "the last is due to end about 2026-11-30T18:00:00Z; 1 without a start." in message
    expected = ", ".join(f"asia/m{nth} (SCHEDULED, 2026-11-30T{10 + nth}:00:00Z)" for nth in (1, 2, 3))
    assert f"By start: {expected}. Wait until they are finished" in message


async def test_a_default_now_holds_it_and_one_that_was_replaced_does_not(
    conn: Connection, world: World
) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await set_default(conn, OLD, sport="football", competition=None, from_at=None, who="ada")
    reason, message = await refusal(conn)
    assert (reason, "It is the default of football (now)." in message) == ("is_default", True)
    assert "omnium releases default" in message
    await set_default(conn, NEW, sport="football", competition=None, from_at=None, who="ada")
    assert (await retire(conn, OLD, who="ada", reason="")).changed


async def test_a_default_later_holds_it(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await world.competition("cup", parent=await world.event("asia"))
    await set_default(conn, OLD, sport="football", competition="cup", from_at=SOON, who="ada")
    reason, message = await refusal(conn)
    told = SOON.isoformat().replace("+00:00", "Z")
    assert (reason, f"football in asia/cup (from {told})" in message) == ("is_default", True)


async def test_the_only_prod_release_of_a_sport_stays(conn: Connection, world: World) -> None:
    await release(world, OLD, "football", "games")
    await release(world, NEW, "football")
    await release(world, "0.1.0+g00000000003f", "games", status="staging")
    reason, message = await refusal(conn)
    assert (reason, "It is the only prod release of games." in message) == ("only_release", True)


async def test_a_release_that_never_came_to_prod_may_go_alone(conn: Connection, world: World) -> None:
    await release(world, OLD, "football", status="staging")
    assert (await retire(conn, OLD, who="ada", reason="")).changed


async def test_everything_that_holds_it_is_told_at_once(conn: Connection, world: World) -> None:
    old = await release(world, OLD, "football")
    await world.fixture("m1", competition=await world.event(), sport=await world.sport(), release=old)
    await set_default(conn, OLD, sport="football", competition=None, from_at=None, who="ada")
    reason, message = await refusal(conn)
    assert reason == "pinned"
    assert [
        w for w in ("1 unfinished fixture", "It is the default of", "only prod release") if w not in message
    ] == []


async def test_an_unknown_release_is_not_found(conn: Connection) -> None:
    for asked in (retire(conn, "9", who="ada", reason=""), pins(conn, "9")):
        with pytest.raises(NotFound):
            await asked


async def test_pins_say_who_is_on_a_release(conn: Connection, world: World) -> None:
    old = await release(world, OLD, "football")
    other = await release(world, NEW, "football")
    event, sport = await world.event("asia"), await world.sport()
    for code, status, hours in (
        ("a", "SCHEDULED", 2),
        ("b", "LIVE", -1),
        ("c", "COMPLETED", -5),
        ("d", "POSTPONED", 1),
    ):
        start = NOW + timedelta(hours=hours)
        await world.fixture(code, competition=event, sport=sport, release=old, status=status, start=start)
    await world.fixture("x", competition=event, sport=sport, release=other)
    found = await pins(conn, OLD)
    assert (
        found.counts.live,
        found.counts.upcoming,
        found.counts.done,
        found.counts.without_start,
    ) == (1, 2, 1, 0)
    assert NOW + timedelta(hours=2) + EXPECTED_LENGTH == found.counts.free_at
    assert [(f.code, f.live) for f in found.fixtures] == [("b", True), ("d", False), ("a", False)]
    assert {"asia"} == {f.event for f in found.fixtures}
    assert (
        found.sentence
        == "3 unfinished fixtures are on it (1 live); the last is due to end about 2026-11-30T15:00:00Z."
    )
    listed = {row.version: (row.live, row.upcoming, row.done) for row in await list_releases(conn)}
    assert listed == {OLD: (1, 2, 1), NEW: (0, 1, 0)}


async def test_a_free_release_says_so(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    assert (await pins(conn, OLD)).sentence == "No unfinished fixture is on it."
