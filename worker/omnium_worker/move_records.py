"""What a move writes: its log row, the new fold, its outbox row and its audit row. Values in, values out."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import orjson

from omnium_worker import canonical_fast
from omnium_worker.chain import LogRow, row_hash
from omnium_worker.differences import Differences, Told
from omnium_worker.identity import Identity
from omnium_worker.move_cases import Head, Move, digest_of
from omnium_worker.plans import WorkflowPlan
from omnium_worker.retelling import Retelling
from omnium_worker.rows import LineRow, PlaceRow

CODE: Final = "releases.move"
#: How many differences and conflicts the audit keeps; its counts and digest are of all.
MOST_KEPT: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A move that is made: the match after it, how it was told, what that changes, and the answer."""

    after: Told
    retelling: Retelling
    differences: Differences
    answer: bytes


def arguments(identity: Identity, move: Move, head: Head, kept: Kept) -> tuple[Any, ...]:
    """The arguments of `close_move_v1`, in its order."""
    retelling, differences, after = kept.retelling, kept.differences, kept.after
    row = _log_row(identity, move, head, differences)
    has_board = retelling.events > 0
    conflicts = [{"seq": one.seq, "sentence": one.sentence} for one in differences.conflicts]
    checkpoints = retelling.checkpoints
    stats = _stats(retelling.workflow) if differences.found else []
    return (
        move.fixture,
        head.version,
        row.seq,
        row.payload.decode(),
        row.key,
        row.sender,
        row.actor,
        row.input_hash,
        row.occurred_at,
        kept.answer.decode(),
        row.release_id,
        row.code_sha,
        row.runtime_sha,
        head.previous_hash,
        row_hash(row, head.previous_hash),
        retelling.state if has_board else None,
        canonical_fast.digest(retelling.state) if has_board else None,
        retelling.seqs[-1] if has_board else None,
        retelling.events if has_board else None,
        retelling.prefix_hash,
        orjson.dumps(conflicts).decode(),
        [one.seq for one in checkpoints],
        [one.events for one in checkpoints],
        [one.state for one in checkpoints],
        [one.prefix_hash for one in checkpoints],
        str(after.standing.status),
        after.standing.official,
        int(after.standing.official and bool(differences.found)),
        _rows(after.lines),
        _rows(after.places),
        _outbox(move, head, after),
        [key for key, _ in stats],
        [scope for _, scope in stats],
        _audit(identity, move, head, differences),
    )


def _log_row(identity: Identity, move: Move, head: Head, differences: Differences) -> LogRow:
    payload = canonical_fast.dumps(
        {
            "from": head.release,
            "to": identity.version,
            "digest": digest_of(identity, move, head, differences),
            "counts": differences.counts(),
            "reason": move.reason or None,
        }
    )
    return LogRow(
        stream=move.fixture,
        unit="record",
        seq=head.next_seq,
        fold_order=str(head.next_seq),
        code=CODE,
        payload=payload,
        confirmed=(),
        corrects=None,
        # a move that is sent again finds the match on its release, so its key protects nothing
        key=f"move:{uuid.uuid4()}",
        sender=move.sender,
        actor=move.actor,
        source_code="",
        input_hash=hashlib.sha256(CODE.encode() + b"\n" + payload).digest(),
        occurred_at=head.clock,
        release_id=identity.release_id,
        code_sha=identity.code_sha,
        runtime_sha=identity.runtime_sha,
        digest=None,
    )


def _rows(rows: Iterable[LineRow] | Iterable[PlaceRow]) -> str:
    return orjson.dumps([row._asdict() for row in rows]).decode()


def _stats(workflow: WorkflowPlan) -> list[tuple[str, str]]:
    """Every stat that a command of the workflow sets off: the tables that these numbers are in."""
    found = {(stat.key, stat.scope) for plan in workflow.commands.values() for stat in plan.stats}
    return sorted(found)


def _outbox(move: Move, head: Head, after: Told) -> str:
    has_medals = any((side.get("result") or {}).get("medal") for side in orjson.loads(head.facts)["sides"])
    is_counted_otherwise = has_medals and after.standing.official != head.official
    return orjson.dumps(
        {
            "command": CODE,
            "workflow": head.workflow,
            "actor": move.actor,
            "event": head.event,
            "touches": ("fixture", "medals") if is_counted_otherwise else ("fixture",),
            "records": [{"kind": "fixture", "id": str(move.fixture), "version": head.version + 1}],
        }
    ).decode()


def _audit(identity: Identity, move: Move, head: Head, differences: Differences) -> str:
    """Who saw what: enough to say years later what the move changed."""
    seen = {
        "from": head.release,
        "to": identity.version,
        "fixture": head.code,
        "event": head.event,
        "status": head.status,
        "seq": head.next_seq,
        "digest": digest_of(identity, move, head, differences),
        "counts": differences.counts(),
        **differences.as_data(MOST_KEPT),
    }
    return orjson.dumps(
        {"reason": move.reason, "seen": seen, "requestId": move.request_id, "build": move.build}
    ).decode()
