"""Tables of results: scores without a log. They are counted and named, nothing is played from them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import pairwise

from omnium_releases.readers.recorded import RecordedMatch, RecordedSide, Recording, UnreadableFile

FORMAT = "table"

#: What a table's header must have to be one of a known kind, and what its rows are.
_BULK = (
    ({"match_id", "home_team_score", "away_team_score"}, "scores of matches"),
    ({"goal_id", "match_id"}, "goals, joined into single matches elsewhere"),
    ({"penalty_kick_id", "match_id"}, "kicks of shoot-outs, joined into single matches elsewhere"),
    ({"substitution_id", "match_id"}, "substitutions, joined into single matches elsewhere"),
    ({"home_team", "away_team", "home_score", "away_score"}, "scores of matches"),
    ({"home_team", "away_team", "scorer"}, "goals without periods"),
    ({"home_team", "away_team", "winner"}, "winners of shoot-outs"),
)
_UNITS = {"event_code", "participant_code", "result", "result_WLT"}


def read(lines: Iterator[str]) -> Recording:
    """What the table holds. Raises `UnreadableFile` for a header of no known kind."""
    rows = csv.DictReader(lines)
    header = set(rows.fieldnames or ())
    if header >= _UNITS:
        return _units(list(rows))
    for columns, what in _BULK:
        if columns <= header:
            count = sum(1 for _ in rows)
            return Recording(format_name=FORMAT, matches=(), note=f"{count} rows of {what}, no log")
    raise UnreadableFile("a table of no known kind: its header is " + ", ".join(sorted(header)))


def _units(rows: list[dict[str, str]]) -> Recording:
    """Olympic unit results: two rows with one event code and one moment are a match."""
    matches = [
        RecordedMatch(
            name=f"{one['date']} {one['event_name']} {one['participant_name']} - {other['participant_name']}",
            sport=one["discipline_name"].lower().replace(" ", "_"),
            sides=tuple(_side(row) for row in (one, other)),
            stated={"score": {row["participant_country_code"]: row["result"] for row in (one, other)}},
            scores_only=True,
        )
        for one, other in _pairs(rows)
    ]
    return Recording(format_name=FORMAT, matches=tuple(matches), note="final scores of units, no log")


def _pairs(rows: Sequence[dict[str, str]]) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    unit = ("date", "stage_code")
    for one, other in pairwise(rows):
        if all(one[key] == other[key] for key in unit) and one["start_order"] == "1":
            yield one, other


def _side(row: dict[str, str]) -> RecordedSide:
    return RecordedSide(
        code=row["participant_country_code"],
        name=row["participant_name"],
        noc=row["participant_country_code"],
    )
