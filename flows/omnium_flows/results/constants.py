"""The words of results: status ladder, marks of sides, medals, fields of a result."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Final

from omnium_flows.shared.medals import MEDALS

#: Words that a fixture's status may be set to, with what people read.
STATUSES: Final = MappingProxyType(
    {
        "SCHEDULED": "Scheduled",
        "LIVE": "Running",
        "INTERRUPTED": "Interrupted",
        "COMPLETED": "Finished, unofficial",
        "OFFICIAL": "Finished, official",
        "POSTPONED": "Postponed",
        "CANCELLED": "Cancelled",
        "VOID": "Abandoned for good",
    }
)
#: Other words of the ladder, and what they are here.
STATUS_WORDS: Final = MappingProxyType(
    {
        "CALLED": "SCHEDULED",
        "RUNNING": "LIVE",
        "FINISHED": "COMPLETED",
        "UNOFFICIAL": "COMPLETED",
        "PROTEST": "COMPLETED",
        "WALKOVER": "COMPLETED",
        "NO_CONTEST": "COMPLETED",
        "ABANDONED": "VOID",
    }
)
#: A fixture of these has no score and no places, not 0-0.
WITHOUT_RESULT: Final = frozenset({"POSTPONED", "CANCELLED", "VOID"})
#: What the log of an events-mode fixture says, and nobody else.
TOLD_BY_THE_LOG: Final = frozenset({"LIVE", "INTERRUPTED", "COMPLETED"})
#: Before the start: sides may still be exchanged and the release moved.
NOT_STARTED: Final = frozenset({"SCHEDULED", "POSTPONED"})

#: The fields that are a side's result; `rank` has a column of its own.
RESULT_FIELDS: Final = ("rank", "shared", "score", "medal", "worldRecord", "eventRecord", "qualified")
_NOTHING: Final = frozenset(RESULT_FIELDS)
#: A walkover decides who goes through and who wins a medal, and has no score.
_WALKOVER: Final = frozenset({"score", "worldRecord", "eventRecord"})

#: Marks of a side with what people read.
MARKS: Final = MappingProxyType(
    {
        "DNS": "Did not start",
        "DNF": "Did not finish",
        "NM": "No valid mark",
        "NH": "No height",
        "DSQ": "Disqualified",
        "DQB": "Disqualified, unsporting behaviour",
        "WDR": "Withdrew before the round",
        "WO": "Won or lost by walkover",
        "RET": "Retired during the duel",
        "ABD": "Abandoned the duel",
    }
)
MARK_WORDS: Final = MappingProxyType({"DQ": "DSQ", "ABAN": "ABD"})
#: What a mark hides. Without the mark it is there again.
HIDDEN_BY: Final = MappingProxyType(
    dict.fromkeys(("DNS", "DNF", "NM", "NH", "DSQ", "DQB", "WDR"), _NOTHING)
    | {"WO": _WALKOVER, "RET": frozenset(), "ABD": frozenset()}
)

#: Marks that go without a rank.
RANKLESS: Final = frozenset(mark for mark, hidden in HIDDEN_BY.items() if "rank" in hidden)

#: A duel is won, lost or drawn: it has two sides and no third rank.
DUEL_SIDES: Final = 2
#: Values that one change of a type may take away; a mass start has thousands of sides.
MOST_CONFIRMED: Final = 20_000
#: Scores by their looks (regular expressions that Python and PostgreSQL read alike), and what each is called.
_TIME: Final = ("a time", r"^(\d+:)?\d{1,2}:\d{2}([.,]\d+)?$")
_MEASURE: Final = ("a distance or a height", r"^\d+[.,]\d+$")
_RUNS: Final = ("runs and wickets", r"^\d+/\d+( \(\d+([.]\d)?\))?$")
_KICKS: Final = ("a score with its shoot-out", r"^\d+ ?\(\d+\)$")
_SETS: Final = ("a score by sets", r"^\d+-\d+([ ,;]+\d+-\d+)*$")
#: By archetype, the looks of scores that it can't hold. A number, or words, go with both.
SCORES_NOT_HELD: Final = MappingProxyType({"duel": (_TIME, _MEASURE), "ranking": (_RUNS, _KICKS, _SETS)})

#: A medal by its name, whatever its case.
SIDE_MEDALS: Final = MappingProxyType({medal.casefold(): medal for medal in MEDALS})


def status_word(typed: str) -> str:
    """The word of `STATUSES` for what was typed; what is unknown stays unknown."""
    word = re.sub(r"[\s-]+", "_", typed.strip()).upper()
    return STATUS_WORDS.get(word, word)


def side_mark(typed: str | None) -> str:
    """The word of `MARKS` for what was typed, empty for none; what is unknown stays unknown."""
    word = (typed or "").strip().upper()
    return MARK_WORDS.get(word, word)


def medal_word(typed: str | None) -> str | None:
    """The medal's name for what was typed, empty for none, or None for what is no medal."""
    word = (typed or "").strip().casefold()
    return SIDE_MEDALS.get(word) if word else ""
