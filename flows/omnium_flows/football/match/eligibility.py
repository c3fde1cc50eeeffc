"""Who may do what: each function gives the sentence that is against it, or None."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from omnium_flows.football.constants import Colour, GoalKind, Role, SubKind
from omnium_flows.football.match import board
from omnium_flows.football.match.goals import team_of_scorer
from omnium_flows.football.match.inputs import AwardInput, LineupInput, SubstitutionInput
from omnium_flows.football.match.people import window_at
from omnium_flows.football.match.periods import View
from omnium_flows.football.match.settings import FootballFormat
from omnium_flows.football.match.shootout import excluded, kicks_of, may_kick
from omnium_flows.shared.kicks import waiting


def misnamed(told: LineupInput, name: str, format: FootballFormat) -> str | None:
    """A line-up that cannot stand."""
    everyone = (*told.starters, *told.bench)
    twice = next((person for person in everyone if everyone.count(person) > 1), None)
    if twice is not None:
        return f"{twice} is named twice."
    if len(told.starters) > format.players:
        return f"{name} names {len(told.starters)} starters; {format.players} may start."
    if len(told.starters) < format.min_players:
        return board.too_few(name, format)
    if len(told.bench) > format.bench:
        return f"{name} names {len(told.bench)} substitutes; {format.bench} may sit on the bench."
    named = {"captain": told.captain, "goalkeeper": told.keeper}
    astray = next(((r, p) for r, p in named.items() if p is not None and p not in told.starters), None)
    return None if astray is None else f"{astray[1]} is {astray[0]} but not among the starters."


def not_playing(state: View, entry: str, people: Mapping[str, str | None], kind: str | None) -> str | None:
    """A scorer, assistant or taker who is not on the field. A wrong own goal has a rule of its own."""
    for role, person in people.items():
        team = team_of_scorer(state, entry, kind or "") if role == "scorer" else entry
        if person is None or team is None or (team != entry and plays_for(state, entry, person)):
            continue
        problem = board.absence(state, team, person)
        if problem is not None:
            return problem
    return None


def plays_for(state: View, entry: str, person: str) -> bool:
    """Whether the side's line-up names the person."""
    return board.gave_lineup(state, entry) and board.in_squad(state, entry, person)


def wrong_own_goal(state: View, entry: str, scorer: str | None, name: str) -> str | None:
    """An own goal credited to the scorer's own side."""
    other = board.opponent(state, entry)
    if scorer is None or not plays_for(state, entry, scorer) or (other and plays_for(state, other, scorer)):
        return None
    return f"An own goal is scored by a player of the other team. {scorer} plays for {name}."


def wrong_assist(kind: str, scorer: str | None, assist: str | None) -> str | None:
    """An assist that cannot be one."""
    if assist is None:
        return None
    if assist == scorer:
        return "The assist cannot be the scorer."
    direct = kind in (GoalKind.OWN_GOAL, GoalKind.PENALTY)
    return "An own goal or a direct penalty has no assist." if direct else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A card as it is shown now, or as it will stand once it is moved."""

    entry: str
    person: str
    colour: str
    role: str
    phase: str

    def cautions(self, state: View) -> int:
        """Cautions that already stand against the person in play, or in the shoot-out."""
        return board.cautions(state, self.entry, self.person, shootout=self.phase)


def is_second_caution(state: View, card: Shown) -> bool:
    """Whether a yellow card is the person's second caution, and so a sending-off."""
    off = board.is_sent_off(state, card.entry, card.person)
    return card.colour == Colour.YELLOW and not off and card.cautions(state) > 0


def lacks_caution(state: View, card: Shown) -> bool:
    """Whether a second yellow is shown to somebody without a first."""
    return card.colour == Colour.SECOND_YELLOW and card.cautions(state) == 0


def not_in_squad(state: View, card: Shown) -> str | None:
    """A card to somebody whom the line-up does not name; officials stand in none."""
    if card.role == Role.OFFICIAL or board.in_squad(state, card.entry, card.person):
        return None
    return f"{card.person} is not in the squad."


def cannot_change(state: View, told: SubstitutionInput) -> str | None:
    """Two who cannot change places; sent-off and substituted players have rules of their own."""
    entry, off, on = told.entry, told.off, told.on
    if off == on:
        return f"{on} cannot come on for himself."
    if not board.gave_lineup(state, entry):
        return None
    if not board.is_sent_off(state, entry, off):
        problem = board.absence(state, entry, off)
        if problem is not None:
            return problem
    if on in board.on_bench(state, entry) or board.has_left(state, entry, on):
        return None
    return board.absence(state, entry, on) or f"{on} is on the field already."


def replaces_sent_off(state: View, told: SubstitutionInput) -> bool:
    """Whether a sent-off player would be replaced; before kick-off a named substitute may do that."""
    before = not state.get("started") and board.gave_lineup(state, told.entry)
    return board.is_sent_off(state, told.entry, told.off) and not before


def no_substitution_left(
    state: View, told: SubstitutionInput, name: str, format: FootballFormat
) -> str | None:
    """An allowance that is used up."""
    kept = board.subs_of(state, told.entry)
    match told.kind:
        case SubKind.NORMAL:
            full = kept["used"] >= board.subs_allowed(state, format)
            return f"{name} has used {kept['used']} substitutions." if full else None
        case SubKind.CONCUSSION:
            full = kept["concussion"] >= format.concussion_subs
            return f"{name} has used {kept['concussion']} concussion substitutions." if full else None
        case SubKind.OPPONENT_CONCUSSION:
            full = kept["additional"] >= kept["granted"]
            return (
                f"{name} has no additional substitution: it follows one of the opponents." if full else None
            )


def window_told(state: View, told: SubstitutionInput) -> str | None:
    """The stoppage as far as it was typed; a rule has no clock to read."""
    return told.window or window_at(state, told.period, told.minute, told.stoppage)


def misgiven(state: View, told: AwardInput, name: str) -> str | None:
    """An award whose winner does not play here, or has not the more goals."""
    sides = list(state.get("sides") or ())
    if told.winner is None:
        return None
    if told.winner not in sides:
        return f"{name} is not a side of this match."
    if told.home is None or told.away is None:
        return None
    own, other = (told.home, told.away) if told.winner == sides[0] else (told.away, told.home)
    return None if own > other else f"{name} is given the match: its goals must be more than {other}."


def cannot_kick(state: View, entry: str, person: str) -> str | None:
    """A kicker who was not on the field at the end, or was left out."""
    if not board.gave_lineup(state, entry):
        return None
    if person in excluded(state, entry):
        return f"{person} is not eligible: left out of the shoot-out."
    return (
        None
        if person in board.on_field(state, entry)
        else f"{person} is not eligible: not on the field at the end."
    )


def kicks_too_soon(state: View, entry: str, person: str) -> str | None:
    """A second kick before all team-mates had their first, a third before their second, and so on."""
    if not board.gave_lineup(state, entry):
        return None
    number = waiting(may_kick(state, entry), kicks_of(state, entry), person)
    return f"{person} has kicked; {number} team-mates still have to." if number else None


def all_gave_lineups(state: View, sides: Iterable[str]) -> bool:
    """Whether every side named its squad."""
    return all(board.gave_lineup(state, side) for side in sides)
