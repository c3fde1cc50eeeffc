"""Line-ups and substitutions: who may play, who replaces whom, and what each side has left."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.constants import Colour, SubKind
from omnium_flows.football.match import stays, tallies
from omnium_flows.football.match.board import (
    absence,
    gave_lineup,
    is_sent_off,
    on_bench,
    opponent,
    players_left,
    subs_allowed,
    subs_of,
    windows_allowed,
)
from omnium_flows.football.match.periods import View, open_half
from omnium_flows.football.match.tap import State, Tap, moment

_USED = {
    SubKind.NORMAL.value: "used",
    SubKind.CONCUSSION.value: "concussion",
    SubKind.OPPONENT_CONCUSSION.value: "additional",
}


def lineup(state: State, tap: Tap) -> None:
    """A side names its squad; before kick-off a new one takes the place of the old."""
    told, entry = tap.input, tap.input["entry"]
    if state["started"]:
        tap.conflict(state, "The match has kicked off: a line-up comes before it.")
        return
    state["lineups"][entry] = {
        name: told[name] for name in ("starters", "bench", "captain", "keeper") if told.get(name)
    }
    state["onField"][entry] = list(told["starters"])
    state["bench"][entry] = list(told.get("bench") or ())
    state["playersLeft"][entry] = len(told["starters"])
    state["left"].pop(entry, None)
    state["sentOff"].pop(entry, None)
    for card in state["cards"]:
        if card["entry"] == entry and card["colour"] != Colour.YELLOW and "cancelled" not in card:
            stays.send_off(state, tap, card)


def substitution(state: State, tap: Tap) -> None:
    """One goes off, one comes on. Before kick-off it is a change of the line-up and uses nothing."""
    told, entry = tap.input, tap.input["entry"]
    problem = misfit(state, entry, told["off"], told["on"])
    if problem is None:
        _exchange(state, tap, entry, (told["off"], told["on"]))
    else:
        tap.conflict(state, problem)
    if state["started"]:
        tallies.add(state, entry, told["off"], "subOff")
        tallies.add(state, entry, told["on"], "subOn")
        _use(state, tap, entry, told.get("kind", SubKind.NORMAL.value))


def misfit(state: Any, entry: str, off: str, on: str) -> str | None:
    """Why these two cannot change places in a squad that was named; None if they can."""
    if not gave_lineup(state, entry):
        return None
    replaces_sent_off = not state.get("started") and is_sent_off(state, entry, off)
    gone = None if replaces_sent_off else absence(state, entry, off)
    if gone is not None or on in on_bench(state, entry):
        return gone
    waiting = absence(state, entry, on)
    return f"{on} is on the field already." if waiting is None else waiting


def show_left(state: State, tap: Tap) -> None:
    """Write beside what each side has used what it has left."""
    for kept in state["subs"].values():
        kept["left"] = max(0, subs_allowed(state, tap.format) - kept["used"])
        allowed = windows_allowed(state, tap.format)
        if allowed:
            kept["windowsLeft"] = max(0, allowed - len(kept["windows"]))


def window_of(state: State, tap: Tap) -> str | None:
    """The stoppage that a substitution made now would use; None in a break, where it uses none.

    The desk may name it; without a name it is the printed minute.
    """
    if open_half(state) is None:
        return None
    at = moment(state, tap)
    named = tap.input.get("window") or window_at(
        state, at.get("period"), at.get("minute"), at.get("stoppage")
    )
    return str(named or f"#{tap.seq}")


def window_at(state: View, period: str | None, minute: int | None, stoppage: int | None) -> str | None:
    """What a stoppage without a name is kept as: its printed minute."""
    half = open_half(state)
    if half is None or minute is None:
        return None
    return f"{period or half['period']} {minute}+{stoppage or 0}"


def _exchange(state: State, tap: Tap, entry: str, pair: tuple[str, str]) -> None:
    off, on = pair
    named = gave_lineup(state, entry)
    if is_sent_off(state, entry, off):
        state["playersLeft"][entry] = players_left(state, entry, tap.format) + 1
    else:
        stays.end(state, tap, entry, off)
        may_return = named and tap.format.return_subs
        state["bench" if may_return else "left"].setdefault(entry, []).append(off)
    for waiting in (state["bench"].get(entry), state["left"].get(entry)):
        if waiting and on in waiting:
            waiting.remove(on)
    if named:
        stays.begin(state, tap, entry, on)


def _use(state: State, tap: Tap, entry: str, kind: str) -> None:
    """Count the substitution, and its stoppage where play was on: breaks use no window."""
    kept, window = subs_of(state, entry), window_of(state, tap)
    kept[_USED[kind]] += 1
    if kind == SubKind.NORMAL and window is not None and window not in kept["windows"]:
        kept["windows"] = [*kept["windows"], window]
    state["subs"][entry] = kept
    other = opponent(state, entry)
    if kind == SubKind.CONCUSSION and other is not None:
        state["subs"][other] = subs_of(state, other)
        state["subs"][other]["granted"] += 1
        tap.notice(state, f"{tap.side(other)} may make one additional substitution.")
    show_left(state, tap)
