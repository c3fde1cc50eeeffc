"""What a mask keeps, what it replaces, and that replacing is consistent."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from omnium_releases.corpus.masks import CannotMask, Mask
from omnium_releases.corpus.names import Names
from omnium_releases.corpus.pseudonyms import PseudonymKey
from omnium_releases.corpus.schemas import Kind, Place
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntryRefusal, EntrySide
from omnium_releases.replay.entry_documents import document_of

KEY = PseudonymKey(b"k" * 32)
FIXTURE = uuid.UUID(int=7)
HOME, AWAY = str(uuid.UUID(int=2)), str(uuid.UUID(int=1))
SCHEMA: Mapping[str, Any] = {
    "$defs": {"Kind": {"enum": ["open_play", "own_goal"], "type": "string"}},
    "properties": {
        "kind": {"anyOf": [{"$ref": "#/$defs/Kind"}, {"type": "null"}]},
        "entry": {"type": "string"},
        "scorer": {"type": "string", "maxLength": 128},
        "squad": {"type": "array", "items": {"type": "string"}},
        "window": {"type": "string", "maxLength": 6},
        "mark": {"type": "string"},
        "noc": {"type": "string", "pattern": "^[A-Z]{3}$"},
        "keptBy": {"additionalProperties": {"type": "integer"}},
        "byPeriod": {"propertyNames": {"enum": ["first"]}, "additionalProperties": {"type": "integer"}},
        "notes": {"type": "object", "additionalProperties": True},
        "resumesAt": {"type": "string", "format": "date-time"},
    },
}
NAMES = Names(
    all=frozenset({"Alpha", "AAA", "ALF", "Ann", "10", "Cup", str(FIXTURE)}),
    persons=frozenset({"Ann", "10"}),
)
PROGRAM = {
    "commands": [{"code": "ball.hit", "input": SCHEMA}],
    "validations": [{"name": "once"}],
    "formatSchema": {"properties": {}},
}


def match(*given: Mapping[str, Any], **facts: Any) -> CorpusEntry:
    log = [
        EntryCommand(seq=number, code="ball.hit", input=one, occurred_at="2026-06-14T18:30:00.5Z")
        for number, one in enumerate(given, 1)
    ]
    sides = (
        EntrySide(entry=HOME, code="AAA", name="Alpha", noc="ALF"),
        EntrySide(entry=AWAY, code="BBB", name="Beta"),
    )
    return CorpusEntry(
        id=str(FIXTURE), fixture_id=str(FIXTURE), workflow="ball", sides=sides, log=tuple(log), **facts
    )


def mask(entry: CorpusEntry, program: Mapping[str, Any] | None = PROGRAM) -> CorpusEntry:
    return Mask.of(entry, NAMES, KEY, program=program).masked()


def masked(*given: Mapping[str, Any], **facts: Any) -> list[Mapping[str, Any]]:
    return [command.input for command in mask(match(*given, **facts)).log]


def test_words_of_the_rules_numbers_and_marks_stay() -> None:
    kept = {"kind": "own_goal", "mark": "1:52.34", "minute": 7, "late": True, "nothing": ""}
    assert masked({name: value for name, value in kept.items() if name in ("kind", "mark")}) == [
        {"kind": "own_goal", "mark": "1:52.34"}
    ]
    [given] = masked({"keptBy": {"x": 7}, "byPeriod": {"first": 1}})
    assert given["byPeriod"] == {"first": 1}
    assert list(given["keptBy"].values()) == [7]
    assert "x" not in given["keptBy"]


def test_whatever_else_is_typed_is_a_pseudonym_everywhere_the_same() -> None:
    first, second = masked({"scorer": "Ann", "squad": ["Ann", "Bea"]}, {"scorer": "Bea"})
    assert first["squad"] == [first["scorer"], second["scorer"]]
    assert first["scorer"].startswith("p-")
    assert first["scorer"] != second["scorer"]


def test_a_number_that_is_somebody_is_a_pseudonym_too() -> None:
    [given] = masked({"scorer": "10", "squad": ["10", "11"], "mark": "12.5"})
    assert given["squad"][0] == given["scorer"] != "10"
    assert [one[:2] for one in given["squad"]] == ["p-", "p-"]
    assert given["mark"] == "12.5"


@pytest.mark.parametrize("mark", ["1:52.34", "9.81", "-1.2", "2:03:04.567", "21-19", "45+2", "3/5", "7,32"])
def test_marks_stay(mark: str) -> None:
    assert masked({"mark": mark}) == [{"mark": mark}]


@pytest.mark.parametrize("text", ["10488231", "7", "2001-04-05", "+33 6 12 34", "123-456-789", "1.5 m"])
def test_what_only_looks_like_a_mark_does_not(text: str) -> None:
    assert masked({"mark": text})[0]["mark"].startswith("p-")


def test_a_text_of_a_pattern_stays_unless_it_is_a_name() -> None:
    ours, theirs = masked({"noc": "ALF"}, {"noc": "GER"})
    assert theirs["noc"] == "GER"
    assert ours["noc"].startswith("p-")


def test_names_that_the_rules_do_not_list_are_pseudonyms_and_python_names_are_known() -> None:
    typo, python = masked({"Ann": 491711234567}, {"kept_by": {}})
    assert [(name[:2], value[:2]) for name, value in typo.items()] == [("p-", "p-")]
    assert python == {"kept_by": {}}
    [given] = masked({"notes": {"Ann": 7, "who": "Ann"}})
    assert sorted(map(str, given["notes"].values()))[0] == "7"
    assert "Ann" not in json.dumps(given)


def test_what_a_sender_confirmed_stays_as_far_as_it_names_rules() -> None:
    entry = match({"mark": "9.81"})
    confirmed = replace(entry, log=(replace(entry.log[0], confirmed=("once", "Ann said so")),))
    assert [command.confirmed for command in mask(confirmed).log] == [("once",)]


def test_a_pseudonym_is_no_longer_than_its_field() -> None:
    [given] = masked({"window": "drinks"})
    assert len(given["window"]) == 6
    assert given["window"].startswith("p-")


def test_a_match_is_moved_by_whole_days_to_one_day() -> None:
    given = match({"resumesAt": "2026-06-15T10:00:00Z"}, scheduled_start="2026-06-14T18:00:00Z")
    entry = mask(given)
    assert entry.log[0].occurred_at == "2000-01-03T18:30:00.5Z"
    assert entry.scheduled_start == "2000-01-03T18:00:00Z"
    assert entry.log[0].input["resumesAt"] == "2000-01-04T10:00:00Z"


def test_sides_keep_the_order_of_their_ids_and_lose_all_that_they_are_called() -> None:
    entry = mask(match({"entry": HOME}, format_code="cup-2026"))
    assert [side.entry for side in entry.sides] == ["side-2", "side-1"]
    assert entry.log[0].input == {"entry": "side-2"}
    text = json.dumps(document_of(entry))
    assert [name for name in ("Alpha", "AAA", "Beta", "ALF", HOME, str(FIXTURE), "cup") if name in text] == []
    assert entry.id == entry.fixture_id == mask(match({})).id


def test_a_refused_command_that_the_release_does_not_have_is_left_out() -> None:
    given = match({"scorer": "Ann"})
    typed = EntryCommand(
        seq=2, code="ball.ann", input={}, refused=EntryRefusal(refusal="rejected", message="no")
    )
    with_it = replace(given, log=(*given.log, typed))
    assert [command.code for command in mask(with_it).log] == ["ball.hit"]


def test_without_its_program_nothing_can_be_told() -> None:
    with pytest.raises(CannotMask):
        mask(match({"scorer": "Ann"}), None)


def test_places_follow_references_unions_and_tuples() -> None:
    place = Place.top({"properties": {"pair": {"prefixItems": [{"const": "a"}, {"pattern": "^b+$"}]}}})
    pair = place.member("pair")
    assert pair is not None
    kinds = [pair.item(0).kind("a"), pair.item(1).kind("bb"), pair.item(1).kind("a")]
    assert kinds == [Kind.WORD, Kind.FORM, Kind.FREE]
    assert pair.item(2).schemas == ()
    assert place.member("pairs") is None
