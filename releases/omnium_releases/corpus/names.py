"""The names of a match: all that somebody or something of it is known by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from omnium_releases.replay.entries import EntryCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """`persons` are texts that people are known by, `all` are these and those of sides, places and senders.

    `identities` says of an id who that is, where another id says it in another event.
    """

    all: frozenset[str] = field(default=frozenset(), repr=False)
    persons: frozenset[str] = field(default=frozenset(), repr=False)
    identities: Mapping[str, str] = field(default_factory=dict, repr=False)


def persons_in(log: Iterable[EntryCommand], program: Mapping[str, Any] | None) -> Iterator[str]:
    """The texts at those places of inputs that the program says are persons."""
    paths = {command["code"]: command.get("actors", ()) for command in (program or {}).get("commands", ())}
    for command in log:
        for actor in paths.get(command.code, ()):
            _, _, path = str(actor["path"]).partition(".")
            yield from _at(command.input, path.replace("[]", "").split("."))


def _at(value: Any, path: list[str]) -> Iterator[str]:
    match value:
        case list() | tuple():
            for item in value:
                yield from _at(item, path)
        case Mapping() if path:
            yield from _at(value.get(path[0], value.get(camel(path[0]))), path[1:])
        case str() if value and not path:
            yield value


def camel(name: str) -> str:
    """The name on the wire of a field that Python calls `name`."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
