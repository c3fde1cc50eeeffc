"""Corpus entries as files: JSON documents that docs/formats.md describes."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

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

#: The member that marks a file as a corpus entry; its value grows with the format.
MARK: Final = "corpusEntry"
FORMAT_NUMBER: Final = 1

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is a corpus entry."""
    return isinstance(document, dict) and MARK in document


def entry_of(document: Mapping[str, Any]) -> CorpusEntry:
    """The entry that a document is. Raises `UnreadableFile` saying what is wrong with it."""
    if document.get(MARK) != FORMAT_NUMBER:
        raise UnreadableFile(
            f"is corpus entry format {document.get(MARK)!r}; this platform reads {FORMAT_NUMBER}"
        )
    try:
        entry = _entry(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableFile(f"is no corpus entry: {type(error).__name__}: {error}") from error
    if problems := list(_problems(entry)):
        raise UnreadableFile(f"is no corpus entry: {'; '.join(problems)}")
    return entry


def document_of(entry: CorpusEntry) -> dict[str, Any]:
    """The entry as JSON data; what is empty is left out."""
    recorded_by = entry.recorded_by
    document = {
        MARK: FORMAT_NUMBER,
        "id": entry.id,
        "what": entry.what or None,
        "workflow": entry.workflow,
        "sport": entry.sport or None,
        "fixtureType": entry.fixture_type,
        "archetype": entry.archetype,
        "formatCode": entry.format_code,
        "format": entry.format,
        "scheduledStart": entry.scheduled_start,
        "fixtureId": entry.fixture_id or None,
        "sides": [_side_document(side) for side in entry.sides],
        "log": [_command_document(command) for command in entry.log],
        "state": entry.state,
        "lines": None if entry.lines is None else [_line_document(line) for line in entry.lines],
        "places": None if entry.places is None else [_place_document(place) for place in entry.places],
        "recordedBy": recorded_by and {"version": recorded_by.version, "codeSha": recorded_by.code_sha},
    }
    return _given(document)


def read_entry(path: Path) -> CorpusEntry:
    """The entry in a file (`.json`, or packed `.json.gz`). Raises `UnreadableFile`, `OSError`."""
    content = path.read_bytes()
    try:
        document = json.loads(gzip.decompress(content) if path.suffix == ".gz" else content)
    except (ValueError, EOFError, gzip.BadGzipFile) as error:
        raise UnreadableFile(f"is not JSON: {error}") from error
    if not takes(document):
        raise UnreadableFile(f"is no corpus entry: it has no member {MARK}")
    return entry_of(document)


def write_entry(path: Path, entry: CorpusEntry) -> None:
    """Write an entry in a layout that a person can read in a diff; packed if the name ends with `.gz`."""
    text = json.dumps(document_of(entry), indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    content = text.encode()
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)


def _entry(document: Mapping[str, Any]) -> CorpusEntry:
    lines, places, by = document.get("lines"), document.get("places"), document.get("recordedBy")
    return CorpusEntry(
        id=document["id"],
        what=document.get("what", ""),
        workflow=document["workflow"],
        sport=document.get("sport", ""),
        fixture_type=document.get("fixtureType", "match"),
        archetype=document.get("archetype", "duel"),
        format_code=document.get("formatCode"),
        format=dict(document.get("format", {})),
        scheduled_start=document.get("scheduledStart"),
        fixture_id=document.get("fixtureId", ""),
        sides=tuple(_side(side) for side in document["sides"]),
        log=tuple(_command(row) for row in document["log"]),
        state=document.get("state"),
        lines=None if lines is None else tuple(_line(line) for line in lines),
        places=None if places is None else tuple(_place(place) for place in places),
        recorded_by=by and RecordedBy(version=by["version"], code_sha=by["codeSha"]),
    )


def _problems(entry: CorpusEntry) -> Iterator[str]:
    if not isinstance(entry.id, str) or not entry.id:
        yield "its id is no text"
    if not isinstance(entry.workflow, str) or not entry.workflow:
        yield "its workflow is no text"
    if not entry.log:
        yield "its log is empty"
    numbers = [command.seq for command in entry.log if command.refused is None]
    if len(set(numbers)) < len(numbers):
        yield "two accepted commands have one seq"
    for command in entry.log:
        if command.digest is not None and not _DIGEST.fullmatch(command.digest):
            yield f"the digest of event {command.seq} is no SHA-256 in hex"


def _side(side: Mapping[str, Any]) -> EntrySide:
    return EntrySide(entry=side["entry"], code=side.get("code"), name=side.get("name"), noc=side.get("noc"))


def _side_document(side: EntrySide) -> dict[str, Any]:
    return _given({"entry": side.entry, "code": side.code, "name": side.name, "noc": side.noc})


def _command(row: Mapping[str, Any]) -> EntryCommand:
    refused = row.get("refused")
    return EntryCommand(
        seq=int(row["seq"]),
        code=row["code"],
        input=dict(row.get("input", {})),
        occurred_at=row.get("occurredAt", ""),
        confirmed=tuple(row.get("confirmed", ())),
        refused=None
        if refused is None
        else EntryRefusal(
            refusal=refused["refusal"], message=refused["message"], reason=refused.get("reason")
        ),
        digest=row.get("digest"),
        judged=bool(row.get("judged", True)),
    )


def _command_document(command: EntryCommand) -> dict[str, Any]:
    refused = command.refused
    told = refused and {"refusal": refused.refusal, "message": refused.message, "reason": refused.reason}
    return _given(
        {
            "seq": command.seq,
            "code": command.code,
            "input": command.input,
            "occurredAt": command.occurred_at or None,
            "confirmed": list(command.confirmed) or None,
            "refused": told and _given(told),
            "digest": command.digest,
            "judged": None if command.judged else False,
        }
    )


def _line(line: Mapping[str, Any]) -> EntryLine:
    return EntryLine(
        key=line["key"],
        value=int(line["value"]),
        entry=line.get("entry"),
        person=line.get("person"),
        segment=line.get("segment"),
        action=line.get("action"),
    )


def _line_document(line: EntryLine) -> dict[str, Any]:
    return _given(
        {
            "key": line.key,
            "value": line.value,
            "entry": line.entry,
            "person": line.person,
            "segment": line.segment,
            "action": line.action,
        }
    )


def _place(place: Mapping[str, Any]) -> EntryPlace:
    return EntryPlace(
        entry=place["entry"],
        rank=place.get("rank"),
        shared=bool(place.get("shared", False)),
        display=place.get("display", ""),
        value=place.get("value"),
    )


def _place_document(place: EntryPlace) -> dict[str, Any]:
    return _given(
        {
            "entry": place.entry,
            "rank": place.rank,
            "shared": place.shared,
            "display": place.display,
            "value": place.value,
        }
    )


def _given(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are there. Inputs and settings keep their nulls: a refusal may be about one."""
    return {name: value for name, value in members.items() if value is not None}
