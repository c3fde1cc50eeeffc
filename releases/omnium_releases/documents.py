"""The values of this package as JSON data: camelCase members, RFC 3339 times, null for -infinity."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any


def document(value: Any) -> Any:
    """`value` as plain JSON data."""
    match value:
        case datetime():
            return moment_text(value)
        case uuid.UUID():
            return str(value)
        case Mapping():
            return {str(name): document(item) for name, item in value.items()}
        case list() | tuple():
            return [document(item) for item in value]
        case _ if is_dataclass(value):
            return {_camel(field.name): document(getattr(value, field.name)) for field in fields(value)}
        case _:
            return value


def moment_text(moment: datetime | None) -> str | None:
    """RFC 3339 in UTC; None for none and for the beginning of time (PostgreSQL's -infinity)."""
    if moment is None or moment.year == 1:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)
