"""What `open_v1` found under the lock: the subject, its pin, the key, and all that the rules may read."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import orjson

from omnium_worker.facts import log_of
from omnium_worker.judging import NOTHING_LOADED, Loaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """One row of `open_v1`; JSON is text. `state` and `events` are what `tail` is to be folded on.

    `answer` and `input_hash` are of the row with the same key. `tail_length` without `tail`: too much here.
    """

    outcome: Literal["missing", "wrong_release", "known", "ready"]
    release: str | None
    stream: uuid.UUID | None
    event: str | None
    event_code: str | None
    fixture: str | None
    workflow: str | None
    scoring_mode: str | None
    fixture_type: str | None
    status: str | None
    version: int
    next_seq: int
    clock: datetime
    previous_hash: bytes | None
    previous_at: datetime | None
    answer: str | None
    input_hash: bytes | None
    state: bytes | None
    events: int | None
    tail: str | None
    tail_length: int | None
    loaded: str | None


def loaded_of(opened: Opened) -> Loaded:
    """What components asked for in `reads`."""
    if opened.loaded is None:
        return NOTHING_LOADED
    parts = orjson.loads(opened.loaded)
    return Loaded(
        log=log_of(parts["log"] or ()),
        stats=parts["stats"] or {},
        masters=parts["masters"] or {},
        children=tuple(parts["children"] or ()),
    )
