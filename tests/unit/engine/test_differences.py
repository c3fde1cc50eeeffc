"""What counts as a difference of two folds, and which events leave its digest as it is."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from omnium_store.statuses import FixtureStatus, Standing
from omnium_worker import canonical_fast
from omnium_worker.differences import Conflict, Differences, Told, between
from omnium_worker.rows import LineRow, PlaceRow

LIVE = Standing(FixtureStatus.LIVE)
DECLARED = frozenset({("t", "points")})


def told(
    state: Any = None,
    *,
    lines: Any = (),
    places: Any = (),
    standing: Standing = LIVE,
    declared: Any = DECLARED,
) -> Told:
    return Told(
        state=canonical_fast.dumps(state or {}),
        lines=frozenset(lines),
        places=frozenset(places),
        standing=standing,
        declared=frozenset(declared),
    )


def states(before: Any, after: Any) -> Differences:
    return between(told(before), told(after))


def shown(found: Differences) -> dict[str, tuple[Any, Any]]:
    return {one.key: (one.before, one.after) for one in found.found}


def line(value: int, key: str = "points", entry: str = "home", person: str | None = None) -> LineRow:
    return LineRow("t", entry, person, None, key, value)


def place(entry: str, rank: int | None, value: int = 0, sort: int = 1) -> PlaceRow:
    return PlaceRow(entry, rank, False, str(value), value, sort)


def test_equal_states_have_no_difference() -> None:
    state = {"goals": {"home": 1}, "rows": [{"seq": 1}, {"seq": 2}], "clock": None}
    assert states(state, state) == Differences(found=(), conflicts=())


def test_a_difference_is_named_by_its_path() -> None:
    before = {"innings": [{"extras": {"noBalls": 3}}], "status": "live", "over": False}
    after = {"innings": [{"extras": {"noBalls": 4}}], "status": "finished", "over": True}
    assert shown(states(before, after)) == {
        "innings.0.extras.noBalls": (3, 4),
        "over": (False, True),
        "status": ("live", "finished"),
    }


@pytest.mark.parametrize(
    ("before", "after"),
    [({"n": 0}, {"n": False}), ({"n": 1}, {"n": True}), ({"n": []}, {"n": {}}), ({"n": "1"}, {"n": 1})],
)
def test_values_of_another_kind_differ(before: Any, after: Any) -> None:
    assert len(states(before, after).found) == 1


def test_numbers_are_known_by_how_far_they_are_apart() -> None:
    first = states({"goals": {"home": 2}}, {"goals": {"home": 1}}).digest()
    assert states({"goals": {"home": 5}}, {"goals": {"home": 4}}).digest() == first
    assert states({"goals": {"home": 5}}, {"goals": {"home": 3}}).digest() != first
    assert states({"goals": {"away": 2}}, {"goals": {"away": 1}}).digest() != first


def test_the_distance_of_fractions_is_exact() -> None:
    assert states({"n": 0.1}, {"n": 0.2}).digest() == states({"n": 3.1}, {"n": 3.2}).digest()


def test_a_number_that_was_not_there_counts_from_zero() -> None:
    first = states({"goals": {}}, {"goals": {"home": 1}})
    assert shown(first) == {"goals.home": (None, 1)}
    assert states({"goals": {"home": 1}}, {"goals": {"home": 2}}).digest() == first.digest()
    assert states({"goals": {}}, {"goals": {"home": 2}}).digest() != first.digest()


def test_a_part_that_only_one_fold_has_is_known_by_its_name() -> None:
    first = states({}, {"calls": {"made": 3}}).digest()
    assert states({}, {"calls": {"made": 9, "won": 1}}).digest() == first
    assert states({"calls": {"made": 3}}, {}).digest() != first


def test_words_are_known_by_both() -> None:
    first = states({"winner": "home"}, {"winner": "away"}).digest()
    assert states({"winner": "away"}, {"winner": "home"}).digest() != first
    assert states({}, {"winner": "away"}).digest() != first


def test_a_row_that_one_list_has_more_is_found_wherever_it_stands() -> None:
    rows = [{"seq": n} for n in range(6)]
    found = states({"rows": rows}, {"rows": [*rows[:3], {"seq": 3, "twice": True}, *rows[3:]]})
    assert shown(found) == {"rows.3": (None, {"seq": 3, "twice": True})}
    longer = [*rows, {"seq": 6}]
    again = states({"rows": longer}, {"rows": [*longer[:3], {"seq": 3, "twice": True}, *longer[3:]]})
    assert again.digest() == found.digest()


def test_a_second_row_of_the_same_content_is_a_new_difference() -> None:
    one = states({"rows": [1]}, {"rows": [1, 9]})
    two = states({"rows": [1]}, {"rows": [1, 9, 9]})
    assert one.digest() != two.digest()


def test_a_row_that_is_otherwise_shows_its_member() -> None:
    before = {"rows": [{"seq": 1, "points": 3}, {"seq": 2, "points": 1}]}
    after = {"rows": [{"seq": 1, "points": 4}, {"seq": 2, "points": 1}]}
    assert shown(states(before, after)) == {"rows.0.points": (3, 4)}


def test_long_lists_that_share_nothing_are_compared_place_by_place() -> None:
    before, after = list(range(1000)), list(range(1000, 2000))
    assert len(states({"n": before}, {"n": after}).found) == 1000
    assert len(states({"n": before}, {"n": after[:999]}).found) == 1999


def test_lines_are_known_by_their_distance_and_whose_they_are() -> None:
    first = between(told(lines=[line(3)]), told(lines=[line(4)]))
    assert [(one.of, one.before, one.after) for one in first.found] == [
        ({"action": "t", "entry": "home"}, 3, 4)
    ]
    assert between(told(lines=[line(7)]), told(lines=[line(8)])).digest() == first.digest()
    assert between(told(lines=[]), told(lines=[line(1)])).digest() == first.digest()
    assert between(told(lines=[line(3)]), told(lines=[line(5)])).digest() != first.digest()
    other = line(4, entry="away")
    assert between(told(lines=[line(3, entry="away")]), told(lines=[other])).digest() != first.digest()


def test_a_number_that_only_one_release_declares_is_one_difference_however_many_have_it() -> None:
    richer = DECLARED | {("t", "calls")}
    first = between(told(), told(lines=[line(1, "calls")], declared=richer))
    more = [line(9, "calls"), line(2, "calls", person="ada")]
    again = between(told(), told(lines=more, declared=richer))
    assert (len(again.found), again.digest()) == (2, first.digest())
    gone = between(told(lines=more, declared=richer), told())
    assert len(gone.found) == 2


def test_where_a_program_is_not_known_the_numbers_of_the_other_one_count() -> None:
    one = between(told(lines=[line(3)], declared=()), told(lines=[line(4)]))
    two = between(told(lines=[line(4)], declared=()), told(lines=[line(5)]))
    three = between(told(lines=[line(4)], declared=()), told(lines=[line(6)]))
    assert one.digest() == two.digest() != three.digest()


def test_places_are_known_by_rank_and_by_how_far_their_values_are_apart() -> None:
    first = between(told(places=[place("a", 1, 3)]), told(places=[place("a", 2, 4)]))
    assert first.found[0].as_data() == {
        "part": "places",
        "key": "place",
        "entry": "a",
        "before": {"rank": 1, "shared": False, "display": "3", "value": 3},
        "after": {"rank": 2, "shared": False, "display": "4", "value": 4},
    }
    same = between(told(places=[place("a", 1, 8)]), told(places=[place("a", 2, 9)]))
    assert same.digest() == first.digest()
    assert (
        between(told(places=[place("a", 1, 8)]), told(places=[place("a", 3, 9)])).digest() != first.digest()
    )
    assert between(told(), told(places=[place("a", 2, 4)])).digest() != first.digest()


def test_a_status_is_known_by_both_words() -> None:
    over = Standing(FixtureStatus.COMPLETED, official=True)
    found = between(told(), told(standing=over))
    assert shown(found) == {"status": ("LIVE", "COMPLETED"), "official": (False, True)}
    assert found.counts() == {"status": 2, "state": 0, "places": 0, "lines": 0, "conflicts": 0}


def test_conflicts_are_part_of_the_digest() -> None:
    conflict = Conflict(seq=3, code="court.point", reason="side_plays", sentence="No.")
    with_it = between(told(), told(), [conflict])
    assert with_it.digest() != between(told(), told()).digest()
    assert with_it.digest("a") != with_it.digest("b")


def test_what_is_left_out_is_counted() -> None:
    conflicts = [Conflict(seq=n, code="c", reason="r", sentence="s") for n in range(4)]
    found = between(told({f"n{n}": n + 1 for n in range(5)}), told({}), conflicts)
    data = found.as_data(3)
    assert [len(data["differences"]), len(data["conflicts"]), data["leftOut"]] == [3, 3, 3]
    assert orjson.dumps(data)


def test_events_that_both_count_alike_never_change_a_digest() -> None:
    """A random walk: the mended fold counts a three as four, and everything else as the other one does."""
    draw = random.Random(11)
    before: dict[str, Any] = {"points": {}, "rows": [], "last": None}
    after: dict[str, Any] = {"points": {}, "rows": [], "last": None}

    def play(worth: int, seq: int) -> None:
        entry = draw.choice(("home", "away"))
        for state, counted in ((before, worth), (after, 4 if worth == 3 else worth)):
            state["points"][entry] = state["points"].get(entry, 0) + counted
            state["rows"].append({"seq": seq, "entry": entry})
            state["last"] = seq

    for seq in range(20):
        play(draw.choice((1, 2, 3)), seq)
    known = states(before, after).digest()
    for seq in range(20, 60):
        play(draw.choice((1, 2)), seq)
        assert states(before, after).digest() == known
    play(3, 60)
    assert states(before, after).digest() != known
