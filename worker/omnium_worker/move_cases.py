"""A move as it was asked, and the match as it was found. Values only: `moves` holds the transaction."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from omnium_proto import command_pb2, move_pb2
from omnium_store.errors import BadRequest, NotFound
from omnium_worker.differences import Differences
from omnium_worker.identity import Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A move as it was asked."""

    fixture: uuid.UUID
    is_dry_run: bool
    expect: str
    reason: str
    sender: str
    actor: str
    build: Mapping[str, str]
    request_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A match as the statement `move_head` finds it; `facts` are JSON."""

    code: str
    name: str
    event: str
    workflow: str
    status: str
    official: bool
    version: int
    next_seq: int
    release_id: uuid.UUID
    release: str
    release_code_sha: str
    facts: str
    state: bytes | None
    previous_hash: bytes | None
    events: int
    clock: datetime


def move_of(request: move_pb2.MoveRequest) -> Move:
    """The move in a request. Raises `BadRequest` or `NotFound`."""
    if request.sender.kind != command_pb2.SENDER_KIND_PERSON or not request.sender.sub:
        raise BadRequest("A move says which person makes it.", reason="sender_required")
    try:
        fixture = uuid.UUID(request.fixture)
    except ValueError:
        raise NotFound(f"There is no fixture {request.fixture}.", reason="no_such_fixture") from None
    if not (request.dry_run or request.expect):
        raise BadRequest(
            "A move needs the digest of its preview: ask with dryRun first, then send `digest` as `expect`.",
            reason="expect_required",
        )
    return Move(
        fixture=fixture,
        is_dry_run=request.dry_run,
        expect=request.expect,
        reason=request.reason.strip(),
        sender=f"person:{request.sender.sub}",
        actor=request.sender.name or request.sender.sub,
        build=dict(request.build),
        request_id=request.request_id,
    )


def digest_of(identity: Identity, move: Move, head: Head, differences: Differences) -> str:
    """The digest that a preview tells and a move expects: of this match, from that code to this one."""
    return differences.digest(str(move.fixture), head.release_code_sha, identity.code_sha)
