"""Each format's made-up sample gives the commands and the statements that a person reads off it."""

from pathlib import Path
from typing import Any

import pytest

from omnium_releases.readers.files import read_file
from omnium_releases.readers.recorded import RecordedMatch, SideRef, UnreadableFile

SAMPLES = Path(__file__).parent / "samples"


def matches(name: str) -> tuple[RecordedMatch, ...]:
    return read_file(SAMPLES / name).matches


def codes(match: RecordedMatch) -> list[str]:
    return [c.code.removeprefix("football.") for c in match.commands]


def inputs(match: RecordedMatch, code: str) -> list[dict[str, Any]]:
    return [dict(c.input) for c in match.commands if c.code == f"football.{code}"]


def test_a_joined_match_opens_and_closes_its_periods_around_what_happened() -> None:
    (match,) = matches("fjelstul.json")
    assert codes(match) == [
        "match_start", "goal", "goal", "half_end",
        "half_start", "card", "substitution", "half_end",
        "half_start", "half_end",
        "half_start", "card", "half_end",
        "shootout_start", *["shootout_kick"] * 8, "match_end",
    ]  # fmt: skip
    assert inputs(match, "half_start") == [{"period": "2H"}, {"period": "ET1"}, {"period": "ET2"}]
    assert inputs(match, "goal")[1] == {
        "entry": SideRef("BLU"), "kind": "own_goal", "scorer": "Bea Two", "minute": 45, "stoppage": 2,
    }  # fmt: skip
    assert inputs(match, "substitution") == [
        {"entry": SideRef("RED"), "off": "Ada One", "on": "Di Four", "kind": "normal"}
    ]


def test_kicks_listed_by_team_are_brought_into_an_order_that_ends_with_the_deciding_one() -> None:
    (match,) = matches("fjelstul.json")
    kicks = inputs(match, "shootout_kick")
    assert [k["entry"].code for k in kicks] == ["RED", "BLU"] * 4
    assert [k["outcome"] for k in kicks] == [
        "scored", "missed", "scored", "scored", "scored", "missed", "missed", "missed",
    ]  # fmt: skip


def test_a_joined_match_states_score_kicks_winner_scorers_and_cards() -> None:
    (match,) = matches("fjelstul.json")
    assert match.stated == {
        "score": {"RED": 1, "BLU": 1},
        "shootout": {"RED": 3, "BLU": 1},
        "winner": "RED",
        "scorers": {"Ada One": 1},
        "own goals": {"Bea Two": 1},
        "cards": {"Cy Three: yellow": 1, "Cy Three: second_yellow": 1},
    }


def test_a_timeline_whose_end_and_score_changes_part_is_named_and_not_chosen_from() -> None:
    (match,) = matches("timeline.json")
    assert match.contradictions == ("it ends with 0-1, but its score changes add up to 1-1",)
    assert match.stated == {
        "scorers": {"One, Ada": 1, "Four, Di": 1},
        "own goals": {},
        "cards": {"Three, Cy: yellow": 1},
    }
    assert inputs(match, "card") == [
        {
            "entry": SideRef("home"),
            "person": "Three, Cy",
            "role": "player",
            "colour": "yellow",
            "minute": 45,
            "stoppage": 1,
        }
    ]
    assert inputs(match, "goal")[0]["assist"] == "Two, Bea"
    assert inputs(match, "stat") == [{"entry": SideRef("home"), "kind": "corner"}]
    assert match.left_out == ("throw_in: no command says it",)


def test_a_tournament_plays_matches_with_all_goals_and_counts_the_rest() -> None:
    group, final, bare, odd = matches("openfootball.json")
    assert [g.get("stoppage") for g in inputs(group, "goal")] == [2, None, 4]
    assert group.stated["winner"] == "1"
    assert codes(final)[-1] == "half_end"
    assert ("winner" in final.stated, final.left_out != ()) == (False, True)
    assert (bare.scores_only, bare.commands) == (True, ())
    assert odd.contradictions == ("it states 1-1, but lists goals for 2-0",)
    assert "score" not in odd.stated


def test_a_live_log_leaves_out_what_it_can_not_know() -> None:
    final, group = matches("live_log.json")
    assert inputs(final, "goal") == [
        {"entry": SideRef("RED"), "kind": "open_play", "scorer": "Ada", "minute": 16},
        {"entry": SideRef("BLU"), "kind": "open_play", "minute": 45, "stoppage": 1},
    ]
    assert [c["colour"] for c in inputs(final, "card")] == ["yellow", "yellow", "second_yellow"]
    assert final.left_out == (
        "the shoot-out, of which it lists the scored kicks alone",
        "1 halves of substitutions of RED",
        "a second yellow card of Bea, who is not sent off",
        "the scorer Ada, who is in no line-up of that side",
    )
    assert group.contradictions == ("it states 1 goals for RED, but lists 2 that are not cancelled",)


def test_a_table_of_units_has_scores_and_no_log() -> None:
    (match,) = matches("units.csv")
    assert (match.scores_only, match.sport, match.stated) == (
        True,
        "football",
        {"score": {"RED": "1", "BLU": "2"}},
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.json", b"{", "is not JSON"),
        ("a.json", b'{"a": 1}', "JSON of no known format"),
        ("a.json", b'{"match": {"home_team_code": "A"}, "events": []}', "not a joined match"),
        ("a.json", b'[{"HomeTeamEvents": []}]', "not a live log"),
        ("a.json", b'{"matches": [{"team1": "A"}]}', "not a tournament"),
        ("a.json", b'{"events": [{"type": "match_started"}]}', "not a timeline"),
        ("a.csv", b"x,y\n1,2\n", "a table of no known kind"),
        ("a.csv", b"\xff\xfe\x00", "not UTF-8"),
        ("missing.json", None, "can't be read"),
    ],
)
def test_a_file_that_is_not_what_it_seems_is_refused_with_the_reason(
    tmp_path: Path, name: str, content: bytes | None, said: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(UnreadableFile, match=said):
        read_file(tmp_path / name)
