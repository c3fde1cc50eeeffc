"""What rules and step read of the people of a match: who is on the field, who may come on, who is ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnium_contract.flows.types import Ctx
from omnium_flows.football.constants import NUMBER_WORDS
from omnium_flows.football.match.periods import extra_is_begun, latest_half, periods_of
from omnium_flows.football.match.settings import FootballFormat

View = Mapping[str, Any]


def side_name(ctx: Ctx[Any], entry: str) -> str:
    """What people call the side."""
    side = ctx.fixture.side(entry)
    return entry if side is None else side.name or side.code or entry


def opponent(state: View, entry: str) -> str | None:
    """The other side, or None where the sides are not known yet."""
    return next((side for side in state.get("sides") or () if side != entry), None)


def gave_lineup(state: View, entry: str) -> bool:
    """Whether the side named its squad; only then do rules about squads bind it."""
    return entry in (state.get("lineups") or {})


def on_field(state: View, entry: str) -> list[str]:
    """The players on the field; empty where the side gave no line-up."""
    players: list[str] = (state.get("onField") or {}).get(entry) or []
    return players


def on_bench(state: View, entry: str) -> list[str]:
    """The substitutes who may come on; empty where the side gave no line-up."""
    players: list[str] = (state.get("bench") or {}).get(entry) or []
    return players


def is_sent_off(state: View, entry: str, person: str) -> bool:
    """Whether the person was sent off."""
    return any(row["person"] == person for row in (state.get("sentOff") or {}).get(entry) or ())


def has_left(state: View, entry: str, person: str) -> bool:
    """Whether the person was taken off."""
    return person in ((state.get("left") or {}).get(entry) or ())


def in_squad(state: View, entry: str, person: str) -> bool:
    """Whether the side's line-up names the person; True where it gave none."""
    squad = (state.get("lineups") or {}).get(entry)
    return squad is None or person in squad["starters"] or person in squad.get("bench", ())


def absence(state: View, entry: str, person: str) -> str | None:
    """Why a person of a side with a line-up is not on the field, as a sentence; None if he may be."""
    if not gave_lineup(state, entry) or person in on_field(state, entry):
        return None
    if is_sent_off(state, entry, person):
        return f"{person} was sent off."
    if has_left(state, entry, person):
        return f"{person} was substituted."
    if person in on_bench(state, entry):
        return f"{person} is on the bench."
    return f"{person} is not in the squad."


def players_left(state: View, entry: str, format: FootballFormat) -> int:
    """How many players the side has on the field, by its line-up or by the format."""
    return int((state.get("playersLeft") or {}).get(entry, format.players))


def short_side(state: View, format: FootballFormat) -> str | None:
    """A side with too few players to go on, or None."""
    sides = state.get("sides") or ()
    return next((s for s in sides if players_left(state, s, format) < format.min_players), None)


def too_few(name: str, format: FootballFormat) -> str:
    """The sentence for a side that cannot go on."""
    return (
        f"{name} has fewer than {NUMBER_WORDS[format.min_players]} players. The match cannot go on (Law 3)."
    )


def subs_of(state: View, entry: str) -> dict[str, Any]:
    """The substitutions of a side: used by kind, granted, and the windows."""
    kept: dict[str, Any] = (state.get("subs") or {}).get(entry) or {}
    return {"used": 0, "concussion": 0, "additional": 0, "granted": 0, "windows": [], **kept}


def subs_allowed(state: View, format: FootballFormat) -> int:
    """Normal substitutions a side may make so far."""
    return format.subs + (format.extra_time_subs if extra_is_begun(state) else 0)


def windows_allowed(state: View, format: FootballFormat) -> int:
    """Stoppages a side may use so far; 0 for any number."""
    if not format.sub_windows:
        return 0
    return format.sub_windows + (format.extra_time_subs if extra_is_begun(state) else 0)


def cautions(state: View, entry: str, person: str, *, shootout: str | None, but: int | None = None) -> int:
    """Cautions that stand against a person in play, or in the shoot-out: the two are counted apart."""
    return sum(
        card["entry"] == entry
        and card["person"] == person
        and card["colour"] == "yellow"
        and "cancelled" not in card
        and (card["phase"] == "shootout") == (shootout == "shootout")
        and card["seq"] != but
        for card in state.get("cards") or ()
    )


def card_numbered(state: View, seq: Any) -> dict[str, Any] | None:
    """The card that event `seq` recorded, or None."""
    return next((card for card in state.get("cards") or () if card["seq"] == seq), None)


def goal_numbered(state: View, seq: Any) -> dict[str, Any] | None:
    """The goal that event `seq` recorded, or None."""
    return next((goal for goal in state.get("scorers") or () if goal["seq"] == seq), None)


def phase_now(state: View, format: FootballFormat) -> str:
    """In which phase of the match a card is shown that does not say so."""
    if state.get("done"):
        return "after"
    if state.get("shootout"):
        return "shootout"
    half = latest_half(state)
    if half is None:
        return "before"
    if not half["closed"]:
        return "live"
    last = periods_of(format)[-1] if extra_is_begun(state) else periods_of(format)[format.halves - 1]
    return "after" if half["period"] == last else "half_time"
