"""What upcoming fixtures need, and who is pinned to what."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from harness.world import World
from omnium_releases.needs import Needs, needs, pinned_releases, stranded
from omnium_store.database import Connection

OLD, NEW = "0.1.0+g00000000001d", "0.1.0+g00000000002e"
DAY = timedelta(hours=24)


def hours(count: float) -> datetime:
    return datetime.now(UTC) + timedelta(hours=count)


def told(found: Needs) -> dict[str, list[str]]:
    """Reasons by release, without the moments."""
    return {one.version: [reason.split(",")[0] for reason in one.reasons] for one in found.releases}


async def test_a_pinned_release_is_needed_from_when_its_fixture_comes_near(
    conn: Connection, world: World
) -> None:
    old, new = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    await world.default(old, sport=sport)
    for code, release, start in (("a", old, hours(2)), ("b", old, hours(5)), ("c", new, hours(48))):
        await world.fixture(code, competition=event, sport=sport, release=release, start=start)
    assert told(await needs(conn, within=DAY)) == {
        OLD: ["2 fixtures pinned", "default of football for 2 fixtures"]
    }
    assert told(await needs(conn, within=timedelta(hours=1))) == {}
    assert set(told(await needs(conn, within=timedelta(hours=72)))) == {OLD, NEW}


async def test_live_ones_and_those_without_a_start_are_needed_whatever_the_hour(
    conn: Connection, world: World
) -> None:
    old, new = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    await world.default(old, sport=sport)
    await world.fixture("a", competition=event, sport=sport, release=old, start=None)
    await world.fixture("b", competition=event, sport=sport, release=new, start=hours(-2), status="LIVE")
    for status in ("COMPLETED", "CANCELLED", "VOID"):
        await world.fixture(
            status, competition=event, sport=sport, release=new, status=status, start=hours(1)
        )
    found = await needs(conn, within=timedelta(0))
    assert told(found) == {
        OLD: ["1 fixture pinned", "default of football for 2 fixtures"],
        NEW: ["1 fixture pinned"],
    }


async def test_a_fixture_that_is_scored_by_its_card_needs_the_default_of_its_competition(
    conn: Connection, world: World
) -> None:
    old, new = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    cup = await world.competition("cup", parent=event)
    await world.default(old, sport=sport)
    await world.default(new, sport=sport, competition=cup)
    await world.fixture("a", competition=cup, sport=sport, start=hours(2))
    assert told(await needs(conn, within=DAY)) == {NEW: ["default of football for 1 fixture"]}


async def test_a_default_that_begins_before_then_is_needed_beside_the_one_of_now(
    conn: Connection, world: World
) -> None:
    old, new = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    await world.default(old, sport=sport)
    await world.default(new, sport=sport, at=hours(3))
    await world.fixture("a", competition=event, sport=sport, start=hours(1))
    assert set(told(await needs(conn, within=timedelta(hours=2)))) == {OLD}
    assert set(told(await needs(conn, within=timedelta(hours=4)))) == {OLD, NEW}


async def test_the_games_of_an_upcoming_fixture_need_their_default_too(
    conn: Connection, world: World
) -> None:
    old, games = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    await world.default(old, sport=sport)
    await world.default(games, sport=await world.sport("games"))
    await world.fixture("a", competition=event, sport=sport, release=old, start=hours(1))
    assert told(await needs(conn, within=DAY))[NEW] == ["default of games for 1 fixture"]


async def test_a_sport_without_a_default_is_told_as_undecided(conn: Connection, world: World) -> None:
    event, sport = await world.event("asia"), await world.sport()
    await world.fixture("a", competition=event, sport=sport, start=hours(1))
    found = await needs(conn, within=DAY)
    assert (found.releases, found.undecided) == ((), ("football",))


async def test_a_status_that_may_not_be_is_a_problem(
    connection: Connection, conn: Connection, world: World
) -> None:
    """No way leads there; if one is found, the check says so."""
    old = await world.release(OLD, status="retired")
    event, sport = await world.event("asia"), await world.sport()
    await world.default(old, sport=sport)
    await world.fixture("a", competition=event, sport=sport, release=old, start=hours(1))
    (found,) = (await needs(conn, within=DAY)).releases
    assert found.problems == ("it is retired and still a default", "it is retired and still pinned")


async def test_stranded_fixtures_are_told_with_their_release_and_the_reason(
    conn: Connection, world: World
) -> None:
    old, new = await world.release(OLD), await world.release(NEW)
    event, sport = await world.event("asia"), await world.sport()
    for code, status, release in (
        ("a", "SCHEDULED", old), ("b", "LIVE", old), ("c", "COMPLETED", old), ("d", "SCHEDULED", new),
    ):  # fmt: skip
        await world.fixture(code, competition=event, sport=sport, release=release, status=status)
    assert [one.version for one in await pinned_releases(conn)] == [OLD, NEW]
    found = await stranded(conn, {old: "2 draining"})
    assert [(one.code, one.live, one.version, one.why) for one in found] == [
        ("b", True, OLD, "2 draining"),
        ("a", False, OLD, "2 draining"),
    ]
