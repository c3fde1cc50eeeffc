"""Values become JSON data in one way."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from omnium_releases.defaults import ALWAYS
from omnium_releases.documents import document, moment_text


@dataclass(frozen=True, slots=True)
class _Inner:
    scheduled_start: datetime | None
    some_id: uuid.UUID


def test_members_are_in_camel_case_all_the_way_down() -> None:
    some = uuid.UUID(int=7)
    value = {"keys": (_Inner(datetime(2026, 9, 19, 8, tzinfo=UTC), some), _Inner(None, some)), "as_given": 1}
    expected = {
        "keys": [
            {"scheduledStart": "2026-09-19T08:00:00Z", "someId": str(some)},
            {"scheduledStart": None, "someId": str(some)},
        ],
        "as_given": 1,
    }
    assert expected == document(value)
    assert expected == json.loads(json.dumps(document(value)))


def test_moments_are_in_utc_and_always_is_none() -> None:
    kolkata = timezone(timedelta(hours=5, minutes=30))
    assert moment_text(datetime(2026, 9, 19, 13, 30, tzinfo=kolkata)) == "2026-09-19T08:00:00Z"
    assert (moment_text(ALWAYS), moment_text(None)) == (None, None)
