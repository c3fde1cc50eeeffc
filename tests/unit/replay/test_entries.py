"""Corpus entries as files: what is written is what is read, and what is broken is said."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from omnium_releases.readers.recorded import UnreadableFile
from omnium_releases.replay.entries import (
    CorpusEntry,
    EntryCommand,
    EntryLine,
    EntryPlace,
    EntryRefusal,
    EntrySide,
    RecordedBy,
)
from omnium_releases.replay.entry_documents import document_of, entry_of, read_entry, write_entry

ENTRY = CorpusEntry(
    id="tally-1",
    what="A short one",
    workflow="tally",
    sport="tally",
    format_code="long",
    format={"target": 7, "extra": None},
    scheduled_start="2026-06-14T15:00:00Z",
    fixture_id="f1",
    sides=(EntrySide(entry="s1", code="A", name="Side A", noc="ZZA"), EntrySide(entry="s2")),
    log=(
        EntryCommand(
            seq=1, code="tally.begin", input={}, occurred_at="2026-06-14T15:00:01Z", digest="ab" * 32
        ),
        EntryCommand(
            seq=2,
            code="tally.add",
            input={"entry": "nobody", "amount": None},
            refused=EntryRefusal(refusal="rejected", message="There is no side nobody.", reason="known_side"),
        ),
        EntryCommand(seq=2, code="tally.add", input={"entry": "s1"}, confirmed=("late",), judged=False),
    ),
    state={"points": {"s1": 1}},
    lines=(EntryLine(key="points", value=1, entry="s1", action="tally.lines"),),
    places=(EntryPlace(entry="s1", rank=1, shared=True, display="1", value=1),),
    recorded_by=RecordedBy(version="0.1.0", code_sha="cd" * 32),
)


@pytest.mark.parametrize("name", ["entry.json", "entry.json.gz"])
def test_an_entry_is_read_as_it_was_written(tmp_path: Path, name: str) -> None:
    write_entry(tmp_path / name, ENTRY)
    assert read_entry(tmp_path / name) == ENTRY


def test_the_same_entry_is_always_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.json.gz", "two.json.gz"):
        write_entry(tmp_path / name, ENTRY)
    assert (tmp_path / "one.json.gz").read_bytes() == (tmp_path / "two.json.gz").read_bytes()


def test_what_is_not_known_is_left_out() -> None:
    bare = CorpusEntry(id="x", workflow="tally", sides=(), log=ENTRY.log[:1])
    document = document_of(bare)
    assert {"state", "lines", "places", "recordedBy", "what", "formatCode"} & document.keys() == set()
    assert entry_of(json.loads(json.dumps(document))) == bare


def test_nulls_in_inputs_and_settings_stay_since_a_refusal_may_be_about_one() -> None:
    document = document_of(ENTRY)
    assert document["log"][1]["input"] == {"entry": "nobody", "amount": None}
    assert document["format"] == {"target": 7, "extra": None}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"corpusEntry": 2}, "format 2"),
        ({"log": []}, "its log is empty"),
        ({"id": ""}, "its id is no text"),
        ({"workflow": 7}, "its workflow is no text"),
        ({"sides": None}, "TypeError"),
        ({"log": [{"seq": 1}]}, "'code'"),
        ({"log": [{"seq": 1, "code": "tally.begin", "digest": "xyz"}]}, "is no SHA-256"),
        ({"log": [{"seq": 1, "code": "a.b"}, {"seq": 1, "code": "a.b"}]}, "have one seq"),
    ],
)
def test_a_broken_entry_says_what_is_wrong(change: dict[str, object], said: str) -> None:
    with pytest.raises(UnreadableFile, match=said):
        entry_of({**document_of(ENTRY), **change})


def test_a_file_that_is_no_entry_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(UnreadableFile, match="no member corpusEntry"):
        read_entry(tmp_path / "a.json")
    with pytest.raises(UnreadableFile, match="is not JSON"):
        read_entry(tmp_path / "b.json")


def test_two_refused_commands_may_have_one_number() -> None:
    refused = ENTRY.log[1]
    twice = replace(ENTRY, log=(ENTRY.log[0], refused, refused))
    assert entry_of(document_of(twice)) == twice
