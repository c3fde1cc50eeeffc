"""Football's fixed words: enumerations with their labels, periods, and the catalogue of facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from omnium_flows.shared.inputs import Choice


class GoalKind(Choice):
    """How a goal came about."""

    OPEN_PLAY = "open_play", "Open play"
    HEADER = "header", "Header"
    PENALTY = "penalty", "Penalty"
    FREE_KICK = "free_kick", "Direct free kick"
    OWN_GOAL = "own_goal", "Own goal"


class CancelReason(Choice):
    """Why a goal does not stand."""

    OFFSIDE = "offside", "Offside"
    FOUL = "foul", "Foul"
    HANDBALL = "handball", "Handball"
    OUT_OF_PLAY = "out_of_play", "Ball out of play"
    ERROR = "error", "Typed by mistake"


class PenaltyOutcome(Choice):
    """What became of a penalty in play."""

    SCORED = "scored", "Scored"
    SAVED = "saved", "Saved"
    MISSED = "missed", "Missed"
    POST = "post", "Post or bar"
    RETAKE = "retake", "To be retaken"


class KickOutcome(Choice):
    """What became of a kick of the shoot-out."""

    SCORED = "scored", "Scored"
    SAVED = "saved", "Saved"
    MISSED = "missed", "Missed"
    RETAKE = "retake", "To be retaken"


class Colour(Choice):
    """A card."""

    YELLOW = "yellow", "Yellow"
    SECOND_YELLOW = "second_yellow", "Second yellow"
    RED = "red", "Red"


class Role(Choice):
    """Who was shown a card."""

    PLAYER = "player", "On the field"
    SUB = "sub", "Substitute"
    SUBBED = "subbed", "Substituted player"
    OFFICIAL = "official", "Team official"


class Phase(Choice):
    """When a card was shown, where that is not in play."""

    BEFORE = "before", "Before kick-off"
    LIVE = "live", "In play"
    HALF_TIME = "half_time", "In a break"
    AFTER = "after", "After the final whistle"
    SHOOTOUT = "shootout", "In the shoot-out"


class SubKind(Choice):
    """Which allowance a substitution uses."""

    NORMAL = "normal", "Normal"
    CONCUSSION = "concussion", "Concussion"
    OPPONENT_CONCUSSION = "opponent_concussion", "Additional, after the opponents' concussion"


class Period(Choice):
    """A period of play."""

    FIRST = "1H", "First half"
    SECOND = "2H", "Second half"
    THIRD = "3H", "Third period"
    FOURTH = "4H", "Fourth period"
    EXTRA_FIRST = "ET1", "Extra time, first half"
    EXTRA_SECOND = "ET2", "Extra time, second half"


class StatKind(Choice):
    """What is counted for a side. A goal is no shot here: the desk types what it wants counted."""

    SHOT = "shot", "Shot off target"
    ON_TARGET = "on_target", "Shot on target"
    CORNER = "corner", "Corner"
    OFFSIDE = "offside", "Offside"
    FOUL = "foul", "Foul"
    SAVE = "save", "Save"
    BLOCK = "block", "Block"


class AbandonReason(Choice):
    """Why a match was broken off."""

    WEATHER = "weather", "Weather or pitch"
    PLAYERS = "players", "Too few players"
    DISORDER = "disorder", "Disorder"
    OTHER = "other", "Other"


class TableStep(Choice):
    """One criterion of a league table, in the order that the competition gives."""

    POINTS = "points", "Points"
    GOAL_DIFFERENCE = "goal_difference", "Goal difference"
    GOAL_AVERAGE = "goal_average", "Goal average"
    GOALS_FOR = "goals_for", "Goals scored"
    WINS = "wins", "Wins"
    AWAY_GOALS = "away_goals", "Away goals"
    H2H_POINTS = "h2h_points", "Points between the sides that are level"
    H2H_GOAL_DIFFERENCE = "h2h_goal_difference", "Goal difference between them"
    H2H_GOALS_FOR = "h2h_goals_for", "Goals between them"
    FAIR_PLAY = "fair_play", "Fair play"
    RANKING = "ranking", "Ranking before the competition"
    LOTS = "lots", "Drawing of lots"


class Withdrawal(Choice):
    """What becomes of the matches of a side that withdraws."""

    EXPUNGE = "expunge", "All its matches are struck out"
    AWARD = "award", "The remaining ones are awarded"


#: Periods in the order of play; regular time takes as many as the format has halves.
REGULAR: Final = (Period.FIRST, Period.SECOND, Period.THIRD, Period.FOURTH)
EXTRA: Final = (Period.EXTRA_FIRST, Period.EXTRA_SECOND)
SEGMENTS: Final[Mapping[str, str]] = {
    **{period: f"half-{number}" for number, period in enumerate(REGULAR, 1)},
    **{period: f"extra-{number}" for number, period in enumerate(EXTRA, 1)},
}
#: How a period is named inside a sentence.
PERIOD_NAMES: Final[Mapping[str, str]] = {
    "1H": "first half",
    "2H": "second half",
    "3H": "third period",
    "4H": "fourth period",
    "ET1": "first half of extra time",
    "ET2": "second half of extra time",
}
#: What is printed in place of a minute.
PHASE_LABELS: Final[Mapping[str, str]] = {
    "before": "Pre",
    "half_time": "HT",
    "after": "FT",
    "shootout": "Pens",
}
NUMBER_WORDS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
)

FACTS: Final[Mapping[str, str]] = {
    "goals": "Goals of a side, a period (segment) or the match; of a person, without own goals and kicks",
    "goals_for": "Goals that count for a side; an awarded score where there is one",
    "goals_against": "Goals that count for its opponents",
    "goals_scored": "Goals by a side's own players, the opponents' own goals left out",
    "own_goals": "Own goals put in by a player, or by a side's players, counted for the other side",
    "assists": "Last passes to a goal",
    "yellow_cards": "First cautions; a second one is in second_yellows",
    "second_yellows": "Sendings-off by a second caution",
    "straight_reds": "Direct sendings-off",
    "red_cards": "Sendings-off, by a second caution or directly",
    "penalties_scored": "Penalties scored in play",
    "penalties_missed": "Penalties saved, missed or against the frame in play; a retaken one is neither",
    "shootout_scored": "Shoot-out kicks scored; never goals",
    "shootout_missed": "Shoot-out kicks saved or missed",
    "minutes": "Whole minutes on the field, stoppage time left out; only where the side gave a line-up",
    "starts": "Matches begun on the field; only where the side gave a line-up",
    "sub_on": "Times brought on",
    "sub_off": "Times taken off",
    "clean_sheets": "Whole matches of a goalkeeper, or matches of a side, without a goal against",
    "shots": "Shots typed, on target or not",
    "shots_on_target": "Shots on target typed",
    "corners": "Corners",
    "offsides": "Offsides",
    "fouls": "Fouls",
    "saves": "Saves",
    "blocks": "Blocks",
    "fair_play": "Fair-play points, 0 or less",
}
#: Which facts a counted happening adds to.
STAT_FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    StatKind.SHOT: ("shots",),
    StatKind.ON_TARGET: ("shots", "shots_on_target"),
    StatKind.CORNER: ("corners",),
    StatKind.OFFSIDE: ("offsides",),
    StatKind.FOUL: ("fouls",),
    StatKind.SAVE: ("saves",),
    StatKind.BLOCK: ("blocks",),
}
