"""Two playings of one match: where their judgements part, and with the values, in which keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from omnium_proto.replay_pb2 import ReplayJudged, ReplayValues
from omnium_releases.replay.differences import ABSENT, Difference, Kind, Parting, partings
from omnium_releases.replay.entries import CorpusEntry


@dataclass(frozen=True, slots=True)
class Playing:
    """What a release made of a match, command by command. `problem`: why it can't be played at all."""

    judged: Sequence[ReplayJudged] = ()
    problem: str = ""
    end: ReplayValues | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One command under one release: the judgement and the values behind it."""

    judged: ReplayJudged
    values: ReplayValues


def first_parting(old: Sequence[ReplayJudged], new: Sequence[ReplayJudged], *, upto: int) -> int | None:
    """The place in the log of the first command behind which anything differs."""
    if old == new:
        return None
    pairs = zip(old[:upto], new[:upto], strict=True)
    return next((place for place, (was, is_) in enumerate(pairs) if was != is_), None)


def rows_part(old: ReplayJudged, new: ReplayJudged) -> bool:
    """Whether lines or places differ."""
    return (old.lines, old.places) != (new.lines, new.places)


@dataclass(slots=True)
class Comparison:
    """Differences of one match: each key where it first shows, and how often it does."""

    entry: CorpusEntry
    found: dict[tuple[Kind, str, str], Difference] = field(default_factory=dict)

    def add(self, place: int, old: Step, new: Step) -> None:
        """The command at this place of the log, under both."""
        for kind, keys, where, was, is_ in _steps(self.entry, place, old, new):
            slot = (kind, keys[0], where)
            known = self.found.get(slot)
            if known is None:
                self.found[slot] = self._difference(place, kind, keys, where=where, old=was, new=is_)
            else:
                self.found[slot] = replace(known, times=known.times + 1)

    @property
    def differences(self) -> list[Difference]:
        """All of them, in the order of the story."""
        return list(self.found.values())

    def _difference(
        self, place: int, kind: Kind, keys: tuple[str, ...], *, where: str, old: str, new: str
    ) -> Difference:
        command = self.entry.log[place]
        return Difference(
            match=self.entry.id,
            sport=self.entry.workflow,
            kind=kind,
            keys=keys,
            where=where,
            old=old,
            new=new,
            event=command.seq,
            command=command.code,
        )


#: Kind, keys, of whom, old, new.
_Found = tuple[Kind, tuple[str, ...], str, str, str]


def _steps(entry: CorpusEntry, place: int, old: Step, new: Step) -> Iterator[_Found]:
    was, is_ = old.judged, new.judged
    if said(was) != said(is_):
        yield Kind.VERDICT, _verdict_keys(entry.log[place].code, was, is_), "", *_sentences(was, is_)
    if was.state != is_.state:
        for path, before, after in partings(*map(orjson.loads, (old.values.state, new.values.state))):
            yield Kind.STATE, (path,), "", before, after
    if was.lines != is_.lines:
        yield from _lines(old.values.lines, new.values.lines)
    if was.places != is_.places:
        yield from _places(old.values.places, new.values.places)


def said(judged: ReplayJudged) -> tuple[bool, str, str, str]:
    """The verdict: what the sender would be told."""
    return judged.accepted, judged.refusal, judged.reason, judged.message


def _verdict_keys(code: str, was: ReplayJudged, is_: ReplayJudged) -> tuple[str, ...]:
    """What may be declared: the rule that says no, under either release."""
    keys = [_refusal_key(code, judged) for judged in (was, is_) if not judged.accepted]
    return tuple(dict.fromkeys(keys))


def _refusal_key(code: str, judged: ReplayJudged) -> str:
    match judged.refusal:
        case "rejected" | "confirm":
            return f"rules.{judged.reason}"
        case "input":
            return f"inputs.{code}"
        case _:
            return f"commands.{code}"


def _sentences(was: ReplayJudged, is_: ReplayJudged) -> tuple[str, str]:
    old, new = _sentence(was), _sentence(is_)
    if old == new:  # the same words of another rule, or as another kind of no
        return f"{old} by {was.refusal} {was.reason}", f"{new} by {is_.refusal} {is_.reason}"
    return old, new


def _sentence(judged: ReplayJudged) -> str:
    return "accepted" if judged.accepted else f'refused "{judged.message}"'


def _lines(old: bytes, new: bytes) -> Iterator[_Found]:
    was, is_ = orjson.loads(old), orjson.loads(new)
    if isinstance(was, dict) or isinstance(is_, dict):  # one of them could not be made
        yield from _parted(Kind.LINE, "lines", partings(was, is_))
        return
    before, after = _numbers(was), _numbers(is_)
    for number in sorted(before.keys() | after.keys()):
        *of, fact = number
        values = before.get(number), after.get(number)
        if values[0] != values[1]:
            was_sum, is_sum = map(_sum, values)
            yield Kind.LINE, (fact, f"lines.{fact}"), " ".join(filter(None, of)), was_sum, is_sum


def _numbers(lines: Sequence[Mapping[str, Any]]) -> dict[tuple[str, ...], list[int]]:
    """Values by entry, person, segment and fact; which action gave them is the release's own business."""
    found: dict[tuple[str, ...], list[int]] = {}
    for line in lines:
        subject = tuple(str(line.get(name) or "") for name in ("entry", "person", "segment"))
        found.setdefault((*subject, line["key"]), []).append(line["value"])
    return {number: sorted(values) for number, values in found.items()}


def _sum(values: list[int] | None) -> str:
    return ABSENT if values is None else " and ".join(map(str, values))


def _places(old: bytes, new: bytes) -> Iterator[_Found]:
    was, is_ = orjson.loads(old), orjson.loads(new)
    if isinstance(was, dict) or isinstance(is_, dict):
        yield from _parted(Kind.PLACE, "places", partings(was, is_))
        return
    yield from _parted(Kind.PLACE, "places", partings(_by_entry(was), _by_entry(is_)))


def _by_entry(places: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {place["entry"]: place for place in places}


def _parted(kind: Kind, root: str, found: Sequence[Parting]) -> Iterator[_Found]:
    for path, before, after in found:
        yield kind, (f"{root}.{path}" if path else root,), "", before, after
