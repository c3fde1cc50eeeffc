"""What two folds of one match differ in, and a digest of it that only another difference changes.

A match goes on while somebody looks at a preview, so a difference is known by its *mark*, which an event that
both folds count alike leaves as it is: of numbers by how far they are apart, of rows of a list by their
content, of what only one fold has by its name, of all else by both values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from difflib import SequenceMatcher
from typing import Any, Final, Literal

import orjson

from omnium_store.statuses import Standing
from omnium_worker import canonical_fast
from omnium_worker.rows import LineRow, PlaceRow

Part = Literal["status", "state", "places", "lines"]

PARTS: Final[tuple[Part, ...]] = ("status", "state", "places", "lines")
#: Ends the mark of a number of lines that only one of the releases gives.
_ONLY: Final = "only"
#: Above this much work lists are compared place by place: a preview must not hold a worker.
_MOST_MATCHING: Final = 250_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that is otherwise. `of` says whose it is, `mark` is what it is known by in the digest."""

    part: Part
    key: str
    before: Any
    after: Any
    mark: Sequence[Any]
    of: Mapping[str, str] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """For people and programs."""
        return {"part": self.part, "key": self.key, **self.of, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A logged command that the rules would refuse now; `reason` is the rule's name or the refusal's."""

    seq: int
    code: str
    reason: str
    sentence: str

    def as_data(self) -> dict[str, Any]:
        """For people and programs."""
        return {"seq": self.seq, "code": self.code, "reason": self.reason, "sentence": self.sentence}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A match as one release tells it. `declared`: the numbers that its lines may hold, as (action, key).

    Where that is not known of a release (its program was written in another form) nothing is declared.
    """

    state: bytes
    lines: frozenset[LineRow]
    places: frozenset[PlaceRow]
    standing: Standing
    declared: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """All that another release makes of a match."""

    found: tuple[Difference, ...]
    conflicts: tuple[Conflict, ...]

    def digest(self, *of: str) -> str:
        """Hex SHA-256 of the differences and of what they are between."""
        known = [(one.mark, canonical_fast.dumps([one.part, *one.mark]).decode()) for one in self.found]
        # a number that only one release has is one difference, however many have it; equal rows are several
        columns = {text for mark, text in known if mark[-1] == _ONLY}
        marks = sorted([*columns, *(text for mark, text in known if mark[-1] != _ONLY)])
        conflicts = [[one.seq, one.reason, one.sentence] for one in self.conflicts]
        return canonical_fast.digest(canonical_fast.dumps([list(of), marks, conflicts])).hex()

    def counts(self) -> dict[str, int]:
        """How many of each part."""
        counted: dict[str, int] = {part: sum(one.part == part for one in self.found) for part in PARTS}
        return {**counted, "conflicts": len(self.conflicts)}

    def as_data(self, most: int) -> dict[str, Any]:
        """The first of them, at most so many of either; `leftOut` says how many there are more."""
        found, conflicts = self.found, self.conflicts
        return {
            "differences": [one.as_data() for one in found[:most]],
            "conflicts": [one.as_data() for one in conflicts[:most]],
            "leftOut": max(0, len(found) - most) + max(0, len(conflicts) - most),
        }


def between(before: Told, after: Told, conflicts: Iterable[Conflict] = ()) -> Differences:
    """What `after` has otherwise than `before`, and the conflicts that come with it."""
    found = (
        *_standings(before.standing, after.standing),
        *_values("", orjson.loads(before.state), orjson.loads(after.state)),
        *_places(before.places, after.places),
        *_lines(before, after),
    )
    return Differences(found=found, conflicts=tuple(conflicts))


def _standings(before: Standing, after: Standing) -> Iterator[Difference]:
    pairs = (("status", str(before.status), str(after.status)), ("official", before.official, after.official))
    for key, was, will in pairs:
        if was != will:
            yield Difference(part="status", key=key, before=was, after=will, mark=[key, was, will])


def _values(path: str, before: Any, after: Any) -> Iterator[Difference]:
    """Differences of two parsed states. A member that is not there is null."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in sorted(before.keys() | after.keys()):
            yield from _values(_below(path, name), before.get(name), after.get(name))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _lists(path, before, after)
    elif not _is_same(before, after):
        mark = [path, *_mark(before, after)]
        yield Difference(part="state", key=path, before=before, after=after, mark=mark)


def _lists(path: str, before: list[Any], after: list[Any]) -> Iterator[Difference]:
    for was_from, was_to, will_from, will_to in _blocks(before, after):
        was, will = before[was_from:was_to], after[will_from:will_to]
        if len(was) == len(will):
            for number, (one, other) in enumerate(zip(was, will, strict=True), will_from):
                yield from _values(_below(path, number), one, other)
            continue
        for number, one in enumerate(was, was_from):
            yield _row(path, number, before=one)
        for number, one in enumerate(will, will_from):
            yield _row(path, number, after=one)


def _row(path: str, number: int, *, before: Any = None, after: Any = None) -> Difference:
    """A row that only one of two lists has, wherever in the list it stands."""
    mark = [path, "row", before, after]
    return Difference(part="state", key=_below(path, number), before=before, after=after, mark=mark)


def _blocks(before: list[Any], after: list[Any]) -> Iterator[tuple[int, int, int, int]]:
    """Where two lists differ. What they begin and end with alike is set aside: it grows with the match."""
    was, will = ([canonical_fast.dumps(item) for item in items] for items in (before, after))
    least = min(len(was), len(will))
    head = next((n for n in range(least) if was[n] != will[n]), least)
    rest = least - head
    tail = next((n for n in range(rest) if was[-1 - n] != will[-1 - n]), rest)
    was, will = was[head : len(was) - tail], will[head : len(will) - tail]
    if len(was) * len(will) > _MOST_MATCHING:
        yield head, head + len(was), head, head + len(will)
        return
    for tag, i, j, k, m in SequenceMatcher(None, was, will, autojunk=False).get_opcodes():
        if tag != "equal":
            yield head + i, head + j, head + k, head + m


def _places(before: Iterable[PlaceRow], after: Iterable[PlaceRow]) -> Iterator[Difference]:
    was, will = ({row.entry: row for row in rows} for rows in (before, after))
    for entry in sorted(was.keys() | will.keys()):
        one, other = was.get(entry), will.get(entry)
        if one != other:
            yield Difference(
                part="places",
                key="place",
                before=_place(one),
                after=_place(other),
                mark=[entry, *_place_mark(one, other)],
                of={"entry": entry},
            )


def _place(row: PlaceRow | None) -> dict[str, Any] | None:
    if row is None:
        return None
    return {"rank": row.rank, "shared": row.shared, "display": row.display, "value": row.value}


def _place_mark(before: PlaceRow | None, after: PlaceRow | None) -> list[Any]:
    """Rank and tie by both; the value by how far apart; the text, which shows the value, by being another."""
    if before is None or after is None:
        return ["one", before.rank if before else None, after.rank if after else None]
    return [
        [before.rank, after.rank],
        [before.shared, after.shared],
        _mark(before.value, after.value),
        before.display != after.display,
        after.sort - before.sort,
    ]


def _lines(before: Told, after: Told) -> Iterator[Difference]:
    was, will = ({row[:5]: row.value for row in told.lines} for told in (before, after))
    shared = before.declared & after.declared if before.declared else after.declared
    for subject in sorted(was.keys() | will.keys(), key=_in_order):
        if was.get(subject) != will.get(subject):
            yield _line(subject, was.get(subject), will.get(subject), shared)


def _in_order(subject: tuple[str | None, ...]) -> tuple[str, ...]:
    return tuple(part or "" for part in subject)


def _line(
    subject: tuple[str, str | None, str | None, str | None, str],
    was: int | None,
    will: int | None,
    shared: frozenset[tuple[str, str]],
) -> Difference:
    action, entry, person, segment, key = subject
    whose = {"action": action, "entry": entry, "person": person, "segment": segment}
    is_common = (action, key) in shared
    return Difference(
        part="lines",
        key=key,
        before=was,
        after=will,
        mark=[*subject, *_mark(was, will)] if is_common else [action, key, _ONLY],
        of={name: value for name, value in whose.items() if value is not None},
    )


def _mark(before: Any, after: Any) -> list[Any]:
    """How two values that differ are known to differ; a number that is not there yet is as good as 0."""
    if all(value is None or _is_number(value) for value in (before, after)):
        return ["by", str((_decimal(after) - _decimal(before)).normalize())]
    if before is None and isinstance(after, dict | list):
        return ["appears"]
    if after is None and isinstance(before, dict | list):
        return ["goes"]
    return ["is", before, after]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _decimal(value: float | None) -> Decimal:
    """Exact, so that the distance of two numbers is the same wherever they stand."""
    return Decimal(repr(value or 0))


def _is_same(before: Any, after: Any) -> bool:
    return type(before) is type(after) and bool(before == after)


def _below(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)
