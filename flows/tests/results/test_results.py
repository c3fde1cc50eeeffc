"""Each rule and action of results, called as a plain method."""

from __future__ import annotations

from typing import Any

import pytest

from omnium_contract.flows.components import ComponentKind
from omnium_contract.flows.program import publish_problems
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.types import Record, RecordCtx, Side, ok, reject
from omnium_contract.testing import fixture, record_context
from omnium_flows.results import Results
from omnium_flows.results.commands import AddSideInput, EditSideInput, SetStatusInput
from omnium_flows.results.constants import HIDDEN_BY, MARKS, RESULT_FIELDS, STATUS_WORDS, STATUSES

HOME = "00000000-0000-4000-8000-000000000001"
AWAY = "00000000-0000-4000-8000-000000000002"
ELSEWHERE = "00000000-0000-4000-8000-00000000000f"
JAPAN = "00000000-0000-4000-8000-0000000000aa"

RESULTS = Results()


def side(entry: str, position: int, name: str, **facts: Any) -> Side:
    return Side(entry=entry, position=position, name=name, **facts)


def ctx(home: dict[str, Any] | None = None, away: dict[str, Any] | None = None, **facts: Any) -> RecordCtx:
    """A scorecard duel of United and City; `home` and `away` are facts of theirs."""
    sides = (side(HOME, 1, "United", **(home or {})), side(AWAY, 2, "City", **(away or {})))
    return record_context(fixture(Results, sides=sides, **{"scoring_mode": "scorecard", **facts}))


def edit(**sent: Any) -> EditSideInput:
    return EditSideInput.model_validate({"side": HOME, **sent})


def status(word: str, **sent: Any) -> SetStatusInput:
    return SetStatusInput.model_validate({"status": word, **sent})


def test_results_has_these_commands_and_they_can_be_published() -> None:
    assert [c.key for c in Results.of(ComponentKind.COMMAND)] == [
        "results.add_side",
        "results.change_type",
        "results.edit_side",
        "results.remove_side",
        "results.set_release",
        "results.set_status",
    ]
    registry = Registry()
    registry.add_workflow(Results)
    assert publish_problems(registry) == []


def test_the_four_rules_of_an_edit_come_first_and_in_their_order() -> None:
    assert Results.components["edit_side"].spec.validations[:4] == (
        "side_is_in_fixture",
        "side_keeps_someone",
        "side_status_is_known",
        "side_medal_is_known",
    )


def test_side_is_in_fixture_knows_a_side_however_its_id_is_written() -> None:
    for entry in (HOME, HOME.upper(), HOME.replace("-", "")):
        assert RESULTS.side_is_in_fixture({"side": entry}, ctx()).ok
    assert not RESULTS.side_is_in_fixture({"side": ELSEWHERE}, ctx()).ok


def test_side_keeps_someone_refuses_a_side_that_would_be_nobody() -> None:
    assert not RESULTS.side_keeps_someone(edit(label=" "), ctx()).ok
    assert not RESULTS.side_keeps_someone(edit(label=None, participantId=None), ctx()).ok
    assert RESULTS.side_keeps_someone(edit(label="", participantId=JAPAN), ctx()).ok
    assert RESULTS.side_keeps_someone(edit(label=""), ctx(home={"participant_id": JAPAN})).ok
    assert RESULTS.side_keeps_someone(edit(rank=1), ctx()).ok


@pytest.mark.parametrize("typed", [*MARKS, "dns", " dsq ", "DQ", "", None])
def test_side_status_is_known_takes_every_mark_and_none(typed: str | None) -> None:
    assert RESULTS.side_status_is_known(edit(status=typed), ctx()).ok


def test_side_status_is_known_never_makes_nothing_of_an_unknown_mark() -> None:
    assert not RESULTS.side_status_is_known(edit(status="LOST"), ctx()).ok


@pytest.mark.parametrize("typed", ["Gold", "silver", " BRONZE ", "", None])
def test_side_medal_is_known_takes_three_words_and_none(typed: str | None) -> None:
    assert RESULTS.side_medal_is_known(edit(medal=typed), ctx()).ok


