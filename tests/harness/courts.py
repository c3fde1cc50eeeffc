"""Workflows for the engine's tests: a game with every kind of component, a desk and an office of records."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from omnium_contract.flows.components import action, branch, command, validation
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.sport import Sport, Workflow
from omnium_contract.flows.types import (
    Ctx,
    Event,
    Gives,
    Line,
    Place,
    Record,
    RecordCtx,
    Verdict,
    When,
    ok,
    reject,
)
from omnium_contract.stats import StatSpec, declared_stat
from omnium_worker.guard import Guard, OverBudget, Unguarded
from omnium_worker.host import Host
from omnium_worker.identity import Identity

SHA = "0" * 64


class _Input(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)


class CourtFormat(_Input):
    target: int = Field(default=1000, ge=1, description="Points that win")


class Start(_Input):
    pass


class Point(_Input):
    entry: str = Field(description="The side that scores")
    scored_by: str | None = Field(default=None, description="Who scored it")
    worth: int = Field(default=1, ge=1, le=99, description="Points")


class Trouble(_Input):
    where: Literal["rule", "step", "lines", "verdict", "exit", "loop"] = Field(description="What goes wrong")


class Rows(_Input):
    rows: list[dict[str, str]] = Field(description="Rows of an import")


class CourtCommands:
    @command(input=Start, validations=("not_started",), actions=("state", "tallies"), description="Begin.")
    def start(self) -> None: ...

    @command(
        input=Point,
        validations=("is_open", "side_plays", "is_ordinary"),
        actions=("tallies",),
        branches=("crowned",),
        stats=("table",),
        actors=({"path": "input.scoredBy", "role": "scorer", "optional": True},),
        description="Points to one side.",
    )
    def point(self) -> None: ...

    @command(input=Trouble, validations=("trouble",), actions=("troubled",), description="Misbehave.")
    def misbehave(self) -> None: ...

    @command(input=Start, validations=("after_three",), description="Only after three events.")
    def late(self) -> None: ...

    @command(input=Start, validations=("all_is_read",), description="Says what it could read.")
    def census(self) -> None: ...

    @command(input=Start, applies_to=("final",), description="In a final.")
    def anthem(self) -> None: ...

    @command(
        input=Rows, imports=True, fields=({"name": "row", "label": "Row"},), description="What a feed sends."
    )
    def feed(self) -> None: ...


class CourtValidations:
    @validation(message="It has begun")
    def not_started(self, input: Any, ctx: Ctx[CourtFormat]) -> Verdict:
        return Verdict(ok=ctx.derived["status"] == "scheduled")

    @validation(message="Nothing is on")
    def is_open(self, input: Any, ctx: Ctx[CourtFormat]) -> Verdict:
        return Verdict(ok=ctx.derived["status"] == "live")

    @validation(message="That side does not play")
    def side_plays(self, input: Point, ctx: Ctx[CourtFormat]) -> Verdict:
        return ok() if ctx.fixture.side(input.entry) else reject(f"{input.entry} does not play.")

    @validation(message="More than ten points at once", confirmable=True)
    def is_ordinary(self, input: Point, ctx: Ctx[CourtFormat]) -> Verdict:
        return Verdict(ok=input.worth <= 10)

    @validation(message="Not yet", reads=("log",))
    def after_three(self, input: Any, ctx: Ctx[CourtFormat]) -> Verdict:
        return Verdict(ok=len(ctx.log) >= 3)

    @validation(message="Read", reads=("masters", "stats", "children"))
    def all_is_read(self, input: Any, ctx: Ctx[CourtFormat]) -> Verdict:
        masters = sorted(str(master["name"]) for master in ctx.masters.values())
        children = [str(child["id"]) for child in ctx.children]
        return reject(f"{masters} {dict(ctx.stats)} {children}")

    @validation(message="No")
    def trouble(self, input: Trouble, ctx: Ctx[CourtFormat]) -> Any:
        match input.where:
            case "rule":
                raise RuntimeError("as asked")
            case "exit":
                raise SystemExit(3)
            case "loop":
                raise OverBudget("court.trouble")
            case "verdict":
                return True
        return ok()


class CourtActions:
    worth: ClassVar[int] = 1

    def initial(self, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        return {"status": "scheduled", "points": {side.entry: 0 for side in ctx.fixture.sides}}

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        match event.code:
            case "court.start":
                state["status"] = "live"
                state["startedAt"] = event.occurred_at
            case "court.point":
                entry = event.input["entry"]
                state["points"][entry] = state["points"].get(entry, 0) + self.worth * event.input["worth"]
                state["last"] = event.input.get("scoredBy")
                if state["points"][entry] >= ctx.fixture.format.target:
                    state["status"] = "finished"
            case "court.misbehave" if event.input["where"] == "step":
                raise ZeroDivisionError("as asked")
        return state

    @action(gives=Gives.LINES, keys=("points",))
    def tallies(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> list[Line]:
        sides = ctx.derived["points"].items()
        whole = [Line(entry=entry, values={"points": n}) for entry, n in sides if n]
        return [
            *whole,
            *(Line(entry=e, segment="last", values={"points": n % 10}) for e, n in sides if n % 10),
        ]

    @action(gives=Gives.LINES, keys=("points",))
    def troubled(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> list[Line]:
        return [Line(values={"unknown": 1})]

    @action(gives=Gives.LINES, keys=("wins",), when=When.FINISHED)
    def laurels(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> list[Line]:
        points = ctx.derived["points"]
        return [Line(entry=max(points, key=lambda entry: points[entry]), values={"wins": 1})]

    @action(gives=Gives.PLACES)
    def placings(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> list[Place]:
        points = ctx.derived["points"]
        order = sorted(points, key=lambda entry: (-points[entry], entry))
        return [
            Place(entry=e, rank=n, value=points[e], display=str(points[e])) for n, e in enumerate(order, 1)
        ]

    @branch(actions=("placings",))
    def crowned(self, input: Any, ctx: Ctx[CourtFormat]) -> tuple[str, ...]:
        return ("placings",) if ctx.derived["status"] == "finished" else ()


class CourtStats:
    table = declared_stat(
        StatSpec(key="court.points.node", kind="totals", name="Points", numbers={"points": "points"})
    )


class EditSide(_Input):
    side: uuid.UUID = Field(description="Which side")
    rank: int | None = Field(default=None, description="Its rank")
    score: str | None = Field(default=None, description="Its score")


class Desk(Workflow):
    """Records of a fixture."""

    code = "desk"
    subject: ClassVar[Literal["fixture", "event"]] = "fixture"

    @command(
        input=EditSide, validations=("side_is_in_fixture",), actions=("edited",), description="Edit one."
    )
    def edit_side(self) -> None: ...

    @command(input=EditSide, actions=("edited", "edited_elsewhere"), description="Edit one and a stranger.")
    def edit_two(self) -> None: ...

    @command(input=EditSide, actions=("unheard_of",), description="A record that nobody writes.")
    def scribble(self) -> None: ...

    @validation(message="That side is not part of this fixture")
    def side_is_in_fixture(self, input: Any, ctx: RecordCtx) -> Verdict:
        sides = ctx.fixture.sides if ctx.fixture else ()
        return Verdict(ok=str(input["side"]) in {side.entry for side in sides})

    @action(gives=Gives.RECORDS)
    def edited(self, input: EditSide, ctx: RecordCtx) -> list[Record]:
        sent = input.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return [Record(kind="fixture.sides.set", data=sent)]

    @action(gives=Gives.RECORDS)
    def edited_elsewhere(self, input: EditSide, ctx: RecordCtx) -> list[Record]:
        return [Record(kind="fixture.sides.set", data={"side": str(uuid.UUID(int=7)), "rank": 1})]

    @action(gives=Gives.RECORDS)
    def unheard_of(self, input: EditSide, ctx: RecordCtx) -> list[Record]:
        return [Record(kind="fixture.nonsense.set", data={})]


class AddUnit(_Input):
    competition: str = Field(description="Code of the competition")
    code: str = Field(description="Its code")


class CancelUnit(_Input):
    fixture: uuid.UUID = Field(description="Which")


class Office(Workflow):
    """Records of an event."""

    code = "office"
    subject: ClassVar[Literal["fixture", "event"]] = "event"

    @command(input=AddUnit, actions=("added",), description="One more fixture.")
    def add_unit(self) -> None: ...

    @command(input=CancelUnit, actions=("cancelled",), description="Not held.")
    def cancel_unit(self) -> None: ...

    @action(gives=Gives.RECORDS)
    def added(self, input: AddUnit, ctx: RecordCtx) -> list[Record]:
        unit = {
            "competition": input.competition,
            "code": input.code,
            "sport": "court",
            "fixtureType": "match",
            "archetype": "duel",
            "scoringMode": "events",
            "sides": [{"name": "Home"}, {"name": "Away"}],
        }
        return [Record(kind="fixture.add", data=unit)]

    @action(gives=Gives.RECORDS)
    def cancelled(self, input: CancelUnit, ctx: RecordCtx) -> list[Record]:
        return [Record(kind="fixture.cancel", data={"fixture": str(input.fixture)})]


def court(*, worth: int = 1, whole_log: bool = False) -> type[Sport]:
    """The game; `worth` is a rule that another release may have otherwise; `whole_log`: folded at once."""
    return _court_of_the_whole_log() if whole_log else _court(worth)


def registry(*workflows: type[Workflow]) -> Registry:
    """What a release's entry points would give."""
    made = Registry()
    for workflow in workflows or (court(), Desk, Office):
        made.add_workflow(workflow)
    return made


