"""The kit plays a match as the engine does."""

from pathlib import Path

import pytest

from omnium_contract.testing import Match, check_golden, golden_of, read_golden, write_golden
from rally import Rally


def test_a_command_goes_through_input_rules_and_step() -> None:
    match = Match.of(Rally, "red", "blue", target=2)
    assert match.send("point", entry="red", scoredBy="Kim").seq == 1
    assert match.state == {"status": "live", "points": {"red": 1, "blue": 0}}
    assert match.log[0].input == {"entry": "red", "scoredBy": "Kim", "worth": 1}


def test_the_first_no_is_the_answer_with_the_rules_sentence() -> None:
    match = Match.of(Rally, "red", "blue", target=1)
    unknown = match.send("point", entry="green")
    assert (unknown.refusal, unknown.reason, unknown.message) == (
        "rejected",
        "side_plays",
        "green does not play.",
    )
    match.must("point", entry="red")
    over = match.send("rally.point", entry="green")
    assert (over.reason, over.message) == ("is_open", "The match is over")


def test_a_warning_is_confirmed_by_its_name_and_the_log_says_so() -> None:
    match = Match.of(Rally, "red", "blue", target=9)
    asked = match.send("point", entry="red", worth=3)
    assert (asked.refusal, asked.reason) == ("confirm", "is_ordinary")
    match.must("point", entry="red", worth=3, confirm=["is_ordinary"])
    assert match.log[0].confirmed == ("is_ordinary",)


def test_every_problem_of_an_input_names_its_field() -> None:
    answer = Match.of(Rally).send("point", worth=0, sCoredBy="x")
    assert sorted(p["field"] for p in answer.problems) == ["entry", "sCoredBy", "worth"]


def test_an_unknown_command_is_not_offered() -> None:
    assert Match.of(Rally).send("serve").refusal == "not_offered"


def test_numbers_and_places_come_from_the_state() -> None:
    match = Match.of(Rally, "red", "blue", target=2)
    match.must("point", entry="blue", worth=2)
    assert (match.number("points", entry="blue"), match.number("points", entry="red")) == (2, 0)
    assert [(p.entry, p.rank) for p in match.places()] == [("blue", 1), ("red", 2)]


def test_a_golden_states_what_playing_it_gives(tmp_path: Path) -> None:
    match = Match.of(Rally, "red", "blue", target=2)
    match.must("point", entry="red")
    match.must("point", entry="red")
    write_golden(tmp_path / "win.json", golden_of(match, format={"target": 2}, what="red wins"))
    golden = read_golden(tmp_path / "win.json")
    assert check_golden(Rally, golden) == []
    golden["state"]["points"]["red"] = 3
    golden["digests"][1] = "00"
    assert check_golden(Rally, golden) == [
        "event 2 rally.point: the state after it is another one",
        "state.points.red: 3 -> 2",
    ]


def test_must_raises_with_the_refusal() -> None:
    with pytest.raises(AssertionError, match=r"rejected side_plays\): green does not play\."):
        Match.of(Rally).must("point", entry="green")
