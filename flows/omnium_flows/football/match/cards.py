"""Cards: what each is follows from all that stand against its person, so each change settles all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from omnium_flows.football.constants import Colour, Role
from omnium_flows.football.match import order, tallies
from omnium_flows.football.match.board import card_numbered, phase_now
from omnium_flows.football.match.stays import put_back, send_off
from omnium_flows.football.match.tap import State, Tap, moment

#: Names of the two rules that a scorer overrules with a second yellow; the log row has them.
FIRST = "caution_is_first"
SHOWN = "caution_was_shown"
_NUMBERS = {"yellow": "yellowCards", "second_yellow": "secondYellows", "red": "straightReds"}


def card(state: State, tap: Tap) -> None:
    """A card is shown."""
    told = tap.input
    row: dict[str, Any] = {
        "seq": tap.seq,
        "entry": told["entry"],
        "person": told["person"],
        "role": told.get("role", Role.PLAYER.value),
        "shown": told["colour"],
        "colour": told["colour"],
        "phase": told.get("phase") or _phase(state, tap),
        **({"reason": told["reason"]} if told.get("reason") else {}),
        **moment(state, tap),
    }
    row["label"] = order.label(row)
    _remember_overruled(row, tap)
    order.place(state["cards"], row)
    _settle(state, tap, row["entry"], row["person"])


def card_cancel(state: State, tap: Tap) -> None:
    """A card that does not stand."""
    row = _standing(state, tap)
    if row is not None:
        row["cancelled"] = True
        _settle(state, tap, row["entry"], row["person"])


def card_move(state: State, tap: Tap) -> None:
    """A card shown to the wrong person: it is another one's, and so is what follows from it."""
    row = _standing(state, tap)
    if row is None:
        return
    before, row["person"] = row["person"], tap.input["to"]
    _remember_overruled(row, tap)
    _settle(state, tap, row["entry"], before)
    _settle(state, tap, row["entry"], row["person"])


def _phase(state: State, tap: Tap) -> str:
    """What the match is at; a minute typed in a break is one of play."""
    now = phase_now(state, tap.format)
    return "live" if now in ("half_time", "after") and tap.input.get("minute") else now


def _standing(state: State, tap: Tap) -> dict[str, Any] | None:
    row = card_numbered(state, tap.input["seq"])
    if row is None or "cancelled" in row:
        tap.conflict(state, f"There is no standing card {tap.input['seq']}.")
        return None
    return row


def _remember_overruled(row: dict[str, Any], tap: Tap) -> None:
    """Keep on the card what the scorer insisted on: `sends_off`, or a second yellow without a first."""
    row["insisted"] = SHOWN in tap.event.confirmed
    row["sendsOff"] = row["shown"] == Colour.SECOND_YELLOW or FIRST in tap.event.confirmed


def _settle(state: State, tap: Tap, entry: str, person: str) -> None:
    """Say anew what each standing card of the person is, what the person's numbers are, and who is off."""
    rows = [
        c for c in state["cards"] if c["entry"] == entry and c["person"] == person and "cancelled" not in c
    ]
    _name_colours(state, tap, rows)
    numbers = tallies.of_person(state, entry, person)
    for colour, number in _NUMBERS.items():
        numbers[number] = sum(row["colour"] == colour for row in rows)
    if any(row["role"] == Role.OFFICIAL for row in rows):
        numbers["role"] = Role.OFFICIAL.value
    dismissal = next((row for row in rows if row["colour"] != Colour.YELLOW), None)
    if dismissal is not None:
        send_off(state, tap, dismissal)
    else:
        put_back(state, entry, person)


def _name_colours(state: State, tap: Tap, rows: Iterable[dict[str, Any]]) -> None:
    """A caution in play does not carry into the shoot-out (Law 10.3), so each is counted apart."""
    cautioned: set[bool] = set()
    off = False
    for row in rows:
        span = row["phase"] == "shootout"
        was, row["colour"] = row["colour"], _colour(row, cautioned=span in cautioned, off=off)
        if row["colour"] == Colour.YELLOW:
            cautioned.add(span)
        off = off or row["colour"] != Colour.YELLOW
        if (
            row["colour"] == Colour.YELLOW
            and row["sendsOff"]
            and (was != Colour.YELLOW or row["seq"] == tap.seq)
        ):
            sentence = (
                f"{row['person']} is shown off the field for a first caution. Put {row['person']} back?"
            )
            state["conflicts"].append({"seq": row["seq"], "sentence": sentence})


def _colour(row: dict[str, Any], *, cautioned: bool, off: bool) -> str:
    shown = str(row["shown"])
    if shown == Colour.RED or off:
        return shown
    if cautioned or (shown == Colour.SECOND_YELLOW and row["insisted"]):
        return Colour.SECOND_YELLOW.value
    return Colour.YELLOW.value
