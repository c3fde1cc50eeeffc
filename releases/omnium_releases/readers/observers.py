"""Which observer of boards goes with which sport: files and boards are compared under the same names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omnium_releases.playing import Observer
from omnium_releases.readers import football_stated
from omnium_releases.readers.recorded import RecordedMatch

_BY_SPORT: dict[str, Observer] = {"football": football_stated.observed}


def observer_of(match: RecordedMatch) -> Observer:
    """How to read the board of a match: a golden's state whole, else what the sport's files state."""
    if "state" in match.stated:
        return _state
    return _BY_SPORT.get(match.sport, _nothing)


def _state(board: Mapping[str, Any]) -> dict[str, Any]:
    return {"state": board.get("state") or {}}


def _nothing(board: Mapping[str, Any]) -> dict[str, Any]:
    return {"fixture": board.get("fixtureId")}
