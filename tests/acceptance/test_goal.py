"""A goal through real processes: facade, router, worker of the pinned release, database, read model."""

from __future__ import annotations

from typing import Any

import pytest

from harness.fleet import Match, RunningFleet, accepted
from omnium_releases.build import WheelPair

pytestmark = pytest.mark.xdist_group("fleet")


def goals(board: dict[str, Any], match: Match) -> tuple[int, int]:
    scored = board["state"]["goals"]
    return scored.get(match.home, 0), scored.get(match.away, 0)


def test_a_goal_is_on_the_board_under_its_release(fleet: RunningFleet, wheels: WheelPair) -> None:
    match = fleet.make_match(fleet.make_event())
    assert accepted(fleet.send(match, "match_start", home=match.home, away=match.away))["seq"] == 1
    answer = fleet.send(match, "goal", entry=match.home, kind="header", scorer="A. Quay", minute=7)
    assert (answer["accepted"], answer["seq"], answer["fixtureStatus"]) == (True, 2, "LIVE")
    assert answer["release"] == wheels.version
    board = fleet.board(match)
    assert board["status"] == "LIVE"
    assert [side["name"] for side in board["sides"]] == ["Alpha", "Beta"]
    assert board["state"] == answer["value"]
    assert goals(board, match) == (1, 0)


def test_the_same_key_gives_the_same_goal_once(fleet: RunningFleet) -> None:
    match = fleet.make_match(fleet.make_event())
    accepted(fleet.send(match, "match_start", home=match.home, away=match.away))
    goal = {"entry": match.away, "kind": "open_play", "minute": 3}
    first = fleet.send(match, "goal", key="tap-1", **goal)
    second = fleet.send(match, "goal", key="tap-1", **goal)
    assert (first["duplicate"], second["duplicate"]) == (False, True)
    assert second["seq"] == first["seq"]
    assert fleet.send(match, "goal", key="tap-1", **{**goal, "minute": 4})["refusal"] == "key_reused"
    assert goals(fleet.board(match), match) == (0, 1)


def test_the_demo_is_one_finished_match(fleet: RunningFleet) -> None:
    with fleet.client("viewer") as client:
        day = client.get("/reads/games.schedule_day", {"event": "demo", "day": "2026-01-10"})["value"]
    assert [(unit["status"], [side["score"] for side in unit["sides"]]) for unit in day["units"]] == [
        ("COMPLETED", [2, 1])
    ]
