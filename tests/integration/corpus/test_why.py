"""Why a value is what it is: the event that made it, asked of matches with a log of their own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from omnium_releases.causes import Cause, cause_of
from omnium_store.errors import NotFound

from .conftest import ACTOR, OTHER, SCORER, Played, playing, read


async def why(played: Played, key: str, *, segment: str | None = None) -> Cause:
    async with playing(played) as stage:
        return await cause_of(await read(played), stage, key, segment=segment)


async def test_a_value_of_the_state_has_the_event_that_made_it(played: Played) -> None:
    cause = await why(played, "goals.Zanzibar Athletic")
    assert (cause.value, cause.before, cause.code, cause.changes) == (2, 1, "football.goal", 3)
    assert (cause.actor, cause.sender, cause.judged_by) == (
        ACTOR,
        "person:bartholomew",
        played.release.version,
    )
    assert cause.input is not None
    assert (cause.input["scorer"], cause.input["minute"]) == (played.persons[OTHER], 70)
    assert "people_are_on" in cause.rules
    assert (cause.title, cause.overruled, cause.action) == ("Goal", (), None)
    assert await why(played, "goals.zza") == replace(cause, key="goals.zza")


async def test_a_fact_of_a_person_is_asked_by_name_and_says_which_action_gave_it(played: Played) -> None:
    async with playing(played) as stage:
        match = await read(played)
        yellow = await cause_of(match, stage, f"yellow_cards.{OTHER}")
        goals = await cause_of(match, stage, f"goals.{SCORER}")
        first_half = await cause_of(match, stage, "goals.QQB", segment="1H")
        place = await cause_of(match, stage, "place.ZZA")
    assert (yellow.value, yellow.code, yellow.action) == (1, "football.card", "football.tallies")
    assert (goals.value, goals.before, goals.code) == (1, None, "football.goal")
    assert (first_half.value, first_half.code) == (1, "football.goal")
    assert (place.value, place.code) == (1, "football.match_end")


async def test_a_correction_is_a_cause_as_well(played: Played) -> None:
    cause = await why(played, "scorers.1.cancelled")
    assert (cause.code, cause.before) == ("football.goal_cancel", None)


async def test_what_no_event_changed_is_as_it_began(played: Played) -> None:
    cause = await why(played, "conflicts")
    assert (cause.seq, cause.code, cause.value, cause.changes) == (None, None, [], 0)


async def test_a_key_that_was_never_there_is_answered_with_those_that_are(played: Played) -> None:
    with pytest.raises(NotFound) as missing:
        await why(played, "gaols.ZZA")
    assert missing.value.reason == "no_such_key"
    assert "goals" in missing.value.message
    assert "yellow_cards" in missing.value.message