def test_side_medal_is_known_refuses_other_metals() -> None:
    assert not RESULTS.side_medal_is_known(edit(medal="Platinum"), ctx()).ok


def test_side_is_listed_once_finds_a_participant_and_a_code_on_the_other_side() -> None:
    known = ctx(away={"participant_id": JAPAN, "code": "JPN"})
    assert RESULTS.side_is_listed_once({"side": HOME, "participantId": JAPAN}, known) == reject(
        "City is listed twice. Choose another participant."
    )
    assert RESULTS.side_is_listed_once({"name": "Nippon", "code": "JPN"}, known) == reject(
        "City has the code JPN already. Choose another code."
    )
    assert RESULTS.side_is_listed_once({"side": AWAY, "participant_id": JAPAN}, known).ok
    assert RESULTS.side_is_listed_once({"name": "City"}, known).ok


@pytest.mark.parametrize("field", ["rank", "score", "medal", "worldRecord"])
def test_mark_leaves_no_result_refuses_what_a_mark_forbids(field: str) -> None:
    typed = {"rank": 1, "score": "8.12", "medal": "Gold", "worldRecord": True}
    said = RESULTS.mark_leaves_no_result(edit(status="DNS", **{field: typed[field]}), ctx())
    assert said == reject("A side marked DNS has no rank, score, medal or record.")
    said = RESULTS.mark_leaves_no_result(edit(**{field: typed[field]}), ctx(home={"status": "DSQ"}))
    assert said == reject("A side marked DSQ has no rank, score, medal or record.")


def test_mark_leaves_no_result_lets_a_mark_end_and_values_be_taken_away() -> None:
    disqualified = ctx(home={"status": "DSQ"})
    assert RESULTS.mark_leaves_no_result(edit(status="", rank=1, score="8.12"), disqualified).ok
    assert RESULTS.mark_leaves_no_result(edit(medal="", rank=None), disqualified).ok
    assert RESULTS.mark_leaves_no_result(edit(status="DSQ"), ctx(home={"rank": 1})).ok


def test_mark_leaves_no_result_knows_what_a_duel_keeps() -> None:
    """R2: a walkover has ranks and no score; who retires keeps the score to that point."""
    assert RESULTS.mark_leaves_no_result(edit(status="WO", rank=1, medal="Gold"), ctx()).ok
    assert RESULTS.mark_leaves_no_result(edit(status="WO", score="0"), ctx()) == reject(
        "A side marked WO has no score and no record."
    )
    assert RESULTS.mark_leaves_no_result(edit(status="RET", rank=2, score="1"), ctx()).ok


def test_official_needs_a_reason_to_change_and_none_to_stay() -> None:
    official = ctx(official=True)
    assert not RESULTS.official_needs_a_reason({"side": HOME, "rank": 1}, official).ok
    assert not RESULTS.official_needs_a_reason({"status": "COMPLETED", "reason": "  "}, official).ok
    assert RESULTS.official_needs_a_reason({"status": "COMPLETED", "reason": "Protest"}, official).ok
    assert RESULTS.official_needs_a_reason({"status": "official"}, official).ok
    assert RESULTS.official_needs_a_reason({"side": HOME, "rank": 1}, ctx()).ok


def test_official_still_fits_asks_whether_a_revision_leaves_a_whole_result() -> None:
    official = ctx(home={"rank": 1, "result": {"medal": "Gold"}}, away={"rank": 2}, official=True)
    said = RESULTS.official_still_fits(edit(rank=2), official)
    assert said == reject(
        "Rank 2 is given twice: mark the tie or change it. "
        "Set the status to COMPLETED, correct all sides, then make it official again."
    )
    whole = ctx(home={"rank": 1}, away={"rank": 2}, official=True)
    assert RESULTS.official_still_fits(edit(score="3"), whole).ok
    assert not RESULTS.official_still_fits(edit(status="DSQ"), whole).ok
    assert RESULTS.official_still_fits(edit(rank=2), ctx(home={"rank": 1}, away={"rank": 2})).ok


