"""Moments as text: RFC 3339 in UTC, one form, so that a step sees the same text live and in a refold."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(moment: datetime) -> str:
    """`2026-10-07T18:00:00.5Z`, with as many digits as there are. SQL has the same as `rfc3339_v1`."""
    text = moment.astimezone(UTC).replace(tzinfo=None).isoformat()
    return (text.rstrip("0") if "." in text else text) + "Z"


def parse(text: str) -> datetime:
    """The moment that `text` names. Raises `ValueError` for text that is not RFC 3339 with an offset."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text!r} has no offset: write it like 2026-10-07T18:00:00Z")
    return moment
