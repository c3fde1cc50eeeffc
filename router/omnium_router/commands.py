"""A command, from whichever front: placed, allowed, given to its release."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from omnium_proto import command_pb2
from omnium_router import access
from omnium_router.forwarding import Forwarding, Parcel
from omnium_router.identities import LIVE, CommandIdentity, ReleaseRef
from omnium_router.metrics import Metrics
from omnium_router.pins import Located, LocatedEvent, Pins
from omnium_router.programs import Program, Programs
from omnium_store.access import Kind
from omnium_store.errors import BadRequest, NotFound, OmniumError
from omnium_store.tokens import Caller

SENDER_KINDS: Final = {
    Kind.PERSON: command_pb2.SENDER_KIND_PERSON,
    Kind.INTEGRATION: command_pb2.SENDER_KIND_INTEGRATION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What a caller asks for."""

    workflow: str
    kind: str
    ref: str
    event: str
    code: str
    input: bytes
    key: str
    request_id: str
    dry_run: bool = False
    confirm: tuple[str, ...] = ()
    occurred_at: str = ""
    expect: str = ""
    traceparent: str = ""
    timeout_s: float | None = None  # None: as long as the sort of command may take


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a command belongs."""

    event: str
    fixture: uuid.UUID | None
    ref: str
    workflow: str
    release: ReleaseRef
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How long a command may take, by who sends it."""

    person_s: float
    import_s: float


class Commands:
    """The one way of a command through the router, shared by the HTTP and the gRPC front."""

    def __init__(
        self,
        pins: Pins,
        programs: Programs,
        forwarding: Forwarding,
        *,
        metrics: Metrics,
        limits: TimeLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pins = pins
        self._programs = programs
        self._forwarding = forwarding
        self._metrics = metrics
        self._limits = limits
        self._clock = clock

    async def run(self, caller: Caller, command: Command, *, front: str) -> command_pb2.ExecuteResponse:
        """The worker's answer. Raises `OmniumError`."""
        release = code = ""
        try:
            access.require(caller, "commands.send")
            _check(command)
            placed = await self._place(command)
            access.require_scope(caller, event=placed.event, fixture=placed.fixture)
            program = await self._program(placed)
            release = placed.release.version
            code = command.code if command.code in program.codes else "unknown"
            access.require(caller, row_of(program, command.code))
            response = await self._forwarding.forward(self._parcel(caller, command, placed))
        except OmniumError as error:
            self._metrics.command(front, release, code, error.reason)
            raise
        self._metrics.command(front, response.release.version, code, outcome_of(response))
        return response

    async def _place(self, command: Command) -> Placed:
        match command.kind:
            case "fixture":
                return await self._place_on_fixture(command)
            case "event":
                return await self._place_on_event(command)
            case _:
                raise BadRequest(
                    f"A subject is a fixture or an event, not {command.kind!r}.", reason="bad_parameter"
                )

    async def _place_on_fixture(self, command: Command) -> Placed:
        located = await self._pins.fixture(fixture_id(command.ref))
        if command.event and command.event != located.event:
            raise NotFound(f"Event {command.event} has no fixture {located.id}.", reason="no_such_fixture")
        workflow = await self._workflow(located, command.workflow)
        pinned = located.release if workflow == located.workflow else None
        release = pinned or await self._pins.default(located.sport_id, located.competition_id)
        return Placed(
            event=located.event,
            fixture=located.id,
            ref=str(located.id),
            workflow=workflow,
            release=release,
            is_pinned=pinned is not None,
        )

    async def _place_on_event(self, command: Command) -> Placed:
        event = await self._pins.event(command.ref)
        if command.event not in ("", event.code):
            raise BadRequest(f"The subject is event {event.code}, but ?event= says {command.event}.",
                             reason="bad_parameter")  # fmt: skip
        release = await self._default_of_event(event, command.workflow)
        return Placed(
            event=event.code,
            fixture=None,
            ref=event.code,
            workflow=command.workflow,
            release=release,
            is_pinned=False,
        )

    async def _default_of_event(self, event: LocatedEvent, workflow: str) -> ReleaseRef:
        return await self._pins.default(await self._pins.sport(workflow), event.id)

    async def _workflow(self, located: Located, asked: str) -> str:
        """The fixture's own workflow where it is a format of the one that was asked for."""
        if asked == located.workflow or located.release is None:
            return asked
        own = await self._programs.find(located.release, located.workflow)
        return located.workflow if own is not None and own.document.get("parent") == asked else asked

    async def _program(self, placed: Placed) -> Program:
        program = await self._programs.find(placed.release, placed.workflow)
        if program is None:
            raise NotFound(
                f"Release {placed.release.version} has no workflow {placed.workflow}.",
                reason="no_such_workflow",
            )
        subject = "fixture" if placed.fixture else "event"
        if program.subject != subject:
            raise BadRequest(
                f"{placed.workflow} acts on a {program.subject}, not on a {subject}.", reason="wrong_subject"
            )
        return program

    def _parcel(self, caller: Caller, command: Command, placed: Placed) -> Parcel:
        most = self._limits.import_s if caller.kind is Kind.INTEGRATION else self._limits.person_s
        timeout_s = most if command.timeout_s is None else min(command.timeout_s, most)
        subject = "fixture" if placed.fixture else "event"
        key = command.key or f"dry-run:{command.request_id}"  # a dry run leaves no key behind
        request = command_pb2.ExecuteRequest(
            workflow=placed.workflow,
            subject=command_pb2.Subject(kind=subject, ref=placed.ref),
            event=placed.event,
            code=command.code,
            input=command.input,
            key=key,
            dry_run=command.dry_run,
            confirm=command.confirm,
            occurred_at=command.occurred_at,
            expect=command.expect,
            sender=command_pb2.Sender(
                kind=SENDER_KINDS[caller.kind], sub=caller.sub, name=caller.name, source=caller.source
            ),
            request_id=command.request_id,
            traceparent=command.traceparent,
        )
        return Parcel(
            request=request,
            identity=CommandIdentity(caller.sender, f"{subject}/{placed.ref}", key),
            fixture=placed.fixture,
            affinity=placed.fixture.int if placed.fixture and placed.is_pinned else None,
            release=placed.release,
            lane=LIVE,
            deadline=self._clock() + timeout_s,
        )


def row_of(program: Program, code: str) -> str:
    """The row of the access table that a command of this program falls under."""
    if code in program.imports:
        return "commands.import"
    return "commands.fold" if program.mode == "fold" else "commands.apply"


def outcome_of(response: command_pb2.ExecuteResponse) -> str:
    """Accepted, duplicate, or the kind of refusal."""
    if response.refusal:
        return response.refusal
    return "duplicate" if response.duplicate else "accepted"


def fixture_id(ref: str) -> uuid.UUID:
    """A fixture's id. Raises `BadRequest`."""
    try:
        return uuid.UUID(ref)
    except ValueError:
        raise BadRequest("A fixture is named by its id (a UUID).", reason="bad_parameter") from None


def _check(command: Command) -> None:
    if not command.code:
        raise BadRequest("`code` names the command, like football.goal.", reason="bad_field")
    if not command.key and not command.dry_run:
        raise BadRequest(
            "A command that changes something needs a `key` of the sender's own: "
            "sent again with the same key it is the same command.",
            reason="key_required",
        )
