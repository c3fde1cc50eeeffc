"""One event as it meets the match: its input, its format, its printed minute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from omnium_contract.flows.types import Ctx, Event
from omnium_flows.football.match.board import side_name
from omnium_flows.football.match.periods import latest_half, open_half, span
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.shared import clocks

State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tap:
    """An event of the log and the facts that it is folded under."""

    event: Event
    ctx: Ctx[FootballFormat]

    @property
    def input(self) -> Mapping[str, Any]:
        """The validated input; absent members are None of `.get`."""
        return self.event.input

    @property
    def seq(self) -> int:
        """The number of the event."""
        return self.event.seq

    @property
    def at(self) -> str:
        """When it happened."""
        return self.event.occurred_at

    @property
    def format(self) -> FootballFormat:
        """The settings of the match."""
        return self.ctx.fixture.format

    def side(self, entry: str) -> str:
        """The name of a side."""
        return side_name(self.ctx, entry)

    def conflict(self, state: State, sentence: str) -> None:
        """Note that this event no longer fits; it was applied as far as it makes sense."""
        state["conflicts"].append({"seq": self.seq, "sentence": sentence})

    def notice(self, state: State, sentence: str) -> None:
        """Note what a screen must say aloud and not only show."""
        state["notices"].append({"seq": self.seq, "sentence": sentence})


def moment(state: State, tap: Tap) -> dict[str, Any]:
    """Where in the match the event stands: period, printed minute, stoppage; what is not known is absent.

    A typed minute is the printed one. Without it the clock gives it: whole minutes played plus one, capped at
    the period's end and counted on as stoppage.
    """
    half = open_half(state)
    told, minute = tap.input.get("period"), tap.input.get("minute")
    period = told or (latest_half(state) or {}).get("period")
    at: dict[str, Any] = {"period": period} if period else {}
    if minute is not None:
        stoppage = tap.input.get("stoppage")
        return {**at, "minute": minute, **({"stoppage": stoppage} if stoppage else {})}
    if half is None or half["period"] != period:
        return at
    return {**at, **_by_the_clock(state, tap, period)}


def _by_the_clock(state: State, tap: Tap, period: str) -> dict[str, int]:
    shown = clocks.elapsed_ms(state.get("clock", {}), tap.at)
    if shown is None:
        return {}
    start, end = span(period, tap.format)
    minute = start + shown // 60_000 + 1
    return {"minute": minute} if minute <= end else {"minute": end, "stoppage": minute - end}


def elapsed(state: State, tap: Tap) -> int | None:
    """Whole minutes of regular playing time before the event; None where its minute is not known."""
    half = latest_half(state)
    if half is None:
        return 0
    if half["closed"]:
        return int(half["end"])
    at = moment(state, tap)
    if "minute" not in at:
        return None
    start, end = span(at["period"], tap.format)
    return end if at.get("stoppage") else min(max(at["minute"] - 1, start), end)
