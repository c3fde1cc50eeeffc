"""The order of the story: period, then minute, then stoppage, then the number of the event."""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from typing import Any

from omnium_flows.football.constants import PHASE_LABELS, Period

_ORDER = {period.value: number for number, period in enumerate(Period, 1)}
_UNKNOWN = 1_000_000
_OUTSIDE = {"before": 0, "after": len(_ORDER) + 1, "shootout": len(_ORDER) + 2}


def key(row: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """What sorts a goal or card: never the minute alone, since 45+4 comes before 46."""
    period = _OUTSIDE.get(row.get("phase", ""), _ORDER.get(row.get("period", ""), 0))
    return period, row.get("minute", _UNKNOWN), row.get("stoppage", 0), row["seq"]


def place(rows: list[dict[str, Any]], row: dict[str, Any]) -> None:
    """Put the row where it belongs in the story."""
    insort(rows, row, key=key)


def label(row: Mapping[str, Any]) -> str:
    """What is printed as its minute: `45+2`, `FT`, or nothing where it is not known."""
    outside = PHASE_LABELS.get(row.get("phase", ""))
    if outside is not None:
        return outside
    if "minute" not in row:
        return ""
    return f"{row['minute']}+{row['stoppage']}" if row.get("stoppage") else str(row["minute"])
