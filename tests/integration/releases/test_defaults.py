"""Defaults go forward only, one more row each time, and say why they win."""

from __future__ import annotations

import random
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from harness.world import World
from omnium_releases.audit import entries
from omnium_releases.defaults import ALWAYS, preview, set_default
from omnium_releases.explanations import explain
from omnium_releases.listing import show
from omnium_store.database import Connection
from omnium_store.errors import BadRequest, NotFound, Refused

OLD, NEW = "0.1.0+g00000000001d", "0.1.0+g00000000002e"
SOON = datetime.now(UTC) + timedelta(days=1)


async def release(world: World, version: str, *sports: str, status: str = "prod") -> uuid.UUID:
    """A release that holds programs of these sports."""
    return await world.release_of(version, *sports, status=status)


async def rows(conn: Connection) -> list[tuple[str, datetime]]:
    """Version and beginning of each default, by beginning."""
    found = await conn.fetch(
        """SELECT r.version, d.from_at
           FROM release_default d JOIN plugin_release r ON r.id = d.release_id ORDER BY d.from_at"""
    )
    return [(row["version"], row["from_at"].replace(tzinfo=UTC)) for row in found]


async def default(
    conn: Connection,
    version: str,
    *,
    sport: str | None = None,
    competition: str | None = None,
    from_at: datetime | None = None,
) -> list[tuple[str, str | None, bool]]:
    made = await set_default(conn, version, sport=sport, competition=competition, from_at=from_at, who="ada")
    return [(one.sport, one.before, one.changed) for one in made]


