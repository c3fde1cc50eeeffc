"""Golden files of the flows: a log and the state, lines and places that it ends with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnium_releases.readers.recorded import (
    RecordedCommand,
    RecordedMatch,
    RecordedSide,
    Recording,
    SideRef,
    UnreadableFile,
)

FORMAT = "golden"


def takes(document: Any) -> bool:
    """Whether a parsed JSON file is one of this format."""
    return isinstance(document, dict) and {"workflow", "log", "digests"} <= document.keys()


def read(document: Mapping[str, Any]) -> Recording:
    """The one match of the golden. Raises `UnreadableFile` where a field is missing."""
    try:
        return Recording(format_name=FORMAT, matches=(_match(document),))
    except (KeyError, TypeError) as error:
        raise UnreadableFile(f"not a golden: {error!r}") from error


def _match(golden: Mapping[str, Any]) -> RecordedMatch:
    entries = [side["entry"] for side in golden["sides"]]
    return RecordedMatch(
        name=golden.get("what") or golden["workflow"],
        sport=golden["workflow"],
        fixture_type=golden["fixtureType"],
        archetype=golden["archetype"],
        sides=tuple(RecordedSide(code=s["entry"], name=s.get("name") or s["entry"]) for s in golden["sides"]),
        format=golden["format"],
        commands=tuple(
            RecordedCommand(
                code=row["code"],
                input=_referring(row["input"], entries),
                offset_s=float(row["seq"]),
                confirm=tuple(row.get("confirmed", ())),
                occurred_at=row["occurredAt"],
            )
            for row in golden["log"]
        ),
        stated={"state": golden["state"]},
    )


def _referring(value: Any, entries: list[str]) -> Any:
    """The input with every side's entry replaced by a reference, since a played match has ids of its own."""
    match value:
        case str() if value in entries:
            return SideRef(value)
        case dict():
            return {key: _referring(item, entries) for key, item in value.items()}
        case list():
            return [_referring(item, entries) for item in value]
        case _:
            return value
