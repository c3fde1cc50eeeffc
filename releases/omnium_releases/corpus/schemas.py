"""What the JSON Schema of an input says of its texts: a word of the rules, of a fixed form, or anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from omnium_releases.corpus.names import camel

_UNIONS: Final = ("anyOf", "oneOf", "allOf")
Schema = Mapping[str, Any]


class Kind(StrEnum):
    """What a text may be at its place."""

    WORD = "word"  # one of those that the rules list
    FORM = "form"  # of a pattern that the rules give
    FREE = "free"  # whatever somebody typed


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a document: all schemas that a value there may be of. None: the rules do not know it."""

    root: Schema
    schemas: tuple[Schema, ...]

    @classmethod
    def top(cls, root: Schema | None) -> Place:
        """The place of the whole document."""
        return cls(root or {}, tuple(_plain(root or {}, root or {})))

    def kind(self, text: str) -> Kind:
        """What `text` is here."""
        if any(text in _words(schema) for schema in self.schemas):
            return Kind.WORD
        if any("pattern" in schema and re.search(schema["pattern"], text) for schema in self.schemas):
            return Kind.FORM
        return Kind.FREE

    def longest(self) -> int | None:
        """How long a text may be here, where that is bounded."""
        bounds = [schema["maxLength"] for schema in self.schemas if "maxLength" in schema]
        return min(bounds, default=None)

    def member(self, name: str) -> Place | None:
        """The place of a member, by its name on the wire or in Python; None if it is not listed."""
        for schema in self.schemas:
            known = schema.get("properties", {})
            for spelled in (name, camel(name)):
                if spelled in known:
                    return self._at(known[spelled])
        return None

    def any_member(self) -> Place:
        """The place of a member whose name is not listed; of no schema where there must be none."""
        found = [schema.get("additionalProperties") for schema in self.schemas]
        anything: Schema = {}
        taken = [anything if schema is True else schema for schema in found]
        return self._at(*(schema for schema in taken if isinstance(schema, Mapping)))

    def names(self) -> Place:
        """The place of the names themselves that are not listed."""
        found = [schema.get("propertyNames") for schema in self.schemas]
        return self._at(*(schema for schema in found if isinstance(schema, Mapping)))

    def item(self, number: int) -> Place:
        """The place of an item of a list."""
        found = []
        for schema in self.schemas:
            first = schema.get("prefixItems", ())
            found.append(first[number] if number < len(first) else schema.get("items"))
        return self._at(*(schema for schema in found if isinstance(schema, Mapping)))

    def _at(self, *schemas: Schema) -> Place:
        return Place(self.root, tuple(plain for schema in schemas for plain in _plain(self.root, schema)))


def _plain(root: Schema, schema: Schema) -> Iterator[Schema]:
    """The schema and all that it refers to or is a union of."""
    yield schema
    reference = str(schema.get("$ref", ""))
    if reference.startswith("#/$defs/"):
        yield from _plain(root, root["$defs"][reference.removeprefix("#/$defs/")])
    for union in _UNIONS:
        for one in schema.get(union, ()):
            yield from _plain(root, one)


def _words(schema: Schema) -> tuple[Any, ...]:
    return (*schema.get("enum", ()), *((schema["const"],) if "const" in schema else ()))
