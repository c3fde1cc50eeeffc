"""Shapes of inputs: two JSON Schemas told apart field by field, as a person who fills them in sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

#: Words that say nothing about what may be sent.
_PROSE: Final = frozenset({"title", "description", "examples", "$defs", "properties", "required", "items"})
_KINDS: Final = frozenset({"type", "enum", "anyOf", "oneOf", "$ref", "discriminator"})
_DEEPEST: Final = 8  # a model that holds itself goes on for ever

Schema = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field of an input that is new, gone, or takes something else. `old` and `new` are its kinds."""

    field: str
    change: str
    old: str | None = None
    new: str | None = None


def field_changes(old: Schema | None, new: Schema | None) -> tuple[FieldChange, ...]:
    """What differs between two schemas; titles and descriptions do not count."""
    before, after = _fields(old), _fields(new)
    return tuple(
        change
        for field in sorted(before.keys() | after.keys())
        if (change := _change(field, before.get(field), after.get(field))) is not None
    )


def _change(field: str, old: str | None, new: str | None) -> FieldChange | None:
    if old == new:
        return None
    change = "changed" if old and new else ("added" if new else "removed")
    return FieldChange(field=field, change=change, old=old, new=new)


def _fields(schema: Schema | None) -> dict[str, str]:
    """Each field by its path (`sides[].name`) with what it takes."""
    if not schema:
        return {}
    definitions = schema.get("$defs", {})
    return {path: kind for path, kind in _walk(schema, definitions, "", 0) if path}


def _walk(schema: Schema, definitions: Schema, path: str, depth: int) -> Iterator[tuple[str, str]]:
    schema = _resolved(schema, definitions)
    yield path, _kind(schema, definitions)
    if depth == _DEEPEST:
        return
    required = set(schema.get("required", ()))
    for name, one in schema.get("properties", {}).items():
        inner = f"{path}.{name}" if path else name
        for found, kind in _walk(one, definitions, inner, depth + 1):
            yield (
                found,
                f"{kind}{', required' if name in required else ', optional'}" if found == inner else kind,
            )
    for branch in (schema.get("items"), *schema.get("anyOf", ()), *schema.get("oneOf", ())):
        if isinstance(branch, dict):
            suffix = "[]" if branch is schema.get("items") else ""
            yield from _inside(branch, definitions, path + suffix, depth)


def _inside(schema: Schema, definitions: Schema, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """What stands below an element of a list, or below one of several kinds."""
    for found, kind in _walk(schema, definitions, path, depth + 1):
        if found != path or path.endswith("[]"):
            yield found, kind


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name not in definitions:
        return schema
    return {**definitions[name], **{key: value for key, value in schema.items() if key != "$ref"}}


def _kind(schema: Schema, definitions: Schema) -> str:
    """What one place takes: its type, what it may be of, and every bound."""
    branches = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if branches:
        kind = " or ".join(_kind(_resolved(one, definitions), definitions) for one in branches)
    elif "enum" in schema:
        kind = "one of " + ", ".join(map(str, schema["enum"]))
    else:
        kind = str(schema.get("type", "anything"))
    bounds = [
        f"{word} {json.dumps(value, sort_keys=True)}"
        for word, value in sorted(schema.items())
        if word not in _PROSE and word not in _KINDS and value is not None
    ]
    return f"{kind} ({', '.join(bounds)})" if bounds else kind