def test_sides_may_change_until_the_log_or_an_official_result_names_them() -> None:
    assert RESULTS.sides_may_change({}, ctx(status="LIVE")).ok
    assert RESULTS.sides_may_change({}, ctx(scoring_mode="events", status="POSTPONED")).ok
    assert not RESULTS.sides_may_change({}, ctx(scoring_mode="events", status="LIVE")).ok
    assert not RESULTS.sides_may_change({}, ctx(official=True)).ok


def test_duel_has_two_sides_and_a_ranking_any_number() -> None:
    third = AddSideInput(name="Rovers")
    assert not RESULTS.duel_has_two_sides(third, ctx()).ok
    assert RESULTS.duel_has_two_sides(third, ctx(archetype="ranking")).ok


def test_side_noc_is_a_code_or_nothing() -> None:
    assert RESULTS.side_noc_is_a_code(AddSideInput(name="Japan", noc="JPN"), ctx()).ok
    assert RESULTS.side_noc_is_a_code(AddSideInput(name="Japan"), ctx()).ok
    assert not RESULTS.side_noc_is_a_code(AddSideInput(name="Japan", noc="jpn"), ctx()).ok


def test_position_is_free_names_who_has_it() -> None:
    taken = RESULTS.position_is_free(AddSideInput(name="Rovers", position=2), ctx())
    assert taken == reject("Position 2 is City's. Choose a free one.")
    assert RESULTS.position_is_free(AddSideInput(name="Rovers", position=3), ctx()).ok
    assert RESULTS.position_is_free(AddSideInput(name="Rovers"), ctx()).ok


@pytest.mark.parametrize("typed", [*STATUSES, *STATUS_WORDS, "official", "no contest", "No-Contest"])
def test_status_is_known_takes_the_words_of_the_ladder(typed: str) -> None:
    assert RESULTS.status_is_known(status(typed), ctx()).ok


def test_status_is_known_refuses_others() -> None:
    assert not RESULTS.status_is_known(status("DONE"), ctx()).ok


@pytest.mark.parametrize(
    ("now", "word", "may"),
    [
        ("SCHEDULED", "LIVE", False),
        ("LIVE", "COMPLETED", False),
        ("LIVE", "OFFICIAL", False),
        ("LIVE", "SCHEDULED", False),
        ("COMPLETED", "CANCELLED", False),
        ("COMPLETED", "OFFICIAL", True),
        ("COMPLETED", "COMPLETED", True),
        ("SCHEDULED", "POSTPONED", True),
        ("LIVE", "ABANDONED", True),
        ("CANCELLED", "SCHEDULED", True),
    ],
)
def test_log_tells_the_status_of_a_match_that_is_scored_by_events(now: str, word: str, may: bool) -> None:
    said = RESULTS.log_tells_the_status(status(word), ctx(scoring_mode="events", status=now))
    assert said.ok is may
    assert RESULTS.log_tells_the_status(status(word), ctx(status=now)).ok


def test_result_has_two_sides_once_a_duel_is_over() -> None:
    alone = record_context(fixture(Results, sides=(side(HOME, 1, "United"),)))
    assert not RESULTS.result_has_two_sides(status("FINISHED"), alone).ok
    assert RESULTS.result_has_two_sides(status("CANCELLED"), alone).ok
    assert RESULTS.result_has_two_sides(status("OFFICIAL"), ctx()).ok


def test_rules_of_an_official_result_bind_no_other_status() -> None:
    broken = ctx(home={"rank": 2, "result": {"medal": "Gold"}}, away={"rank": 2})
    for rule in (
        RESULTS.everyone_has_a_result,
        RESULTS.ties_are_marked,
        RESULTS.ranks_run,
        RESULTS.medals_fit_the_ranks,
        RESULTS.duel_has_scores,
        RESULTS.winner_has_the_better_score,
    ):
        assert rule(status("COMPLETED"), broken) == ok()


def test_ranks_of_a_match_scored_by_events_come_from_its_log() -> None:
    played = ctx(scoring_mode="events", status="COMPLETED")
    assert RESULTS.everyone_has_a_result(status("OFFICIAL"), played).ok
    assert RESULTS.duel_has_scores(status("OFFICIAL"), played).ok


