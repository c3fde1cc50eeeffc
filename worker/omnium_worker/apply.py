"""Apply mode: what differs on the road where commands change records, each by its writer."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import orjson

from omnium_contract.flows.types import RecordCtx
from omnium_worker import inputs, judging
from omnium_worker.answers import Answer
from omnium_worker.chain import LogRow, row_hash, row_of
from omnium_worker.command import Command
from omnium_worker.facts import event_facts_of
from omnium_worker.host import Host
from omnium_worker.judging import ApplyJudgement
from omnium_worker.opening import Opened
from omnium_worker.plans import CommandPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplyDecision:
    """An accepted apply command: its log row and its records. What writers report completes the answer."""

    command: Command
    plan: CommandPlan
    opened: Opened
    judgement: ApplyJudgement
    row: LogRow
    hash: bytes
    event_id: uuid.UUID
    event_code: str
    answer: Answer


def decide(
    host: Host, plan: CommandPlan, command: Command, *, opened: Opened, ahead: timedelta
) -> ApplyDecision:
    """Input, rules and records under what was read. Values in, values out; raises `Denied` for a no."""
    event = event_facts_of(opened.event or "{}")
    moment = inputs.occurred_at(command.occurred_at, now=opened.clock, previous=None, ahead=ahead)
    ctx = RecordCtx(
        event=event,
        # formats are the fold's affair: here they are a plain mapping
        fixture=None if opened.fixture is None else host.fixture(plan.workflow, opened.fixture),
        source=command.source,
        actor=command.actor,
    )
    judgement = judging.judge_apply(host, plan, sent=command.sent, ctx=ctx, confirm=command.confirm)
    row = row_of(
        host.identity,
        command,
        opened,
        unit="record",
        payload=command.sent_text,
        confirmed=judgement.confirmed,
        occurred_at=moment,
        digest=None,
    )
    return ApplyDecision(
        command=command,
        plan=plan,
        opened=opened,
        judgement=judgement,
        row=row,
        hash=row_hash(row, opened.previous_hash),
        event_id=uuid.UUID(event.id),
        event_code=event.code,
        answer=Answer(
            accepted=True,
            release=host.identity.version,
            version=opened.version + 1,
            fixture_status=opened.status,
            is_dry_run=command.is_dry_run,
            seq=row.seq,
        ),
    )


def close_arguments(decision: ApplyDecision) -> list[Any]:
    """The arguments of `close_apply_v1`, in its order."""
    row, judgement, command = decision.row, decision.judgement, decision.command
    return [
        row.stream,
        command.fixture,
        decision.event_id,
        decision.opened.version,
        row.seq,
        row.code,
        row.payload.decode(),
        list(row.confirmed),
        row.key,
        row.sender,
        row.actor,
        command.source,
        row.source_code,
        row.input_hash,
        row.occurred_at,
        replace(decision.answer, value=b"{}").to_json().decode(),
        row.release_id,
        row.code_sha,
        row.runtime_sha,
        decision.opened.previous_hash,
        decision.hash,
        [role for role, _ in judgement.actors],
        [person for _, person in judgement.actors],
        [record.kind for record in judgement.records],
        [record.data.decode() for record in judgement.records],
        _outbox(decision),
        [stat.key for stat in decision.plan.stats],
        [stat.scope for stat in decision.plan.stats],
    ]


def _outbox(decision: ApplyDecision) -> str:
    return orjson.dumps(
        {
            "command": decision.row.code,
            "workflow": decision.plan.workflow.code,
            "actor": decision.row.actor,
            "event": decision.event_code,
        }
    ).decode()
