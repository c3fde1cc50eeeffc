"""What football files state, and the same names read off a board, so that the two can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NOBODY = "nobody"


def winner_of(code: str | None) -> str:
    """The winner's code; `NOBODY` for a draw."""
    return code or NOBODY


@dataclass(slots=True)
class Tally:
    """Goals and cards a player, counted from a file."""

    goals: Counter[str] = field(default_factory=Counter)
    own_goals: Counter[str] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)

    def goal(self, player: str, *, own: bool = False) -> None:
        """One goal; an own goal is counted apart."""
        (self.own_goals if own else self.goals)[player] += 1

    def card(self, player: str, colour: str) -> None:
        """One card."""
        self.cards[f"{player}: {colour}"] += 1

    def stated(self) -> dict[str, Any]:
        """The tallies by the names of statements."""
        return {
            "scorers": dict(self.goals),
            "own goals": dict(self.own_goals),
            "cards": dict(self.cards),
        }


def observed(board: Mapping[str, Any]) -> dict[str, Any]:
    """What a football board shows, under the names of statements; sides by their entry."""
    state = board.get("state") or {}
    sides = state.get("sides") or [side["entry"] for side in board.get("sides", ())]
    goals = state.get("goals") or {}
    tally = Tally()
    for goal in state.get("scorers") or ():
        if "cancelled" not in goal and "scorer" in goal:
            tally.goal(goal["scorer"], own=goal["kind"] == "own_goal")
    for card in state.get("cards") or ():
        if "cancelled" not in card:
            tally.card(card["person"], card["colour"])
    kicks = (state.get("shootout") or {}).get("score") or {}
    return {
        "score": {side: goals.get(side, 0) for side in sides},
        "shootout": {side: kicks.get(side, 0) for side in sides},
        "winner": winner_of(state.get("winner")),
        **tally.stated(),
    }
