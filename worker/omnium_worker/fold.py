"""Fold mode: what differs on the road where the state is a fold of the log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import orjson

from omnium_contract.flows.types import Fixture
from omnium_store import statuses
from omnium_worker import checkpoints, inputs, judging
from omnium_worker.answers import Answer
from omnium_worker.chain import LogRow, row_hash, row_of
from omnium_worker.command import Command
from omnium_worker.host import Host
from omnium_worker.instants import instant
from omnium_worker.judging import FoldCase, FoldJudgement
from omnium_worker.opening import Opened, loaded_of
from omnium_worker.plans import CommandPlan
from omnium_worker.rows import LineRow, PlaceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class FoldDecision:
    """An accepted fold command: all that is to be written, and what the sender is told."""

    command: Command
    plan: CommandPlan
    opened: Opened
    judgement: FoldJudgement
    row: LogRow
    hash: bytes
    events: int
    status: str | None
    is_official: bool | None
    answer: Answer


def decide(
    host: Host, plan: CommandPlan, command: Command, *, opened: Opened, ahead: timedelta
) -> FoldDecision:
    """Input, rules and step under what was read. Values in, values out; raises `Denied` for a no."""
    moment = inputs.occurred_at(
        command.occurred_at, now=opened.clock, previous=opened.previous_at, ahead=ahead
    )
    fixture, board, judgement = _judge(host, plan, command, opened=opened, at=instant(moment))
    row = row_of(
        host.identity,
        command,
        opened,
        unit="event",
        payload=judgement.payload,
        confirmed=judgement.event.confirmed,
        occurred_at=moment,
        digest=judgement.digest,
    )
    status, is_official = _status(board, judgement)
    return FoldDecision(
        command=command,
        plan=plan,
        opened=opened,
        judgement=judgement,
        row=row,
        hash=row_hash(row, opened.previous_hash),
        events=board.events + 1,
        status=status,
        is_official=is_official,
        answer=Answer(
            accepted=True,
            release=host.identity.version,
            version=opened.version + 1,
            fixture_status=status or opened.status,
            is_dry_run=command.is_dry_run,
            seq=row.seq,
            touches=_touches(fixture, is_official=is_official),
            value=judgement.state,
        ),
    )


def _judge(
    host: Host, plan: CommandPlan, command: Command, *, opened: Opened, at: str
) -> tuple[Fixture[Any], checkpoints.Board, FoldJudgement]:
    """The fixture, the state before the command, and what the rules make of it."""
    fixture = host.fixture(plan.workflow, opened.fixture or "{}")
    loaded = loaded_of(opened)
    board = checkpoints.resume(host, plan.workflow, fixture, opened=opened, loaded=loaded)
    case = FoldCase(
        plan=plan,
        fixture=fixture,
        state=board.state,
        sent=command.sent,
        seq=opened.next_seq,
        occurred_at=at,
        actor=command.actor,
        confirm=command.confirm,
        loaded=loaded,
    )
    return fixture, board, judging.judge_fold(host, case)


def _touches(fixture: Fixture[Any], *, is_official: bool | None) -> tuple[str, ...]:
    """Medals are counted from official results, so they move with the mark where a side has one."""
    has_medals = any(side.result.get("medal") for side in fixture.sides)
    return ("fixture", "medals") if has_medals and is_official is not None else ("fixture",)


def _status(board: checkpoints.Board, judgement: FoldJudgement) -> tuple[str | None, bool | None]:
    """The fixture's status where the command changes it; a word that stays leaves what a person typed."""
    word = judgement.status
    if word is None or (not board.is_refolded and word == judgement.status_before):
        return None, None
    standing = statuses.standing_of(word)
    return str(standing.status), standing.official


def close_arguments(decision: FoldDecision) -> list[Any]:
    """The arguments of `close_fold_v1`, in its order."""
    row, judgement, opened = decision.row, decision.judgement, decision.opened
    derived = judgement.derived
    return [
        row.stream,
        opened.version,
        row.seq,
        row.code,
        row.payload.decode(),
        list(row.confirmed),
        row.key,
        row.sender,
        row.actor,
        row.source_code,
        row.input_hash,
        row.occurred_at,
        replace(decision.answer, value=b"null").to_json().decode(),
        row.release_id,
        row.code_sha,
        row.runtime_sha,
        row.digest,
        opened.previous_hash,
        decision.hash,
        [role for role, _ in judgement.actors],
        [person for _, person in judgement.actors],
        judgement.state,
        decision.events,
        checkpoints.is_due(decision.events),
        decision.status,
        decision.is_official,
        list(derived.ran),
        _rows(derived.lines),
        None if derived.places is None else _rows(derived.places),
        _outbox(decision),
        [stat.key for stat in decision.plan.stats],
        [stat.scope for stat in decision.plan.stats],
    ]


def _rows(rows: Sequence[LineRow] | Sequence[PlaceRow]) -> str:
    return orjson.dumps([row._asdict() for row in rows]).decode()


def _outbox(decision: FoldDecision) -> str:
    row, opened = decision.row, decision.opened
    return orjson.dumps(
        {
            "command": row.code,
            "workflow": decision.plan.workflow.code,
            "actor": row.actor,
            "event": opened.event_code,
            "touches": decision.answer.touches,
            "records": [{"kind": "fixture", "id": str(row.stream), "version": opened.version + 1}],
        }
    ).decode()
