"""Shapes of what comes in over HTTP. Handlers parse with these, and the OpenAPI document is made of them."""

from __future__ import annotations

import uuid
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from omnium_store.access import Kind, Role


def _printable(value: str) -> str:
    if not value.isprintable():
        raise ValueError("has characters that can't be printed")
    return value


Word = Annotated[str, StringConstraints(min_length=1, max_length=200), AfterValidator(_printable)]
Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Moment = Annotated[AwareDatetime, Field(description="RFC 3339 with a time zone, like 2026-10-06T18:30:00Z")]
Build = Annotated[
    dict[Word, Annotated[str, StringConstraints(max_length=2000), AfterValidator(_printable)]],
    Field(max_length=20, description="git commit, CI run: whatever the sender knows of where it comes from"),
]
RawJson = Annotated[
    bytes, WithJsonSchema({"description": "The command's own input: JSON, passed on as it is."})
]


class Sent(BaseModel):
    """What comes in: camelCase, and nothing unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, alias_generator=to_camel, populate_by_name=False)


class CommandIn(Sent):
    """One command."""

    code: Annotated[Word, Field(description="the command, like football.goal")]
    input: RawJson = b"{}"
    key: Annotated[Word | None, Field(description="the sender's own: the same key is the same command")] = (
        None
    )
    dry_run: Annotated[bool, Field(strict=True, description="try everything and take it back")] = False
    confirm: Annotated[
        tuple[Word, ...],
        Field(max_length=50, description="names of confirmable rules that the sender overrules"),
    ] = ()
    occurred_at: Annotated[Moment | None, Field(description="when it happened, if not now")] = None
    expect: Annotated[
        Word | None, Field(description="the digest that a preview gave; another one now refuses")
    ] = None


class EventIn(Sent):
    """A new event."""

    code: Code
    name: Word
    timezone: Annotated[Word, Field(description="IANA name, like Asia/Tokyo")]


class DescribeQuery(Sent):
    """Which workflow is meant."""

    subject: Annotated[
        str | None, Field(pattern=r"^(fixture|event):.{1,200}$", description="fixture:ID or event:CODE")
    ] = None
    release: Annotated[Word | None, Field(description="another release than the one that new things get")] = (
        None
    )


class InstallIn(Sent):
    """Which release's programs to publish again."""

    release: Word


class LogQuery(Sent):
    """A page of the log."""

    after: Annotated[int, Field(ge=0, le=2**63 - 1, description="rows after this seq")] = 0
    limit: Annotated[int, Field(ge=1, le=1000, description="rows of a page")] = 200


class CommandQuery(Sent):
    """What goes beside the body of a command."""

    event: Annotated[Code | None, Field(description="code of the event that the caller speaks for")] = None


class NoQuery(Sent):
    """No parameters."""


class ReleaseForm(Sent):
    """The parts of the form that registers a release."""

    flows: Annotated[
        bytes, WithJsonSchema({"type": "string", "format": "binary", "description": "the flows wheel"})
    ]
    contract: Annotated[
        bytes, WithJsonSchema({"type": "string", "format": "binary", "description": "the contract wheel"})
    ]
    env: Annotated[str, Field(pattern="^(proven|staging|prod)$")] = "proven"
    notes: Annotated[str, Field(description="TOML that declares rule changes")] = ""
    report: Annotated[str, Field(description="JSON of a passed replay report, or a list of them")] = ""
    staged_by: Annotated[
        str, Field(description="JSON object with name and sub: who registered it where it comes from")
    ] = ""
    build: Annotated[str, Field(description="JSON object: git commit, CI run")] = ""


class DefaultIn(Sent):
    """Where and from when a release is the default."""

    sport: Word | None = None
    competition: Annotated[Word | None, Field(description="EVENT/COMPETITION, or the code of an event")] = (
        None
    )
    from_at: Annotated[
        Moment | None, Field(alias="from", description="from this moment on; left out: now")
    ] = None
    dry_run: Annotated[bool, Field(strict=True)] = False
    build: Build = Field(default_factory=dict)


class RetireIn(Sent):
    """Why a release is retired."""

    reason: Annotated[str, Field(max_length=2000)] = ""
    dry_run: Annotated[bool, Field(strict=True)] = False
    build: Build = Field(default_factory=dict)


class ReportIn(Sent):
    """A replay report, as `omnium replay --report json` writes it."""

    report: dict[str, Any]
    dry_run: Annotated[bool, Field(strict=True)] = False
    build: Build = Field(default_factory=dict)


class ApproveIn(Sent):
    """An approval for prod."""

    dry_run: Annotated[bool, Field(strict=True)] = False
    build: Build = Field(default_factory=dict)


class MoveIn(Sent):
    """Where a match is moved. First with `dryRun`; then with the digest of that preview."""

    to: Annotated[Word, Field(description="version of the release that the match shall be played under")]
    expect: Annotated[
        Word | None,
        Field(description="the digest that the preview gave; other differences now refuse the move"),
    ] = None
    dry_run: Annotated[bool, Field(strict=True, description="only say what would change")] = False
    reason: Annotated[str, Field(max_length=2000, description="why; kept in log and audit")] = ""
    build: Build = Field(default_factory=dict)


class ExplainQuery(Sent):
    """Which default is asked for."""

    sport: Word
    competition: Word | None = None
    at: Moment | None = None


class CheckQuery(Sent):
    """How far ahead is looked."""

    before: Annotated[float, Field(ge=0, le=24 * 366, description="fixtures that start in so many hours")] = (
        24
    )


class DiffQuery(Sent):
    """Which two releases are compared."""

    old: Word
    new: Word


class AuditQuery(Sent):
    """Which entries."""

    release: Word | None = None
    limit: Annotated[int, Field(ge=1, le=1000)] = 100


class TokenIn(Sent):
    """A token to be made."""

    sub: Word
    name: Annotated[str, StringConstraints(max_length=200), AfterValidator(_printable)] = ""
    kind: Kind = Kind.PERSON
    roles: tuple[Role, ...] = ()
    events: tuple[Code, ...] = ()
    fixtures: tuple[uuid.UUID, ...] = ()
    source: Annotated[str, StringConstraints(max_length=200), AfterValidator(_printable)] = ""
    expires_in_s: Annotated[int, Field(ge=60, le=366 * 86_400)] = 86_400
