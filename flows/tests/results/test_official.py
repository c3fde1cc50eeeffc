"""Commands of results through the kit: the edge cases that end in an official result or in a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.flows.types import Side
from omnium_contract.testing import Desk, fixture, record_context
from omnium_flows.results import Results


def desk(*sides: dict[str, Any], archetype: str = "ranking", **facts: Any) -> Desk:
    """A scorecard fixture whose sides have these facts: rank, score, medal, shared, status, name."""
    made = [_side(number, **facts) for number, facts in enumerate(sides, 1)]
    facts = {"scoring_mode": "scorecard", **facts}
    unit = fixture(Results, sides=made, archetype=archetype, **facts)
    return Desk(Results, record_context(unit))


def _side(
    number: int, *, name: str = "", rank: int | None = None, status: str | None = None, **result: Any
) -> Side:
    entry = f"00000000-0000-4000-8000-{number:012d}"
    return Side(
        entry=entry,
        position=number,
        name=name or "ABCDEF"[number - 1],
        rank=rank,
        status=status,
        result=result,
    )


def refusal(desk: Desk, **told: Any) -> tuple[str | None, str | None, str | None]:
    answer = desk.send("set_status", **{"status": "OFFICIAL", **told})
    return answer.refusal, answer.reason, answer.message


def official(desk: Desk, **told: Any) -> bool:
    return desk.send("set_status", **{"status": "OFFICIAL", **told}).accepted


def test_a_whole_ranking_is_made_official() -> None:
    """R7: a rank without a score is ordinary in a ranking unit."""
    whole = desk(
        {"rank": 1, "medal": "Gold"},
        {"rank": 2, "medal": "Silver"},
        {"rank": 3, "medal": "Bronze"},
        {"status": "DNF"},
    )
    assert official(whole)
    assert whole.records[0].data["official"] is True


def test_everyone_has_a_result_with_a_rank_or_a_mark() -> None:
    """Case 44: nobody is left out of an official result."""
    assert refusal(desk({"rank": 1}, {"rank": 2}, {})) == (
        "rejected",
        "everyone_has_a_result",
        "C has no rank and no mark. Give one: everybody is in an official result.",
    )


def test_a_level_duel_says_who_won_or_that_it_is_a_draw() -> None:
    level = desk({"score": "1"}, {"score": "1"}, archetype="duel")
    assert refusal(level)[2] == (
        "Both sides have the same score; say who won and how (penalties, shoot-off, judges, tie-break), "
        "or mark a draw."
    )
    draw = {"rank": 1, "shared": True, "score": "1"}
    assert official(desk(draw, draw, archetype="duel"))


def test_ties_are_marked_or_the_rank_is_changed() -> None:
    """R9: rank 1 for two sides that are not marked as tied."""
    assert refusal(desk({"rank": 1, "score": "9.80"}, {"rank": 1, "score": "9.90"})) == (
        "rejected",
        "ties_are_marked",
        "Rank 1 is given twice: mark the tie or change it.",
    )


@pytest.mark.parametrize(
    ("ranks", "sentence"),
    [
        ((1, 2, 2, 3), "Ranks must run 1,2,2,4. After 2 at rank 2 the next is 4."),
        ((1, 1, 2), "Ranks must run 1,2,2,4. After 2 at rank 1 the next is 3."),
        ((1, 3), "Rank 2 is missing."),
        ((2, 3), "Rank 1 is missing."),
    ],
)
def test_ranks_run_with_a_skip_behind_a_tie(ranks: tuple[int, ...], sentence: str) -> None:
    broken = desk(*({"rank": rank, "shared": ranks.count(rank) > 1} for rank in ranks))
    assert refusal(broken) == ("rejected", "ranks_run", sentence)


def test_a_medal_may_be_typed_before_the_rank_and_official_waits_for_it() -> None:
    """R10: accepted as typed, refused as official until ranks and medals fit."""
    unit = desk({}, {"rank": 2, "medal": "Silver"})
    unit.must("edit_side", side="00000000-0000-4000-8000-000000000001", medal="Gold")
    assert refusal(desk({"medal": "Gold"}, {"rank": 1}))[1] == "everyone_has_a_result"
    assert refusal(desk({"medal": "Gold", "status": "DSQ"}, {"rank": 1})) == (
        "rejected",
        "medals_fit_the_ranks",
        "A has a medal and no rank. Give the rank, or take the medal away.",
    )


def test_a_match_that_its_log_gave_no_ranks_has_no_medals_either() -> None:
    match = desk(
        {"medal": "Gold"}, {"medal": "Silver"}, archetype="duel", scoring_mode="events", status="COMPLETED"
    )
    assert refusal(match) == (
        "rejected",
        "medals_fit_the_ranks",
        "A has a medal and no rank. Give the rank, or take the medal away.",
    )
    assert official(desk({}, {}, archetype="duel", scoring_mode="events", status="COMPLETED"))


def test_the_medals_of_an_official_match_without_ranks_stay_as_they_are() -> None:
    match = desk({}, {}, archetype="duel", scoring_mode="events", status="COMPLETED", official=True)
    side = "00000000-0000-4000-8000-000000000001"
    answer = match.send("edit_side", side=side, medal="Gold", reason="Count")
    assert (answer.refusal, answer.reason) == ("rejected", "official_still_fits")
    assert match.send("edit_side", side=side, score="2", reason="Count").accepted


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        ([(1, "Silver"), (2, "Gold")], "Medals do not fit the ranks: rank 1 is gold."),
        ([(1, "Gold"), (2, "")], "Medals do not fit the ranks: rank 2 is silver."),
        (
            [(1, "Gold"), (2, "Silver"), (3, "Bronze"), (4, "Bronze")],
            "Medals do not fit the ranks: rank 4 has none.",
        ),
        ([(1, "Gold"), (1, "Gold"), (3, "Silver")], "Two golds mean no silver: rank 3 is bronze."),
    ],
)
def test_medals_fit_the_ranks_of_a_ranking(sides: list[tuple[int, str]], sentence: str) -> None:
    ranks = [rank for rank, _ in sides]
    unit = desk(*({"rank": rank, "medal": medal, "shared": ranks.count(rank) > 1} for rank, medal in sides))
    assert refusal(unit) == ("rejected", "medals_fit_the_ranks", sentence)


@pytest.mark.parametrize(
    "medals",
    [
        "1G 1G 3B 4-",
        "1G 1G 1G 4-",
        "1G 2S 2S 4-",
        "1G 2S 3B 3B",
        "1G 1G 3B 3B",
        "1G 2S 3B 3B 3B",
        "1- 2- 3- 4-",
    ],
)
def test_medals_of_tied_ranks_are_as_the_table_says(medals: str) -> None:
    """Ties at any rank; the last but one is R5, three level for bronze."""
    words = {"G": "Gold", "S": "Silver", "B": "Bronze", "-": ""}
    ranks = [int(text[0]) for text in medals.split()]
    sides = (
        {"rank": rank, "medal": words[text[1]], "shared": ranks.count(rank) > 1}
        for rank, text in zip(ranks, medals.split(), strict=True)
    )
    assert official(desk(*sides))


@pytest.mark.parametrize(("first", "second"), [("Gold", "Silver"), ("Bronze", ""), ("", "Bronze"), ("", "")])
def test_a_duel_is_a_final_a_match_for_third_place_or_a_semi_final(first: str, second: str) -> None:
    sides = ({"rank": 1, "medal": first, "score": "2"}, {"rank": 2, "medal": second, "score": "1"})
    assert official(desk(*sides, archetype="duel"))


def test_a_duel_gives_no_silver_without_a_gold() -> None:
    sides = ({"rank": 1, "score": "2"}, {"rank": 2, "medal": "Silver", "score": "1"})
    assert refusal(desk(*sides, archetype="duel"))[2] == "Medals do not fit the ranks: rank 1 is gold."


def test_a_walkover_has_ranks_and_no_score() -> None:
    """R2: winner rank 1, loser rank 2, status WO, score empty."""
    assert official(desk({"rank": 1, "status": "WO"}, {"rank": 2, "status": "WO"}, archetype="duel"))


def test_both_absent_have_no_places() -> None:
    """R3: no winner, both DNS."""
    assert official(desk({"status": "DNS"}, {"status": "DNS"}, archetype="duel"))


def test_a_final_with_both_disqualified_gives_no_medal() -> None:
    """R4: no gold, no silver."""
    assert official(desk({"status": "DSQ"}, {"status": "DSQ"}, archetype="duel"))


def test_a_rank_without_a_score_is_confirmed_for_a_duel() -> None:
    """R7: warned for duels."""
    bare = desk({"rank": 1}, {"rank": 2}, archetype="duel")
    assert refusal(bare) == (
        "confirm",
        "duel_has_scores",
        "A has a rank and no score. Confirm that there is none.",
    )
    assert official(bare, confirm=["duel_has_scores"])


def test_a_winner_with_the_lower_score_is_confirmed() -> None:
    """R1: right only by award, walkover or disqualification."""
    upset = desk({"rank": 2, "score": "3"}, {"rank": 1, "score": "1"}, archetype="duel")
    assert refusal(upset) == (
        "confirm",
        "winner_has_the_better_score",
        (
            "The winner has the lower score. Confirm: B beat A with 1 to 3, "
            "by an award, a walkover or a disqualification."
        ),
    )
    assert official(upset, confirm=["winner_has_the_better_score"])
    by_mark = desk({"score": "3", "status": "DSQ"}, {"rank": 1, "score": "1"}, archetype="duel")
    assert official(by_mark)


def test_a_winner_with_the_same_score_is_confirmed() -> None:
    level = desk({"rank": 1, "score": "1"}, {"rank": 2, "score": "1"}, archetype="duel")
    assert refusal(level)[2] == "A won with the same score, 1-1. Confirm that something else decided it."


def test_scores_that_are_no_numbers_are_not_compared() -> None:
    assert official(desk({"rank": 1, "score": "120/4"}, {"rank": 2, "score": "130/9"}, archetype="duel"))


def test_a_duel_of_one_is_not_over() -> None:
    assert refusal(desk({"rank": 1}, archetype="duel")) == (
        "rejected",
        "result_has_two_sides",
        "A duel has two sides.",
    )


def test_an_official_result_is_revised_with_a_reason() -> None:
    """R11: the reason is asked for, and goes with the change."""
    unit = desk({"rank": 1, "score": "2"}, {"rank": 2, "score": "1"}, archetype="duel", official=True)
    change = {"side": "00000000-0000-4000-8000-000000000001", "score": "3"}
    refused = unit.send("edit_side", **change)
    assert (refused.reason, refused.message) == (
        "official_needs_a_reason",
        "Official results need a reason to change.",
    )
    unit.must("edit_side", **change, reason="Video review")
    assert unit.records[0].data["reason"] == "Video review"


def test_an_unknown_field_is_refused_and_named() -> None:
    answer = desk({}, {}).send("edit_side", side="00000000-0000-4000-8000-000000000001", medals="Gold")
    assert (answer.refusal, answer.problems[0]["field"]) == ("input", "medals")
