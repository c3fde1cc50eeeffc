"""Masks: the same match with pseudonyms for all that could say whose it is, before any rule has seen it.

What stays is what the rules themselves list (words of an enumeration, names of fields), numbers, texts of a
form that the rules give (a pattern) and marks (1:52.34, 21-19, 45+2), as long as they are nobody's name.
Everything else is a pseudonym: what is not known to be harmless is taken to be a name, a bare number too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Final

from omnium_releases.corpus.moments import moment, parsed
from omnium_releases.corpus.names import Names
from omnium_releases.corpus.pseudonyms import PseudonymKey, Pseudonyms
from omnium_releases.corpus.schemas import Kind, Place
from omnium_releases.replay.entries import CorpusEntry, EntryCommand, EntrySide

#: Every match is moved to this day, by whole days: its date would name it.
DAY: Final = date(2000, 1, 3)
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)")
#: A time, a distance, a score: no more digits together than those have, so no licence, date or telephone.
_MARK: Final = re.compile(r"[+-]?\d{1,3}([:.,]\d{1,3}){1,3}|\d{1,3}[-+/]\d{1,3}")


class CannotMask(Exception):
    """Something of the match can't be masked; the message says what, and names nobody."""


@dataclass(slots=True)
class Mask:
    """What stands for each text of one match."""

    entry: CorpusEntry
    names: Names
    program: Mapping[str, Any] | None
    pseudonyms: Pseudonyms
    shift: timedelta
    entries: Mapping[str, str]
    _words: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        names = "|".join(re.escape(name.casefold()) for name in sorted(self.names.all) if name)
        self._words = re.compile(rf"(?<!\w)(?:{names or '(?!)'})(?!\w)")

    @classmethod
    def of(
        cls, entry: CorpusEntry, names: Names, key: PseudonymKey, *, program: Mapping[str, Any] | None
    ) -> Mask:
        """The mask of a match under a key; `program` is its workflow's, of the release that judges it."""
        # in the order of their ids, so that a tie that sorted keys break is broken as before
        entries = sorted(side.entry for side in entry.sides)
        width = len(str(len(entries)))
        return cls(
            entry=entry,
            names=names,
            program=program,
            pseudonyms=Pseudonyms(key, names.identities),
            shift=_shift(entry),
            entries={entry: f"side-{number:0{width}}" for number, entry in enumerate(entries, 1)},
        )

    def masked(self) -> CorpusEntry:
        """The match without its names, and without its end: that is what a fold of this log gives."""
        entry, program = self.entry, self.program
        if program is None:
            raise CannotMask(f"the release has no workflow {entry.workflow}")
        inputs = {command["code"]: command["input"] for command in program["commands"]}
        rules = frozenset(rule["name"] for rule in program["validations"])
        known = [command for command in entry.log if command.refused is None or command.code in inputs]
        name = self.pseudonyms.of(entry.fixture_id or entry.id).replace("p-", "m-", 1)
        return CorpusEntry(
            id=name,
            fixture_id=name,
            workflow=entry.workflow,
            sport=entry.sport,
            fixture_type=entry.fixture_type,
            archetype=entry.archetype,
            format_code=self._code(entry.format_code),
            format=self._value(entry.format, Place.top(program.get("formatSchema"))),
            scheduled_start=entry.scheduled_start and self._moved(entry.scheduled_start),
            sides=tuple(self._side(side) for side in entry.sides),
            log=tuple(self._command(command, inputs.get(command.code), rules) for command in known),
            recorded_by=entry.recorded_by,
        )

    def _side(self, side: EntrySide) -> EntrySide:
        return EntrySide(
            entry=self.entries[side.entry],
            code=side.code and self.pseudonyms.of(side.code),
            name=side.name and self.pseudonyms.of(side.name),
            noc=side.noc and self.pseudonyms.of(side.noc),
        )

    def _command(
        self, command: EntryCommand, schema: Mapping[str, Any] | None, rules: frozenset[str]
    ) -> EntryCommand:
        return replace(
            command,
            input=self._value(command.input, Place.top(schema)),
            # a refused command has what its sender typed there
            confirmed=tuple(name for name in command.confirmed if name in rules),
            occurred_at=command.occurred_at and self._moved(command.occurred_at),
            digest=None,
        )

    def _value(self, value: Any, place: Place) -> Any:
        match value:
            case str():
                return self._text(value, place)
            case Mapping():
                return dict(self._member(name, item, place) for name, item in value.items())
            case list() | tuple():
                return [self._value(item, place.item(number)) for number, item in enumerate(value)]
            case _:
                return value

    def _member(self, name: str, value: Any, place: Place) -> tuple[str, Any]:
        known = place.member(name)
        if known is not None:
            return name, self._value(value, known)
        unlisted = place.any_member()
        # where the rules take no such member, whatever it holds is refused: not even a number has to stay
        given = self._value(value, unlisted) if unlisted.schemas else self.pseudonyms.of(json.dumps(value))
        return self._text(name, place.names()), given

    def _text(self, text: str, place: Place) -> str:
        if text in self.entries:
            return self.entries[text]
        kind = place.kind(text)
        if not text or kind is Kind.WORD:
            return text
        if _MOMENT.fullmatch(text):
            return self._moved(text)
        if kind is Kind.FORM and not self._names_somebody(text):
            return text
        if _MARK.fullmatch(text) and text not in self.names.persons:
            return text
        return self.pseudonyms.of(text)[: place.longest()]

    def _names_somebody(self, text: str) -> bool:
        return self._words.search(text.casefold()) is not None

    def _code(self, code: str | None) -> str | None:
        """The code of a format says by which settings, unless somebody's name is in it."""
        return self.pseudonyms.of(code) if code and self._names_somebody(code) else code

    def _moved(self, text: str) -> str:
        return moment(parsed(text) + self.shift)


def _shift(entry: CorpusEntry) -> timedelta:
    """Whole days from the first event to `DAY`."""
    first = next((parsed(command.occurred_at) for command in entry.log if command.occurred_at), None)
    return timedelta() if first is None else timedelta(days=(DAY - first.date()).days)