def test_is_scored_by_events_and_has_not_started_guard_the_pin() -> None:
    assert not RESULTS.is_scored_by_events({}, ctx()).ok
    assert RESULTS.is_scored_by_events({}, ctx(scoring_mode="events")).ok
    assert RESULTS.has_not_started({}, ctx(status="POSTPONED")).ok
    assert RESULTS.has_not_started({}, ctx(status="LIVE")) == reject(
        "This match is LIVE and keeps its rules to the end. "
        "For a critical bug there is: omnium releases move."
    )


def test_side_changes_asks_for_the_fields_that_were_sent() -> None:
    assert RESULTS.side_changes(edit(medal="Gold", rank=1), ctx()) == [
        Record(kind="fixture.sides.set", data={"side": HOME, "medal": "Gold", "rank": 1})
    ]
    assert RESULTS.side_changes(edit(medal=" gold ", participant_id=JAPAN), ctx()) == [
        Record(kind="fixture.sides.set", data={"side": HOME, "medal": "Gold", "participantId": JAPAN})
    ]


def test_side_changes_says_by_name_what_is_taken_away() -> None:
    [record] = RESULTS.side_changes(edit(rank=None, medal=""), ctx())
    assert record.data == {"side": HOME, "medal": "", "clears": ["rank"]}


def test_side_changes_says_what_a_mark_hides() -> None:
    [marked] = RESULTS.side_changes(edit(status="dq"), ctx())
    assert marked.data == {"side": HOME, "status": "DSQ", "hides": sorted(RESULT_FIELDS)}
    [walkover] = RESULTS.side_changes(edit(status="WO", rank=1), ctx())
    assert walkover.data["hides"] == ["eventRecord", "score", "worldRecord"]
    for none in ("", None):
        [cleared] = RESULTS.side_changes(edit(status=none), ctx())
        assert (cleared.data["status"], cleared.data["hides"]) == ("", [])


def test_every_mark_says_what_it_hides() -> None:
    assert set(HIDDEN_BY) == set(MARKS)


def test_side_added_and_side_removed_pass_on_what_was_sent() -> None:
    [added] = RESULTS.side_added(AddSideInput(name=" Rovers ", position=2), ctx())
    assert added == Record(kind="fixture.sides.add", data={"name": "Rovers", "position": 2})
    model = Results.components["remove_side"].spec.input_model
    assert model is not None
    [removed] = Results.components["side_removed"].fn(RESULTS, model.model_validate({"side": HOME}), ctx())
    assert removed == Record(kind="fixture.sides.remove", data={"side": HOME})


def test_status_changes_gives_the_platforms_word_and_the_official_mark() -> None:
    [official] = RESULTS.status_changes(status("official"), ctx(home={"status": "DSQ"}))
    assert official == Record(
        kind="fixture.status.set",
        data={
            "status": "COMPLETED",
            "official": True,
            "hides": {HOME: sorted(RESULT_FIELDS), AWAY: []},
        },
    )
    [taken] = RESULTS.status_changes(status("PROTEST", reason="Lane 4"), ctx())
    assert (taken.data["status"], taken.data["official"], taken.data["reason"]) == (
        "COMPLETED",
        False,
        "Lane 4",
    )


@pytest.mark.parametrize("word", ["POSTPONED", "CANCELLED", "ABANDONED"])
def test_status_changes_hides_every_result_of_a_fixture_without_one(word: str) -> None:
    """Case 33: a postponed match is no 0-0 draw."""
    [record] = RESULTS.status_changes(status(word), ctx())
    assert record.data["hides"] == {HOME: sorted(RESULT_FIELDS), AWAY: sorted(RESULT_FIELDS)}


def test_release_changes_asks_for_another_pin() -> None:
    model = Results.components["set_release"].spec.input_model
    assert model is not None
    [record] = Results.components["release_changes"].fn(
        RESULTS, model.model_validate({"version": "0.2.0+g000000000002"}), ctx()
    )
    assert record == Record(kind="fixture.release.set", data={"version": "0.2.0+g000000000002"})
