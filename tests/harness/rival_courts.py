"""Releases of the court game that tell a match otherwise: what a move to each of them shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import orjson

from harness import courts
from harness.arena import Arena, publish
from harness.courts import (
    CourtActions,
    CourtCommands,
    CourtFormat,
    CourtStats,
    CourtValidations,
)
from omnium_contract.flows.components import action, validation
from omnium_contract.flows.sport import Sport
from omnium_contract.flows.types import Ctx, Event, Gives, Line, Verdict
from omnium_proto import command_pb2, move_pb2
from omnium_worker.host import Host
from omnium_worker.moves import Moves
from omnium_worker.road import Road

NEW = "0.2.0+g000000000002"
_STEP, _TALLIES = CourtActions.state, CourtActions.tallies


class ThreesCountFour(CourtActions):
    """The bug that is mended: a three was one point short."""

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        if event.code == "court.point" and event.input["worth"] == 3:
            event = Event(
                seq=event.seq,
                code=event.code,
                input={**event.input, "worth": 4},
                occurred_at=event.occurred_at,
                actor=event.actor,
                confirmed=event.confirmed,
            )
        return _STEP(self, state, event, ctx)


class CallsToo(CourtActions):
    """Knows one more number, and one more member of the state."""

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        after = _STEP(self, state, event, ctx)
        calls = after.setdefault("calls", {"made": 0})
        calls["made"] += 1
        return after

    @action(gives=Gives.LINES, keys=("points", "calls"))
    def tallies(self, log: tuple[Event, ...], ctx: Ctx[CourtFormat]) -> list[Line]:
        return [
            *_TALLIES(self, log, ctx),
            *(
                Line(entry=entry, values={"calls": ctx.derived["calls"]["made"]})
                for entry in ctx.derived["points"]
            ),
        ]


class NeverEnds(CourtActions):
    """No number of points wins."""

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        after = _STEP(self, state, event, ctx)
        return {**after, "status": "live"}


class FailsOnThrees(CourtActions):
    """A step that is not total."""

    @action(gives=Gives.STATE, reads=("event",))
    def state(self, state: dict[str, Any], event: Event, ctx: Ctx[CourtFormat]) -> dict[str, Any]:
        if event.input.get("worth") == 3:
            raise ZeroDivisionError("three")
        return _STEP(self, state, event, ctx)


class NoThrees(CourtValidations):
    """A rule that would have refused what is logged."""

    @validation(message="A point is worth one or two.")
    def side_plays(self, input: courts.Point, ctx: Ctx[CourtFormat]) -> Verdict:
        return Verdict(ok=input.worth != 3)


def court(
    actions: type[CourtActions] = CourtActions,
    validations: type[CourtValidations] = CourtValidations,
    model: type[CourtFormat] = CourtFormat,
) -> type[Sport]:
    """The court game with other actions or rules."""

    class Court(CourtCommands, validations, actions, CourtStats, Sport):  # type: ignore[valid-type, misc]
        code = "court"
        title = "Court"
        format_model = model
        facts: ClassVar[dict[str, str]] = {"points": "Points", "wins": "Wins", "calls": "Calls"}
        roles: ClassVar[frozenset[str]] = frozenset({"scorer"})
        fixture_types = ("match", "final")

    return Court


@dataclass(slots=True)
class Rival:
    """Another release in an arena, and what a worker of it does."""

    arena: Arena
    host: Host
    moves: Moves
    road: Road

    async def ask(
        self, *, expect: str = "", dry_run: bool = False, reason: str = "", fixture: object = None
    ) -> dict[str, Any]:
        """A move, or its preview; the answer."""
        response = await self.moves.move(
            move_pb2.MoveRequest(
                fixture=str(fixture or self.arena.fixture),
                dry_run=dry_run,
                expect=expect,
                reason=reason,
                sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub="max", name="Max"),
                build={"commit": "abc"},
                request_id="req-1",
            ),
            timeout=20,
        )
        answer: dict[str, Any] = orjson.loads(response.answer)
        assert response.changed == (answer["changed"] and not dry_run)
        return answer

    async def preview(self) -> dict[str, Any]:
        """What it would change."""
        return await self.ask(dry_run=True)

    async def take_over(self, *, reason: str = "") -> dict[str, Any]:
        """The move, with what was just previewed."""
        return await self.ask(expect=(await self.preview())["digest"], reason=reason)

    async def problems(self) -> tuple[str, ...]:
        """What verifying the match under this release finds."""
        return await self.arena.problems(self.host)


async def rival(
    arena: Arena, game: type[Sport], *, version: str = NEW, code_sha: str = "2" * 64, **settings: Any
) -> Rival:
    """A release of `game` in prod, beside the arena's own. `settings` are those of its `Moves`."""
    release = await arena.world.release(version)
    await arena.connection.execute("UPDATE plugin_release SET code_sha = $2 WHERE id = $1", release, code_sha)
    told: Mapping[str, Any] = {"release": release, "version": version, "code_sha": code_sha}
    host = courts.host(game, courts.Desk, courts.Office, **told)
    await publish(arena.connection, host)
    moves = Moves(host, arena.pool, lambda: arena.bells.append(None), **settings)
    return Rival(arena, host, moves, Road(host, arena.pool, host.identity, lambda: arena.bells.append(None)))
