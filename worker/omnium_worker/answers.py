"""Answers: what a sender is told, as JSON that every service passes on untouched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from omnium_worker.refusals import Refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer. `value` is JSON; `touches` None: everything; `version` is the subject's after it."""

    accepted: bool
    release: str
    version: int
    fixture_status: str | None
    is_dry_run: bool
    seq: int | None = None
    refusal: Refusal | None = None
    touches: tuple[str, ...] | None = ()
    value: bytes = b"null"
    counts: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """Its form for the sender, and (with another `value`) for the log."""
        no = self.refusal
        return orjson.dumps(
            {
                "accepted": self.accepted,
                "duplicate": False,
                "seq": self.seq,
                "message": no.message if no else None,
                "refusal": no.kind if no else None,
                "reason": no.reason if no else None,
                "touches": self.touches,
                "value": orjson.Fragment(self.value),
                "counts": self.counts,
                "notes": no.notes if no else (),
                "dryRun": self.is_dry_run,
                "fixtureStatus": self.fixture_status,
                "release": self.release,
                "version": self.version,
            }
        )


def duplicate_of(stored: str, *, is_dry_run: bool, fresh: Mapping[str, Any]) -> bytes:
    """The stored answer, told again. `fresh` are members that are not kept with the row, as they are now."""
    return orjson.dumps({**orjson.loads(stored), "duplicate": True, "dryRun": is_dry_run, **fresh})


def fresh_board(state: bytes | None, *, version: int, status: str | None) -> Mapping[str, Any]:
    """A fold's answer is stored without its board (a log of boards would be square in its length)."""
    return {"value": orjson.Fragment(state or b"null"), "version": version, "fixtureStatus": status}
