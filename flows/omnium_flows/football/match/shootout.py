"""Kicks from the penalty mark (Law 10.3): never goals of the match, only who goes on."""

from __future__ import annotations

from typing import Any

from omnium_flows.football.constants import KickOutcome
from omnium_flows.football.match import tallies
from omnium_flows.football.match.board import gave_lineup, on_field, opponent, players_left
from omnium_flows.football.match.periods import View, leader
from omnium_flows.football.match.periods import score_text as field_text
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.match.tap import State, Tap
from omnium_flows.shared import kicks


def shootout_start(state: State, tap: Tap) -> None:
    """The shoot-out begins with the side that won the toss or chose."""
    if state["done"] or state.get("shootout") or tap.input["first"] not in state["sides"]:
        tap.conflict(state, "It is not the time of a shoot-out.")
        return
    if leader(state, tap.format) is not None:
        tap.conflict(state, f"The shoot-out was not needed: the score was {field_text(state, tap.format)}.")
    state["shootout"] = {
        "first": tap.input["first"],
        **({"end": tap.input["end"]} if tap.input.get("end") else {}),
        "kicks": [],
        "score": dict.fromkeys(state["sides"], 0),
        "taken": dict.fromkeys(state["sides"], 0),
        "suddenDeath": False,
        "decided": False,
        "next": tap.input["first"],
    }


def shootout_exclude(state: State, tap: Tap) -> None:
    """A side leaves one player out so that both have as many."""
    entry, player = tap.input["entry"], tap.input["player"]
    if player in excluded(state, entry) or state["done"]:
        tap.conflict(state, f"{player} cannot be excluded now.")
        return
    state["excluded"].setdefault(entry, []).append(player)


def shootout_kick(state: State, tap: Tap) -> None:
    """One kick, by the side that it names; one to be retaken counts for nobody."""
    shootout, entry = state.get("shootout"), tap.input["entry"]
    if shootout is None or state["done"] or entry not in state["sides"]:
        tap.conflict(state, "There was no shoot-out.")
        return
    if shootout["decided"]:
        tap.conflict(state, f"Kick after the decision: the shoot-out is decided {score_text(state)}.")
        return
    if entry != shootout["next"]:
        tap.conflict(state, f"It was {tap.side(shootout['next'])}'s kick.")
    kicker, outcome = tap.input.get("kicker"), tap.input["outcome"]
    row = {"seq": tap.seq, "entry": entry, "outcome": outcome, **({"kicker": kicker} if kicker else {})}
    shootout["kicks"].append(row)
    if outcome != KickOutcome.RETAKE:
        _count(state, tap, row)


def excluded(state: View, entry: str) -> list[str]:
    """The players whom the side has left out."""
    names: list[str] = (state.get("excluded") or {}).get(entry) or []
    return names


def may_kick(state: View, entry: str) -> list[str]:
    """The players of a side with a line-up who may kick: on the field at the end and not left out."""
    out = excluded(state, entry)
    return [person for person in on_field(state, entry) if person not in out]


def number_of_kickers(state: View, entry: str, format: FootballFormat) -> int:
    """How many players the side has for the shoot-out."""
    if gave_lineup(state, entry):
        return len(may_kick(state, entry))
    return players_left(state, entry, format) - len(excluded(state, entry))


def kicks_of(state: View, entry: str) -> dict[str, int]:
    """How many kicks each named player of the side has taken."""
    taken: dict[str, int] = {}
    for row in (state.get("shootout") or {}).get("kicks", ()):
        if row["entry"] == entry and row["outcome"] != KickOutcome.RETAKE and "kicker" in row:
            taken[row["kicker"]] = taken.get(row["kicker"], 0) + 1
    return taken


def score_text(state: View) -> str:
    """Kicks scored, first side of the match first: `4-2`."""
    scored = (state.get("shootout") or {}).get("score", {})
    return "-".join(str(scored.get(side, 0)) for side in state["sides"])


def _count(state: State, tap: Tap, row: dict[str, Any]) -> None:
    shootout, entry = state["shootout"], row["entry"]
    scored = row["outcome"] == KickOutcome.SCORED
    shootout["taken"][entry] += 1
    shootout["score"][entry] += scored
    tallies.add(state, entry, row.get("kicker"), "shootoutScored" if scored else "shootoutMissed")
    first = shootout["first"]
    other = opponent(state, first) or first
    won = kicks.winner((first, other), shootout["score"], shootout["taken"], tap.format.shootout_kicks)
    shootout["decided"] = won is not None
    shootout["suddenDeath"] = kicks.is_sudden_death(
        shootout["taken"], tap.format.shootout_kicks, decided=shootout["decided"]
    )
    if won is None:
        shootout["next"] = kicks.next_side(first, other, shootout["taken"])
    else:
        shootout["winner"] = won
        shootout.pop("next", None)