def host(
    *workflows: type[Workflow],
    release: uuid.UUID | None = None,
    version: str = "0.1.0+g000000000001",
    code_sha: str = SHA,
    guard: Guard | None = None,
) -> Host:
    """A host of these workflows, as a worker would have it."""
    identity = Identity(
        version=version,
        release_id=release or uuid.UUID(int=1),
        code_sha=code_sha,
        contract_sha=SHA,
        runtime_sha="1" * 64,
    )
    return Host(registry(*workflows), identity, guard or Unguarded())


def _court(points_worth: int) -> type[Sport]:
    class Court(CourtCommands, CourtValidations, CourtActions, CourtStats, Sport):
        code = "court"
        title = "Court"
        format_model = CourtFormat
        facts: ClassVar[dict[str, str]] = {"points": "Points", "wins": "Wins"}
        roles: ClassVar[frozenset[str]] = frozenset({"scorer"})
        fixture_types = ("match", "final")
        worth = points_worth

    return Court


def _court_of_the_whole_log() -> type[Sport]:
    step = CourtActions.state

    class WholeLog(CourtActions):
        @action(gives=Gives.STATE, reads=("log",))
        def state(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> dict[str, Any]:  # type: ignore[override]
            state = self.initial(ctx)
            for event in log:
                state = step(self, state, event, ctx)
            return state

    class Court(CourtCommands, CourtValidations, WholeLog, CourtStats, Sport):
        code = "court"
        format_model = CourtFormat
        facts: ClassVar[dict[str, str]] = {"points": "Points", "wins": "Wins"}
        roles: ClassVar[frozenset[str]] = frozenset({"scorer"})

    return Court
