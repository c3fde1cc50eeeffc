"""Two playings of one match: verdicts, states, lines and places that part, and what a record is held to."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from omnium_contract import canonical
from omnium_proto.replay_pb2 import ReplayJudged, ReplayValues
from omnium_releases.replay.comparing import Comparison, Playing, Step, first_parting
from omnium_releases.replay.details import places_to_look
from omnium_releases.replay.differences import Difference, Kind
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntryLine, EntryPlace, EntryRefusal
from omnium_releases.replay.messages import batches, places_to_derive
from omnium_releases.replay.records import departure

LOG = (
    EntryCommand(seq=1, code="tally.begin", input={}),
    EntryCommand(seq=2, code="tally.add", input={"entry": "s1"}),
)
ENTRY = CorpusEntry(id="m", workflow="tally", sides=(), log=LOG)


def step(state: Any = None, *, lines: Any = (), places: Any = (), **judged: Any) -> Step:
    values = ReplayValues(
        state=canonical.dumps(state or {}),
        lines=json.dumps(lines).encode(),
        places=json.dumps(places).encode(),
    )
    digests = {
        "state": canonical.digest(state or {}),
        "lines": canonical.digest(list(lines)),
        "places": canonical.digest(list(places)),
    }
    return Step(ReplayJudged(**{"accepted": True, **digests, **judged}), values)


def found(old: Step, new: Step) -> list[Difference]:
    comparison = Comparison(ENTRY)
    comparison.add(1, old, new)
    return comparison.differences


def test_a_state_that_parts_is_named_by_its_path() -> None:
    (one,) = found(step({"points": {"s1": 1}}), step({"points": {"s1": 2}}))
    assert (one.kind, one.key, one.old, one.new, one.event) == (Kind.STATE, "points.s1", "1", "2", 2)


def refused(reason: str, message: str, kind: str = "rejected") -> Step:
    return step(accepted=False, refusal=kind, reason=reason, message=message)


@pytest.mark.parametrize(
    ("old", "new", "keys", "was", "is_"),
    [
        (refused("late", "Too late."), step(), ("rules.late",), 'refused "Too late."', "accepted"),
        (step(), refused("late", "Too late."), ("rules.late",), "accepted", 'refused "Too late."'),
        (refused("late", "A"), refused("late", "B"), ("rules.late",), 'refused "A"', 'refused "B"'),
        (refused("a", "A"), refused("b", "B"), ("rules.a", "rules.b"), 'refused "A"', 'refused "B"'),
        (
            refused("a", "A"), refused("b", "A"), ("rules.a", "rules.b"),
            'refused "A" by rejected a', 'refused "A" by rejected b',
        ),
        (step(), refused("", "a: bad", "input"), ("inputs.tally.add",), "accepted", 'refused "a: bad"'),
        (step(), refused("x", "No.", "not_offered"), ("commands.tally.add",), "accepted", 'refused "No."'),
        (step(), refused("tally.add", "It failed.", "failed"), ("commands.tally.add",), "accepted",
         'refused "It failed."'),
    ],
)  # fmt: skip
def test_a_verdict_that_parts_is_named_by_its_rule(
    old: Step, new: Step, keys: tuple[str, ...], was: str, is_: str
) -> None:
    (one,) = found(old, new)
    assert (one.kind, one.keys, one.old, one.new) == (Kind.VERDICT, keys, was, is_)


def line(value: int, entry: str = "s1", action: str = "tally.lines", **more: str) -> dict[str, Any]:
    return {"action": action, "entry": entry, "key": "points", "value": value, **more}


def test_a_number_that_parts_is_named_by_its_fact_and_of_whom_it_is() -> None:
    one, two = found(step(lines=[line(1)]), step(lines=[line(2), line(5, segment="1H")]))
    assert (one.keys, one.where, one.old, one.new) == (("points", "lines.points"), "s1", "1", "2")
    assert (two.where, two.old, two.new) == ("s1 1H", "absent", "5")


def test_which_action_gives_a_number_is_no_difference() -> None:
    assert found(step(lines=[line(1)]), step(lines=[line(1, action="tally.numbers")])) == []


def test_lines_that_can_not_be_made_any_more_are_a_difference() -> None:
    failing = step()
    failing.values.lines = json.dumps({"failed": "tally.lines: KeyError"}).encode()
    failing.judged.lines = b"other"
    (one,) = found(step(), failing)
    assert (one.kind, one.key) == (Kind.LINE, "lines")


def test_a_place_that_parts_is_named_by_its_side() -> None:
    (one,) = found(
        step(places=[{"entry": "s1", "rank": 1, "sort": 1}]),
        step(places=[{"entry": "s1", "rank": 2, "sort": 1}]),
    )
    assert (one.kind, one.key, one.old, one.new) == (Kind.PLACE, "places.s1.rank", "1", "2")


def test_a_key_is_told_where_it_first_shows_and_how_often_it_does() -> None:
    comparison = Comparison(ENTRY)
    for place in (0, 1):
        comparison.add(place, step({"a": 1}), step({"a": 2 + place}))
    (one,) = comparison.differences
    assert (one.event, one.new, one.times) == (1, "2", 2)


def test_the_first_parting_is_looked_for_in_what_both_can_play() -> None:
    same, other = step().judged, step({"a": 1}).judged
    assert first_parting([same, same], [same, same], upto=2) is None
    assert first_parting([same, same], [same, other], upto=2) == 1
    assert first_parting([same, same], [same, other], upto=1) is None


def test_rows_are_looked_at_command_by_command_where_they_part_first() -> None:
    derive = frozenset({3, 7, 9})
    same, rows = step().judged, step(lines=[line(1)]).judged
    old, new = [same] * 10, [same] * 7 + [rows] + [same] * 2
    assert places_to_look(old, new, derive=derive, first=7) == {3, 4, 5, 6, 7, 9}
    state = step({"a": 1}).judged
    assert places_to_look(old, [state] * 10, derive=derive, first=0) == {0, 1, 2, 3, 7, 9}


def test_a_long_match_goes_in_pieces_and_asks_for_its_end_once() -> None:
    long = replace(ENTRY, log=LOG[:1] * 1000)
    derive = places_to_derive(long, 64)
    assert (len(derive), max(derive), min(derive)) == (16, 999, 63)
    pieces = [request.batch for request in batches(long, derive=derive)]
    assert [len(piece.commands) for piece in pieces] == [400, 400, 200]
    assert [(piece.HasField("match"), piece.end) for piece in pieces] == [
        (True, False),
        (False, False),
        (False, True),
    ]


RECORD = replace(
    ENTRY,
    log=(
        replace(LOG[0], digest=canonical.digest({}).hex()),
        replace(LOG[1], refused=EntryRefusal(refusal="rejected", message="No.", reason="late")),
    ),
    state={},
    lines=(EntryLine(key="points", value=1, entry="s1"),),
    places=(EntryPlace(entry="s1", rank=1),),
)
END = ReplayValues(
    state=b"{}",
    lines=json.dumps([line(1)]).encode(),
    places=json.dumps([{"entry": "s1", "rank": 1, "shared": False, "sort": 1}]).encode(),
)


def playing(second: Step | None = None, *, first: Step | None = None, **end: bytes) -> Playing:
    values = ReplayValues(**{"state": END.state, "lines": END.lines, "places": END.places, **end})
    no = refused("late", "No.")
    return Playing([(first or step()).judged, (second or no).judged], end=values)


def test_a_record_that_is_given_again_is_borne_out() -> None:
    assert departure(RECORD, playing()) == ""


@pytest.mark.parametrize(
    ("played", "said"),
    [
        (playing(first=step({"a": 1})), "event 1 (tally.begin): the state after it is another one"),
        (playing(first=refused("x", "Never.")), 'it was accepted, and is refused: "Never."'),
        (playing(step()), 'event 2 (tally.add): it was refused ("No."), and is accepted'),
        (playing(refused("late", "Nope.")), 'it was refused with "No.", and is with "Nope."'),
        (playing(refused("soon", "No.")), "it was refused by late, and is by soon"),
        (playing(state=b'{"a":1}'), "at the end: state.a: None -> 1"),
        (playing(lines=b"[]"), "the line s1 points 1 was recorded, and is not given"),
        (playing(places=b"[]"), "the place s1 1 False was recorded, and is not given"),
        (playing(lines=b'{"failed":"x"}'), "was recorded, and is not given"),
        (Playing(problem="no such workflow"), "it can't be played: no such workflow"),
    ],
)
def test_a_record_that_is_not_given_again_says_where(played: Playing, said: str) -> None:
    assert said in departure(RECORD, played)


def test_a_verdict_of_another_place_of_the_story_is_not_held_to() -> None:
    moved = replace(RECORD, log=(RECORD.log[0], replace(RECORD.log[1], judged=False)))
    assert departure(moved, playing(step())) == ""


def test_actions_are_compared_where_the_record_names_them() -> None:
    named = replace(RECORD, lines=(EntryLine(key="points", value=1, entry="s1", action="tally.numbers"),))
    assert "tally.numbers" in departure(named, playing())
