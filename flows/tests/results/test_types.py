"""Another type of a unit: who may change it when, and what the record says that a type can hold."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pydantic import ValidationError

from omnium_contract.flows.types import Record, RecordCtx, Side, ok, reject
from omnium_contract.testing import fixture, record_context
from omnium_flows.results import Results
from omnium_flows.results.commands import ChangeTypeInput
from omnium_flows.results.constants import SCORES_NOT_HELD
from omnium_flows.shared.medals import medals_by_rank
from omnium_flows.shared.units import Archetype

RESULTS = Results()


def ctx(sides: int = 2, **facts: Any) -> RecordCtx:
    """A scorecard with so many sides."""
    made = tuple(Side(entry=f"e{n}", position=n, name=f"Side {n}") for n in range(1, sides + 1))
    return record_context(fixture(Results, sides=made, **{"scoring_mode": "scorecard", **facts}))


def change(archetype: str, fixture_type: str = "match", **sent: Any) -> ChangeTypeInput:
    return ChangeTypeInput.model_validate({"archetype": archetype, "fixtureType": fixture_type, **sent})


def test_type_may_change_of_a_card_at_any_time_but_not_of_an_official_result() -> None:
    for status in ("SCHEDULED", "LIVE", "COMPLETED", "CANCELLED"):
        assert RESULTS.type_may_change(change("ranking"), ctx(status=status)) == ok()
    assert RESULTS.type_may_change(change("ranking"), ctx(status="COMPLETED", official=True)) == reject(
        "The result is official. Set the status to COMPLETED before its type changes."
    )


@pytest.mark.parametrize("status", ["LIVE", "INTERRUPTED", "COMPLETED", "VOID"])
def test_type_may_change_of_a_match_that_is_scored_by_events_before_it_starts_only(status: str) -> None:
    said = RESULTS.type_may_change(change("ranking"), ctx(scoring_mode="events", status=status))
    assert said == reject(
        f"This match is {status}: its log was made by the rules of its type. "
        "Cancel it and add a unit of the other type."
    )
    assert RESULTS.type_may_change(change("ranking"), ctx(scoring_mode="events")).ok


def test_type_fits_the_sides_since_none_of_them_goes() -> None:
    assert RESULTS.type_fits_the_sides(change("duel"), ctx(8)) == reject(
        "A duel has two sides, and this unit has 8. Remove the others first."
    )
    assert [RESULTS.type_fits_the_sides(change("duel"), ctx(n)).ok for n in (0, 1, 2, 3)] == [
        True, True, True, False,
    ]  # fmt: skip
    assert RESULTS.type_fits_the_sides(change("ranking"), ctx(8)).ok


def test_type_changes_say_what_a_duel_can_hold() -> None:
    [record] = RESULTS.type_changes(change("duel", confirm=["rank:b:3", "rank:a:4", "rank:b:3"]), ctx())
    assert record == Record(
        kind="fixture.type.set",
        data={
            "archetype": "duel",
            "fixtureType": "match",
            "ranks": 2,
            "medals": {"1": ["Gold", "Bronze"], "2": ["Silver", "Bronze"]},
            "scoresNotHeld": [{"is": word, "like": looks} for word, looks in SCORES_NOT_HELD["duel"]],
            "confirm": ["rank:a:4", "rank:b:3"],
        },
    )


def test_type_changes_to_a_ranking_know_no_last_rank() -> None:
    [record] = RESULTS.type_changes(change("ranking", "heat"), ctx())
    assert "ranks" not in record.data
    assert (record.data["fixtureType"], record.data["medals"]) == (
        "heat", {"1": ["Gold"], "2": ["Silver"], "3": ["Bronze"]},
    )  # fmt: skip


@pytest.mark.parametrize("archetype", list(Archetype))
def test_no_archetype_refuses_a_plain_number_or_words(archetype: Archetype) -> None:
    for score in ("3", "120", "won", "NH", ""):
        assert not any(re.search(looks, score) for _, looks in SCORES_NOT_HELD[archetype])


def test_no_score_is_held_by_neither_archetype() -> None:
    looks = {a: [like for _, like in SCORES_NOT_HELD[a]] for a in Archetype}
    for score in ("1:52.30", "8.12", "120/4 (18.3)", "3 (4)", "6-4 7-6"):
        refused = [a for a in Archetype if any(re.search(like, score) for like in looks[a])]
        assert len(refused) == 1, score


def test_medals_by_rank_are_those_of_the_schemes() -> None:
    assert medals_by_rank(Archetype.RANKING) == {1: ["Gold"], 2: ["Silver"], 3: ["Bronze"]}


@pytest.mark.parametrize(
    "sent",
    [
        {"archetype": "race", "fixtureType": "match"},
        {"archetype": "duel"},
        {"archetype": "duel", "fixtureType": ""},
        {"archetype": "duel", "fixtureType": "two words"},
        {"archetype": "duel", "fixtureType": "match", "confirm": "all"},
    ],
)
def test_change_type_names_both_and_lists_what_it_confirms(sent: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ChangeTypeInput.model_validate(sent)
