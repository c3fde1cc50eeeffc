"""Moments as text, in the one form that a step sees: RFC 3339 in UTC, with as many digits as there are."""

from __future__ import annotations

from datetime import UTC, datetime


def moment(at: datetime) -> str:
    """`2026-10-07T18:00:00.5Z`."""
    text = at.astimezone(UTC).replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if "." in text else text) + "Z"


def parsed(text: str) -> datetime:
    """The moment that a text names, which has an offset. Raises `ValueError`."""
    return datetime.fromisoformat(text.replace("z", "Z")).astimezone(UTC)
