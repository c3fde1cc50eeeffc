"""Shapes of what goes out over HTTP, for the OpenAPI document and the tests that hold the answers to it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
)
from pydantic.alias_generators import to_camel

from omnium_store.access import Kind


class Given(BaseModel):
    """What goes out: camelCase."""

    model_config = ConfigDict(extra="allow", frozen=True, alias_generator=to_camel, populate_by_name=True)


class Problem(Given):
    """application/problem+json; docs/errors.md lists the reasons."""

    type: str
    title: str
    status: int
    detail: str
    reason: str
    request_id: str


class CommandOut(Given):
    """The answer to a command; a rule's no is `accepted: false` with the sentence in `message`."""

    accepted: bool
    duplicate: bool
    seq: int | None
    message: str | None
    refusal: str | None
    reason: str | None
    touches: list[str] | None
    value: Any
    counts: dict[str, Any]
    notes: list[Any]
    dry_run: bool
    fixture_status: str | None
    release: str
    version: int | None


class EventOut(Given):
    """An event: a Games, a tournament."""

    code: str
    name: str
    timezone: str
    created_at: datetime


class CompetitionOut(Given):
    """A competition within an event."""

    code: str
    name: str
    parent: str | None
    sport: str | None


class EventCard(EventOut):
    """An event with the competitions in it."""

    competitions: list[CompetitionOut]


class Events(Given):
    """The events that the token reaches."""

    items: list[EventOut]


class ReleaseName(Given):
    """A release and the hashes that it is known by."""

    version: str
    code_sha: str
    contract_sha: str


class WorkflowOut(Given):
    """One workflow."""

    code: str
    title: str
    description: str | None = None
    mode: str
    subject: str
    parent: str | None = None
    release: ReleaseName


class Workflows(Given):
    """The workflows that there are."""

    items: list[WorkflowOut]


class SubjectOut(Given):
    """The subject that a description is for."""

    kind: str
    ref: str


class Description(Given):
    """A workflow's program: commands with the JSON Schema of their input, rules, actions.

    For a subject: what it offers now to this caller, under the subject's own release.
    """

    workflow: str
    release: ReleaseName
    subject: SubjectOut | None
    program: dict[str, Any]


class ReadOut(Given):
    """A read model's value; `at` orders values, `h` is a hash of the value's bytes."""

    at: int
    h: int
    version: int | None = None
    value: Any


class ReadModelOut(Given):
    """One read model."""

    name: str
    title: str
    access: str
    subject: str
    parameters: dict[str, Any]


class ReadModels(Given):
    """The read models that there are."""

    items: list[ReadModelOut]


class Document(Given):
    """Free of form: what a replay wrote, what a router sees of the fleet, this document."""


class MoveOut(Given):
    """What a move of a match changes, or has changed: `digest` names the differences."""

    fixture: str
    code: str
    event: str
    workflow: str
    from_: Annotated[str, Field(alias="from")]
    to: str
    changed: bool
    dry_run: bool
    digest: str
    events: int
    counts: dict[str, int]
    differences: list[dict[str, Any]]
    conflicts: list[dict[str, Any]]
    left_out: int
    seq: int | None
    version: int


class TokenOut(Given):
    """A token, told once, and what it says."""

    token: str
    jti: str
    expires_at: datetime


class IssuedOut(Given):
    """A token that was issued; the token itself is kept nowhere."""

    jti: str
    sub: str
    name: str
    kind: Kind
    roles: list[str]
    source: str | None
    issued_by: str
    issued_at: datetime
    expires_at: datetime
    revoked_at: datetime | None


class Tokens(Given):
    """Tokens that have not expired."""

    items: list[IssuedOut]


class Health(Given):
    """Whether the process lives, or serves."""

    ok: bool
