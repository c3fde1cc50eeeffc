"""Other recordings as corpus entries: goldens, and matches that a reader found in a public file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from omnium_releases.playing import in_entries
from omnium_releases.readers.recorded import RecordedMatch, UnreadableFile
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntryLine, EntryPlace, EntrySide

#: The fixture's id under which goldens are played (`omnium_contract.testing`).
_GOLDEN_FIXTURE: Final = "fixture"
#: When a match began whose file says nothing of it.
_LONG_AGO: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)


def golden_entry(golden: Mapping[str, Any], *, id: str) -> CorpusEntry:  # noqa: A002 - an entry's own word
    """The entry of a golden, with the digest that it has after every event. Raises `UnreadableFile`."""
    try:
        return CorpusEntry(
            id=id,
            what=golden.get("what", ""),
            workflow=golden["workflow"],
            sport=golden["workflow"],
            fixture_type=golden["fixtureType"],
            archetype=golden["archetype"],
            format=golden["format"],
            fixture_id=_GOLDEN_FIXTURE,
            sides=tuple(
                EntrySide(entry=side["entry"], code=side.get("code"), name=side.get("name"))
                for side in golden["sides"]
            ),
            log=tuple(_golden_log(golden)),
            state=golden["state"],
            lines=tuple(line for told in golden["lines"] for line in _golden_lines(told)),
            places=tuple(EntryPlace(**place) for place in golden["places"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise UnreadableFile(f"is no golden: {type(error).__name__}: {error}") from error


def recorded_entry(match: RecordedMatch, *, id: str) -> CorpusEntry:  # noqa: A002 - as above
    """The entry of a match from a public file: a log of accepted commands, and no end to hold it to."""
    entries = {side.code: side.code for side in match.sides}
    return CorpusEntry(
        id=id,
        what=match.name,
        workflow=match.sport,
        sport=match.sport,
        fixture_type=match.fixture_type,
        archetype=match.archetype,
        format=match.format,
        sides=tuple(
            EntrySide(entry=side.code, code=side.code, name=side.name, noc=side.noc) for side in match.sides
        ),
        log=tuple(
            EntryCommand(
                seq=number,
                code=command.code,
                input=in_entries(command.input, entries),
                occurred_at=command.occurred_at or _moment(command.offset_s),
                confirmed=command.confirm,
            )
            for number, command in enumerate(match.commands, 1)
        ),
    )


def _golden_log(golden: Mapping[str, Any]) -> Iterator[EntryCommand]:
    for row, digest in zip(golden["log"], golden["digests"], strict=True):
        yield EntryCommand(
            seq=row["seq"],
            code=row["code"],
            input=row["input"],
            occurred_at=row["occurredAt"],
            confirmed=tuple(row.get("confirmed", ())),
            digest=digest,
        )


def _golden_lines(line: Mapping[str, Any]) -> Iterator[EntryLine]:
    for key, value in line["values"].items():
        yield EntryLine(
            key=key,
            value=value,
            entry=line.get("entry"),
            person=line.get("person"),
            segment=line.get("segment"),
        )


def _moment(offset_s: float) -> str:
    return (_LONG_AGO + timedelta(seconds=offset_s)).isoformat().replace("+00:00", "Z")
