"""A made-up sport for the contract's own tests: points to a target, one walk-off, one confirmable rule."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from omnium_contract.flows.components import action, command, validation
from omnium_contract.flows.sport import Sport
from omnium_contract.flows.types import Ctx, Event, Gives, Line, Place, Verdict, ok, reject
from omnium_contract.stats import StatSpec, declared_stat


class RallyFormat(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)
    target: int = Field(default=3, ge=1, description="Points that win")


class PointInput(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)
    entry: str = Field(description="The side that scores")
    scored_by: str | None = Field(default=None, description="Who scored it")
    worth: int = Field(default=1, ge=1, le=9, description="Points")


class RallyCommands:
    @command(
        input=PointInput,
        validations=("is_open", "side_plays", "is_ordinary"),
        actions=("tallies", "placings"),
        actors=({"path": "input.scoredBy", "role": "scorer", "optional": True},),
        description="One point to one side.",
    )
    def point(self) -> None: ...


class RallyValidations:
    @validation(message="The match is over")
    def is_open(self, input: Any, ctx: Ctx[RallyFormat]) -> Verdict:
        return Verdict(ok=ctx.derived["status"] != "finished")

    @validation(message="That side does not play")
    def side_plays(self, input: PointInput, ctx: Ctx[RallyFormat]) -> Verdict:
        return ok() if ctx.fixture.side(input.entry) else reject(f"{input.entry} does not play.")

    @validation(message="More than two points at once", confirmable=True)
    def is_ordinary(self, input: PointInput, ctx: Ctx[RallyFormat]) -> Verdict:
        return Verdict(ok=input.worth <= 2)


class RallyActions:
    def initial(self, ctx: Ctx[RallyFormat]) -> dict[str, Any]:
        return {"status": "scheduled", "points": {side.entry: 0 for side in ctx.fixture.sides}}

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[RallyFormat]) -> dict[str, Any]:
        entry = event.input.get("entry", "")
        points = state["points"]
        points[entry] = points.get(entry, 0) + event.input.get("worth", 1)
        state["status"] = "finished" if points[entry] >= ctx.fixture.format.target else "live"
        return state

    @action(gives=Gives.LINES, keys=("points",))
    def tallies(self, log: tuple[Event, ...], ctx: Ctx[RallyFormat]) -> list[Line]:
        return [Line(entry=side, values={"points": n}) for side, n in ctx.derived["points"].items()]

    @action(gives=Gives.PLACES)
    def placings(self, log: tuple[Event, ...], ctx: Ctx[RallyFormat]) -> list[Place]:
        if ctx.derived["status"] != "finished":
            return []
        points: dict[str, int] = ctx.derived["points"]
        order = sorted(points, key=lambda side: -points[side])
        return [
            Place(entry=s, rank=1 + sum(v > points[s] for v in points.values()), value=points[s])
            for s in order
        ]


class RallyStats:
    best = declared_stat(
        StatSpec(
            key="rally.points.node",
            kind="totals",
            name="Points",
            subject="entry",
            numbers={"points": "points"},
        )
    )


class Rally(RallyCommands, RallyValidations, RallyActions, RallyStats, Sport):
    code = "rally"
    format_model = RallyFormat
    facts: ClassVar[dict[str, str]] = {"points": "Points of a side"}
    roles: ClassVar[frozenset[str]] = frozenset({"scorer"})
