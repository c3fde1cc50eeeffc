"""The hash chain: a log row carries the hash of itself and of the row before, so the log proves itself."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

import orjson

from omnium_worker.command import Command
from omnium_worker.identity import Identity
from omnium_worker.instants import instant
from omnium_worker.opening import Opened

_SORTED: Final = orjson.OPT_SORT_KEYS


@dataclass(frozen=True, slots=True, kw_only=True)
class LogRow:
    """What a row of the log says. `payload` is JSON as it is stored; `digest` is of the state after it."""

    stream: uuid.UUID
    unit: Literal["event", "record"]
    seq: int
    fold_order: str
    code: str
    payload: bytes
    confirmed: tuple[str, ...]
    corrects: int | None
    key: str
    sender: str
    actor: str
    source_code: str
    input_hash: bytes
    occurred_at: datetime
    release_id: uuid.UUID
    code_sha: str
    runtime_sha: str
    digest: bytes | None


def row_of(
    identity: Identity,
    command: Command,
    opened: Opened,
    *,
    unit: Literal["event", "record"],
    payload: bytes,
    confirmed: tuple[str, ...],
    occurred_at: datetime,
    digest: bytes | None,
) -> LogRow:
    """The row that an accepted command adds to its stream."""
    if opened.stream is None:
        raise ValueError("a stream that was not found has no rows")
    return LogRow(
        stream=opened.stream,
        unit=unit,
        seq=opened.next_seq,
        fold_order=str(opened.next_seq),
        code=command.code,
        payload=payload,
        confirmed=confirmed,
        corrects=None,
        key=command.key,
        sender=command.sender,
        actor=command.actor,
        source_code=command.source_code,
        input_hash=command.input_hash,
        occurred_at=occurred_at,
        release_id=identity.release_id,
        code_sha=identity.code_sha,
        runtime_sha=identity.runtime_sha,
        digest=digest,
    )


def row_hash(row: LogRow, previous: bytes | None) -> bytes:
    """32 bytes: SHA-256 over the hash of the row before and the canonical content of this one."""
    return hashlib.sha256((previous or b"") + content(row)).digest()


def content(row: LogRow) -> bytes:
    """Sorted JSON of all that the row says; its answer and the moment of recording are not part of it."""
    return orjson.dumps(
        {
            "actor": row.actor,
            "code": row.code,
            "codeSha": row.code_sha,
            "confirmed": row.confirmed,
            "corrects": row.corrects,
            "foldOrder": row.fold_order,
            "inputHash": row.input_hash.hex(),
            "key": row.key,
            "occurredAt": instant(row.occurred_at),
            "payload": orjson.Fragment(row.payload),
            "release": str(row.release_id),
            "runtimeSha": row.runtime_sha,
            "sender": row.sender,
            "seq": row.seq,
            "sourceCode": row.source_code,
            "stateDigest": row.digest.hex() if row.digest else None,
            "stream": str(row.stream),
            "unit": row.unit,
        },
        option=_SORTED,
    )
