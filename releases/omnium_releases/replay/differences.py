"""Differences: one place where two releases part, with its key, what was and what is."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import zip_longest
from typing import Any, Final, TypeAlias

#: What a value that is not there is called.
ABSENT: Final = "absent"
#: Longer values are cut in reports.
LONGEST: Final = 300
_NOTHING: Final = object()


class Kind(StrEnum):
    """What parts."""

    VERDICT = "verdict"
    STATE = "state"
    LINE = "line"
    PLACE = "place"
    STAT = "stat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first point of a match at which a key has another value.

    `keys` are the names by which a declared change may cover it, the first for people. `where` says of whom a
    number is. `event` is the seq of the command behind which it shows, `times` behind how many it does.
    `declared` is the change that covers it, empty if none does.
    """

    match: str
    sport: str
    kind: Kind
    keys: tuple[str, ...]
    old: str
    new: str
    where: str = ""
    event: int = 0
    command: str = ""
    times: int = 1
    declared: str = ""

    @property
    def key(self) -> str:
        """Its name for people."""
        return self.keys[0]

    def sentence(self) -> str:
        """All of it in one line."""
        if self.kind is Kind.STAT:
            return f"{self.sport}: {self.key} {self.old} -> {self.new}"
        place = f"{self.match} event {self.event} ({self.command})"
        if self.kind is Kind.VERDICT:
            return f"{place}: {self.old} -> {self.new} [{self.key}]"
        whose = f" ({self.where})" if self.where else ""
        return f"{place}: {self.key}{whose} {self.old} -> {self.new}"

    def as_data(self) -> dict[str, Any]:
        """The difference in a report."""
        return {
            "match": self.match,
            "sport": self.sport,
            "event": self.event,
            "command": self.command,
            "kind": str(self.kind),
            "key": self.key,
            "where": self.where,
            "old": self.old,
            "new": self.new,
            "times": self.times,
            "declared": self.declared,
            "sentence": self.sentence(),
        }

    def covered_by(self, what: str) -> Difference:
        """The same, declared."""
        return replace(self, declared=what)


#: Path, old and new value.
Parting: TypeAlias = tuple[str, str, str]


def partings(old: Any, new: Any) -> list[Parting]:
    """Every place where two different JSON values part: members by name, items by number from 0."""
    # Python holds 1 and true for the same; only where that is all that parts is every leaf looked at
    return list(_partings(old, new, "", operator.eq)) or list(_partings(old, new, "", _is_one_text))


def _partings(old: Any, new: Any, path: str, is_same: Callable[[Any, Any], bool]) -> Iterator[Parting]:
    if is_same(old, new):
        return
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [(name, old.get(name, _NOTHING), new.get(name, _NOTHING)) for name in sorted({*old, *new})]
    elif isinstance(old, list) and isinstance(new, list):
        longest = zip_longest(old, new, fillvalue=_NOTHING)
        pairs = [(str(number), *pair) for number, pair in enumerate(longest)]
    else:
        yield path, shown(old), shown(new)
        return
    for name, was, is_ in pairs:
        yield from _partings(was, is_, f"{path}.{name}" if path else name, is_same)


def _is_one_text(old: Any, new: Any) -> bool:
    return old is new or shown(old) == shown(new)


def shown(value: Any) -> str:
    """A value in a report: compact JSON, cut where it is long."""
    if value is _NOTHING:
        return ABSENT
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
