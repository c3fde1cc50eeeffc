"""Football's actions: the step that makes the state, the lines and the places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from omnium_contract.flows.components import action
from omnium_contract.flows.types import Ctx, Event, Gives, Line, Place
from omnium_flows.football.constants import FACTS, STAT_FACTS
from omnium_flows.football.match import cards, goals, people, play, shootout, tallies
from omnium_flows.football.match.lines import all_lines
from omnium_flows.football.match.periods import aggregate, open_half
from omnium_flows.football.match.result import official_score
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.match.tap import State, Tap


def _count(state: State, tap: Tap) -> None:
    """Something that is counted: a shot, a corner, …"""
    entry = tap.input["entry"]
    if open_half(state) is None or entry not in state["sides"]:
        tap.conflict(state, "Nothing is in play: this does not count.")
        return
    for fact in STAT_FACTS[tap.input["kind"]]:
        tallies.add_for_side(state, entry, fact)
        tallies.add(state, entry, tap.input.get("player"), fact)


#: What each event does to the state. One that is not here changes nothing.
STEPS: Final[Mapping[str, Callable[[State, Tap], None]]] = {
    "football.lineup": people.lineup,
    "football.match_start": play.match_start,
    "football.half_start": play.half_start,
    "football.half_end": play.half_end,
    "football.match_end": play.match_end,
    "football.injury_time": play.injury_time,
    "football.interrupt": play.interrupt,
    "football.resume": play.resume,
    "football.abandon": play.abandon,
    "football.award": play.award,
    "football.goal": goals.goal,
    "football.goal_cancel": goals.goal_cancel,
    "football.penalty": goals.penalty,
    "football.card": cards.card,
    "football.card_cancel": cards.card_cancel,
    "football.card_move": cards.card_move,
    "football.substitution": people.substitution,
    "football.shootout_start": shootout.shootout_start,
    "football.shootout_exclude": shootout.shootout_exclude,
    "football.shootout_kick": shootout.shootout_kick,
    "football.stat": _count,
}
#: Members of the state that are empty before the first event, by kind.
_LISTS: Final = ("halves", "scorers", "penalties", "cards", "notices", "conflicts")
_MAPPINGS: Final = (
    "goals", "byPlayer", "counts", "lineups", "onField", "bench", "left", "sentOff", "playersLeft", "subs",
    "excluded",
)  # fmt: skip


class FootballActions:
    """Mixed into `Football`."""

    def initial(self, ctx: Ctx[FootballFormat]) -> State:
        """The board before the first event: the sides of the fixture and nothing else."""
        sides = sorted(ctx.fixture.sides, key=lambda side: side.position)
        return {
            "status": "scheduled",
            "started": False,
            "done": False,
            "abandoned": False,
            "drawn": False,
            "sides": [side.entry for side in sides],
            "halvesPlayed": 0,
            "halfOpen": False,
            "playedInFull": False,
            **{name: [] for name in _LISTS},
            **{name: {} for name in _MAPPINGS},
        }

    @action(
        gives=Gives.STATE, reads=("event",), title="The match", description="The board, one event further."
    )
    def state(self, state: State, event: Event, ctx: Ctx[FootballFormat]) -> State:
        """One event further. Never raises: what no longer fits is noted in `conflicts`."""
        step = STEPS.get(event.code)
        if step is None:
            return state
        step(state, Tap(event, ctx))
        is_open = open_half(state) is not None
        state["halvesPlayed"] = len(state["halves"])
        state["halfOpen"] = is_open
        if ctx.fixture.format.has_first_leg and state["started"]:
            both = aggregate(state, ctx.fixture.format)
            state["aggregate"] = dict(zip(state["sides"], both, strict=False))
        state["playedInFull"] = len(state["halves"]) >= ctx.fixture.format.halves and not is_open
        return state

    @action(
        gives=Gives.LINES,
        reads=("derived",),
        keys=tuple(FACTS),
        title="Numbers",
        description="Goals a side and period, and every number of each side and person.",
    )
    def tallies(self, log: tuple[Event, ...], ctx: Ctx[FootballFormat]) -> list[Line]:
        """The lines of the match as it stands."""
        return list(all_lines(ctx.derived, ctx.fixture.format))

    @action(
        gives=Gives.PLACES,
        reads=("derived",),
        title="Places",
        description="Winner and loser of a match that is over, or both level at a draw.",
    )
    def placings(self, log: tuple[Event, ...], ctx: Ctx[FootballFormat]) -> list[Place]:
        """First and second; a draw is both first. A match that is not over, or abandoned, places nobody."""
        state: Mapping[str, Any] = ctx.derived
        if not state.get("done") or state.get("abandoned"):
            return []
        winner = state.get("winner")
        return [_place(state, entry, winner) for entry in state["sides"]]


def _place(state: Mapping[str, Any], entry: str, winner: str | None) -> Place:
    scored = official_score(state).get(entry, 0)
    kicks = (state.get("shootout") or {}).get("score", {}).get(entry)
    return Place(
        entry=entry,
        rank=1 if winner in (None, entry) else 2,
        shared=winner is None,
        display=str(scored) if kicks is None else f"{scored} ({kicks})",
        value=scored,
    )
