"""A command as it was asked: the request, read once and checked for what no rule can answer."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import orjson

from omnium_proto import command_pb2
from omnium_store.errors import BadRequest, NotFound

SenderKind = Literal["person", "integration"]

_KINDS: Final[Mapping[int, SenderKind]] = {
    command_pb2.SENDER_KIND_PERSON: "person",
    command_pb2.SENDER_KIND_INTEGRATION: "integration",
}
LONGEST_KEY: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command. `fixture` is its subject, or None where the subject is the event `event`.

    `sent` is the input, `sent_text` the same as text with sorted keys, nulls kept: an apply command may clear
    a field by sending null. `input_hash` is over code and input.
    """

    workflow: str
    code: str
    fixture: uuid.UUID | None
    event: str
    sent: Mapping[str, Any]
    sent_text: bytes
    input_hash: bytes
    key: str
    is_dry_run: bool
    confirm: frozenset[str]
    occurred_at: str
    source: SenderKind
    source_code: str
    sender: str
    actor: str

    @property
    def subject(self) -> str:
        """What commands queue for."""
        return str(self.fixture) if self.fixture else f"event:{self.event}"


def command_of(request: command_pb2.ExecuteRequest) -> Command:
    """The command in a request. Raises `BadRequest` or `NotFound` for what the caller must change."""
    sent = _input(request.input)
    sent_text = orjson.dumps(sent, option=orjson.OPT_SORT_KEYS)
    kind = _KINDS.get(request.sender.kind)
    if kind is None or not request.sender.sub:
        raise BadRequest("A command says who sends it.", reason="sender_required")
    if request.expect:
        raise BadRequest(
            "This command has no preview whose digest could be expected.", reason="expect_not_offered"
        )
    return Command(
        workflow=request.workflow,
        code=request.code,
        fixture=_fixture(request.subject),
        event=request.event if request.subject.kind == "fixture" else request.subject.ref,
        sent=sent,
        sent_text=sent_text,
        input_hash=hashlib.sha256(request.code.encode() + b"\n" + sent_text).digest(),
        key=_key(request),
        is_dry_run=request.dry_run,
        confirm=frozenset(request.confirm),
        occurred_at=request.occurred_at,
        source=kind,
        source_code=request.sender.source if kind == "integration" else "",
        sender=f"{kind}:{request.sender.sub}",
        actor=request.sender.name or request.sender.sub,
    )


def _fixture(subject: command_pb2.Subject) -> uuid.UUID | None:
    match subject.kind:
        case "event":
            return None
        case "fixture":
            try:
                return uuid.UUID(subject.ref)
            except ValueError:
                raise NotFound(f"There is no fixture {subject.ref}.", reason="no_such_fixture") from None
        case _:
            raise BadRequest("A command acts on a fixture or on an event.", reason="bad_subject")


def _key(request: command_pb2.ExecuteRequest) -> str:
    """The sender's key. Only a dry run, which leaves nothing, may come without one."""
    if request.key:
        if len(request.key) > LONGEST_KEY or "\x00" in request.key:
            raise BadRequest(f"A key has at most {LONGEST_KEY} characters.", reason="bad_key")
        return request.key
    if request.dry_run:
        return f"dry-run:{uuid.uuid4()}"
    raise BadRequest("A command comes with a key, so that a retry is safe.", reason="key_required")


def _input(data: bytes) -> Mapping[str, Any]:
    try:
        sent = orjson.loads(data or b"{}")
    except orjson.JSONDecodeError as error:
        raise BadRequest(f"The input is not JSON: {error}", reason="bad_json") from None
    if not isinstance(sent, dict):
        raise BadRequest("The input is a JSON object.", reason="bad_json")
    if b"\\u0000" in data and _has_nul(sent):
        raise BadRequest("The input holds the character U+0000, which no text may.", reason="bad_json")
    return sent


def _has_nul(value: Any) -> bool:
    match value:
        case str():
            return "\x00" in value
        case dict():
            return any("\x00" in key or _has_nul(item) for key, item in value.items())
        case list():
            return any(_has_nul(item) for item in value)
        case _:
            return False
