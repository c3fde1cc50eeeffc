"""`omnium why`: which event made a value of a match what it is, whose it was, and under which release.

The log is folded from nothing by the release that the match is pinned to, and the value is looked at after
every event: the last one after which it was another is the cause.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from omnium_releases.corpus.logged import LoggedMatch
from omnium_releases.corpus.performances import Stage, Standing
from omnium_releases.replay.entries import EntryCommand
from omnium_store.errors import NotFound

#: Nothing is there: not the same as a null, which canonical JSON does not hold.
ABSENT: Final = None
#: The first part of a key that asks for a side's rank.
PLACE: Final = "place"
Found: TypeAlias = "tuple[bool, Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """What made a value. `seq` None: it is as the match began. `rules` judged the command."""

    key: str
    value: Any
    before: Any
    changes: int
    release: str
    seq: int | None = None
    code: str | None = None
    title: str | None = None
    input: Mapping[str, Any] | None = None
    at: str | None = None
    actor: str | None = None
    sender: str | None = None
    judged_by: str | None = None
    rules: tuple[str, ...] = ()
    overruled: tuple[str, ...] = ()
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A key, read for one match: a path into the state, a fact of somebody, or the place of a side."""

    key: str
    segment: str | None
    facts: frozenset[str]
    known: Mapping[str, str]

    def ask(self, standing: Standing) -> tuple[Any, str | None]:
        """The value at this moment, and the key of the action that gave it (a fact's)."""
        is_there, value = found_at(json.loads(standing.state), self.key.split("."), called=self._somebody)
        if is_there:
            return value, None
        head, _, rest = self.key.partition(".")
        if head in self.facts:
            return self._fact(json.loads(standing.lines), head, rest)
        if head == PLACE and rest:
            return self._place(json.loads(standing.places), rest), None
        return ABSENT, None

    def _fact(self, lines: list[Mapping[str, Any]], fact: str, whose: str) -> tuple[Any, str | None]:
        for wanted in (whose, self._somebody(whose)):
            for line in lines:
                subject = line.get("person") or line.get("entry")
                if (line["key"], subject, line.get("segment")) == (fact, wanted, self.segment):
                    return line["value"], line["action"]
        return ABSENT, None

    def _place(self, places: list[Mapping[str, Any]], whose: str) -> Any:
        wanted = (whose, self._somebody(whose))
        return next((place.get("rank") for place in places if place["entry"] in wanted), ABSENT)

    def _somebody(self, called: str) -> str:
        """The entry of a side by its code or name, the id of a person by the name; else the text itself."""
        return self.known.get(called.casefold(), called)


async def cause_of(match: LoggedMatch, stage: Stage, key: str, *, segment: str | None = None) -> Cause:
    """Why `key` is what it is now. Raises `NotFound` for a key that was never there, with those that are."""
    program = stage.program(match.entry.workflow) or {}
    question = Question(key, segment, frozenset(program.get("facts", ())), _known(match))
    before: Any = ABSENT
    value: Any = ABSENT
    action: str | None = None
    by: EntryCommand | None = None
    changes, last = 0, None
    async for standing in stage.watch(match.entry):
        now, given_by = question.ask(standing)
        if standing.command is None:
            value, action = now, given_by
        elif now != value:
            before, value, action, by = value, now, given_by, standing.command
            changes += 1
        last = standing
    if value is ABSENT and by is None:
        raise _never_there(key, last, question)
    told = _told(match, program, by) if by else {}
    return Cause(
        key=key, value=value, before=before, changes=changes, action=action, release=match.release, **told
    )


def found_at(value: Any, path: list[str], *, called: Callable[[str], str] = str) -> Found:
    """Whether there is something at a path, and what. A name with dots in it is several parts of the path.

    `called` says of a name in the path under which one it may be in the value.
    """
    if not path:
        return True, value
    if isinstance(value, list) and path[0].lstrip("-").isdigit():
        number = int(path[0])
        is_there = -len(value) <= number < len(value)
        return found_at(value[number], path[1:], called=called) if is_there else (False, ABSENT)
    if isinstance(value, Mapping):
        for parts in range(len(path), 0, -1):
            name = ".".join(path[:parts])
            for spelled in (name, called(name)):
                if spelled in value:
                    return found_at(value[spelled], path[parts:], called=called)
    return False, ABSENT


def _known(match: LoggedMatch) -> Mapping[str, str]:
    """What people call somebody, in small letters → what the log calls the side or the person."""
    people = {name.casefold(): known for known, name in match.titles.items()}
    sides = {
        text.casefold(): side.entry
        for side in match.entry.sides
        for text in (side.name, side.noc, side.code)
        if text
    }
    return people | sides


def _told(match: LoggedMatch, program: Mapping[str, Any], by: EntryCommand) -> dict[str, Any]:
    """Of the command that made the value: what it is, whose, when, and by which rules it was judged."""
    author = match.authors[by.seq]
    command: Mapping[str, Any] = next((c for c in program.get("commands", ()) if c["code"] == by.code), {})
    return {
        "seq": by.seq,
        "code": by.code,
        "title": command.get("title"),
        "input": by.input,
        "at": by.occurred_at,
        "actor": author.actor,
        "sender": author.sender,
        "judged_by": author.release,
        "rules": tuple(command.get("validations", ())),
        "overruled": by.confirmed,
    }


def _never_there(key: str, last: Standing | None, question: Question) -> NotFound:
    there = sorted(json.loads(last.state)) if last else []
    facts = ", ".join(sorted(question.facts))
    return NotFound(
        f"{key} was never there in this match. Its state has {', '.join(there) or 'nothing'}"
        f"{f'; its facts are {facts}, asked for like FACT.SIDE or FACT.PERSON' if facts else ''}.",
        reason="no_such_key",
    )