async def test_a_first_default_counts_from_always_on(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    assert await default(conn, OLD, sport="football") == [("football", None, True)]
    assert await rows(conn) == [(OLD, ALWAYS)]


async def test_a_first_default_with_a_moment_counts_from_it(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await default(conn, OLD, sport="football", from_at=SOON)
    assert await rows(conn) == [(OLD, SOON)]
    assert None is (await explain(conn, sport="football", competition=None, at=None)).version
    assert (await explain(conn, sport="football", competition=None, at=SOON)).version == OLD


async def test_a_later_default_is_one_more_row_and_so_is_going_back(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await default(conn, OLD, sport="football")
    assert await default(conn, NEW, sport="football") == [("football", OLD, True)]
    assert await default(conn, OLD, sport="football") == [("football", NEW, True)]
    assert [version for version, _ in await rows(conn)] == [OLD, NEW, OLD]


async def test_the_default_that_it_is_already_makes_no_row(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await default(conn, OLD, sport="football")
    assert await default(conn, OLD, sport="football") == [("football", OLD, False)]
    assert len(await rows(conn)) == 1
    assert len(await entries(conn, OLD)) == 1


async def test_without_a_sport_it_is_for_all_that_the_release_holds(conn: Connection, world: World) -> None:
    await release(world, OLD, "football", "games")
    assert await default(conn, OLD) == [("football", None, True), ("games", None, True)]
    (entry,) = await entries(conn, OLD)
    assert (entry.verb, entry.who) == ("default", "ada")
    told = [(scope["sport"], scope["before"], scope["after"]) for scope in entry.seen["scopes"]]
    assert told == [("football", None, OLD), ("games", None, OLD)]


async def test_a_preview_changes_nothing(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    (planned,) = await preview(conn, OLD, sport="football", competition=None, from_at=None)
    assert (planned.before, planned.after, planned.from_at, planned.changed) == (None, OLD, ALWAYS, True)
    assert await rows(conn) == []


async def test_defaults_that_are_set_for_later_stay_and_are_told(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await default(conn, NEW, sport="football", from_at=SOON)
    (planned,) = await preview(conn, OLD, sport="football", competition=None, from_at=None)
    assert (f"{NEW} from {SOON.isoformat().replace('+00:00', 'Z')}",) == planned.later


@pytest.mark.parametrize("status", ["proven", "staging", "retired"])
async def test_only_a_prod_release_can_be_a_default(status: str, conn: Connection, world: World) -> None:
    await release(world, OLD, "football", status=status)
    with pytest.raises(Refused, match=f"is {status}; only a prod release can be a default") as refused:
        await default(conn, OLD, sport="football")
    assert refused.value.reason == "not_prod"
    assert await rows(conn) == []


async def test_a_default_in_the_past_is_refused(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    with pytest.raises(Refused, match="A default only goes forward") as refused:
        await default(conn, OLD, sport="football", from_at=datetime.now(UTC) - timedelta(seconds=1))
    assert refused.value.reason == "default_in_past"


async def test_a_moment_that_has_a_default_is_refused(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await default(conn, OLD, sport="football", from_at=SOON)
    with pytest.raises(Refused, match="rows are never edited") as refused:
        await default(conn, NEW, sport="football", from_at=SOON)
    assert refused.value.reason == "default_taken"


async def test_a_moment_without_a_zone_is_the_callers_mistake(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    with pytest.raises(BadRequest, match="has no time zone"):
        await default(conn, OLD, sport="football", from_at=SOON.replace(tzinfo=None))


async def test_a_sport_that_the_release_does_not_hold_is_refused(conn: Connection, world: World) -> None:
    await release(world, OLD, "football", "games")
    with pytest.raises(Refused, match="holds no rules of boxing; it has football, games") as refused:
        await default(conn, OLD, sport="boxing")
    assert refused.value.reason == "sport_not_in_release"


async def test_what_is_not_there_is_not_found(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    with pytest.raises(NotFound) as missing:
        await default(conn, NEW, sport="football")
    assert missing.value.reason == "no_such_release"
    with pytest.raises(NotFound) as missing:
        await default(conn, OLD, sport="football", competition="cup")
    assert missing.value.reason == "no_such_competition"
    with pytest.raises(NotFound) as missing:
        await explain(conn, sport="boxing", competition=None, at=None)
    assert missing.value.reason == "no_such_sport"


async def test_a_competition_is_named_by_code_path_or_id(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    event = await world.event("asia")
    cup = await world.competition("cup", parent=event)
    for named in ("cup", "asia/cup", str(cup)):
        (planned,) = await preview(conn, OLD, sport="football", competition=named, from_at=None)
        assert planned.competition == "asia/cup"
    (planned,) = await preview(conn, OLD, sport="football", competition="asia", from_at=None)
    assert planned.competition == "asia"


async def test_a_code_of_two_competitions_is_refused_with_both(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    for event in ("asia", "europe"):
        await world.competition("cup", parent=await world.event(event))
    with pytest.raises(Refused, match="asia/cup, europe/cup") as refused:
        await default(conn, OLD, sport="football", competition="cup")
    assert refused.value.reason == "ambiguous_competition"


async def test_a_competition_of_one_sport_takes_that_sport(conn: Connection, world: World) -> None:
    await release(world, OLD, "football", "games")
    event = await world.event("asia")
    await world.competition("cup", parent=event, sport=await world.sport("football"))
    assert await default(conn, OLD, competition="cup") == [("football", None, True)]
    with pytest.raises(Refused, match="asia/cup is a competition of football, not of games") as refused:
        await default(conn, OLD, sport="games", competition="cup")
    assert refused.value.reason == "wrong_sport"


async def test_a_release_says_where_it_is_the_default(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await world.competition("cup", parent=await world.event("asia"))
    await default(conn, OLD, sport="football")
    await default(conn, OLD, sport="football", competition="cup")
    await default(conn, NEW, sport="football")
    await default(conn, OLD, sport="football", from_at=SOON)
    told = [(d.sport, d.competition, d.begun) for d in (await show(conn, OLD)).defaults]
    assert told == [("football", "cup", True), ("football", None, False)]


async def test_the_explanation_names_the_winner_and_why_the_others_lose(
    conn: Connection, world: World
) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    event = await world.event("asia")
    cup = await world.competition("cup", parent=event)
    await world.competition("final", parent=cup)
    await default(conn, OLD, sport="football")
    await default(conn, NEW, sport="football")
    await default(conn, OLD, sport="football", competition="cup")
    await default(conn, NEW, sport="football", competition="asia/final", from_at=SOON)
    told = await explain(conn, sport="football", competition="final", at=None)
    assert (told.version, told.competition) == (OLD, "asia/final")
    assert (
        f"football in asia/final gets {OLD}: the default of competition asia/cup from always on, set by ada."
        == (told.sentence)
    )
    assert [(c.scope, c.version, c.wins, c.verdict) for c in told.candidates] == [
        ("competition asia/final", NEW, False, "not begun at that moment"),
        ("competition asia/cup", OLD, True, "wins: the nearest scope's newest row that has begun"),
        ("sport football", NEW, False, "competition asia/cup is nearer"),
        ("sport football", OLD, False, "competition asia/cup is nearer"),
    ]


async def test_without_a_default_the_explanation_says_what_to_do(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    told = await explain(conn, sport="football", competition=None, at=None)
    assert (told.version, told.candidates) == (None, ())
    assert "omnium releases default VERSION --sport SPORT" in told.sentence


async def test_a_replaced_row_of_the_same_scope_says_so(conn: Connection, world: World) -> None:
    await release(world, OLD, "football")
    await release(world, NEW, "football")
    await default(conn, OLD, sport="football")
    await default(conn, NEW, sport="football")
    told = await explain(conn, sport="football", competition=None, at=None)
    assert [(c.version, c.wins) for c in told.candidates] == [(NEW, True), (OLD, False)]
    assert told.candidates[1].verdict == "replaced by a newer row"


async def test_the_explanation_is_what_a_fixture_would_get(conn: Connection, world: World) -> None:
    """Over random trees and defaults, against the function that pins."""
    draw = random.Random(7)
    sport = await world.sport("football")
    releases = [await release(world, f"0.1.0+g{nth:012x}", "football") for nth in range(1, 5)]
    tree = [await world.event("asia")]
    for nth in range(12):
        tree.append(await world.competition(f"c{nth}", parent=draw.choice(tree)))
    now = datetime.now(UTC)
    for minutes in range(40):
        scope = draw.choice([None, *tree])
        await world.default(
            draw.choice(releases), sport=sport, competition=scope, at=now + timedelta(minutes=minutes - 10)
        )
    for _ in range(60):
        scope = draw.choice(tree)
        at = now + timedelta(minutes=draw.randrange(1, 40), seconds=30)
        told = await explain(conn, sport="football", competition=str(scope), at=at)
        pinned = await conn.fetchval(
            "SELECT version FROM plugin_release WHERE id = default_release_v1($1, $2, $3)", sport, scope, at
        )
        assert pinned == told.version
