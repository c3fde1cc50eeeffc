"""Records of a match's own stream and of its event's, on a match that is scored by events: it verifies."""

from __future__ import annotations

from typing import Any

import pytest

from harness.arena import Arena
from harness.office import games

CHANGES: list[list[tuple[str, dict[str, Any]]]] = [
    [("games.cancel_unit", {"fixture": "final", "reason": "Storm"})],
    [("results.set_status", {"status": "CANCELLED"})],
    [("results.set_status", {"status": "POSTPONED"}), ("results.set_status", {"status": "SCHEDULED"})],
    [
        ("results.set_status", {"status": "POSTPONED"}),
        ("games.move_unit", {"fixture": "final", "scheduledStart": "2026-12-02T10:00:00Z"}),
    ],
    [("games.move_unit", {"fixture": "final", "venue": "Court 2"})],
    [("games.cancel_unit", {"fixture": "final", "reason": "Storm"}), ("court.point", {})],
    [
        ("games.cancel_unit", {"fixture": "final", "reason": "Storm"}),
        ("results.edit_side", {"score": "1"}),
        ("results.set_status", {"status": "SCHEDULED"}),
        ("court.point", {}),
    ],
]


@pytest.mark.parametrize("changes", CHANGES, ids=lambda changes: ", ".join(code for code, _ in changes))
async def test_a_live_match_verifies_after_records_of_its_own_and_of_its_event(
    arena: Arena, changes: list[tuple[str, dict[str, Any]]]
) -> None:
    await arena.started()
    await arena.point()
    await arena.send(
        "games.move_unit", kind="event", ref="open-2026", input={"fixture": "final", "venue": "C"}
    )
    for code, told in changes:
        match code.partition(".")[0]:
            case "games":
                answer = await arena.send(code, kind="event", ref="open-2026", input=told)
            case "court":
                answer = await arena.point()
            case _:
                side = {"side": arena.home} if code == "results.edit_side" else {}
                answer = await arena.send(code, input=side | told)
        assert answer["accepted"] or answer["reason"] in ("not_movable",), answer
        assert await arena.problems() == ()


async def test_a_postponed_match_that_had_begun_goes_on_where_its_log_stands(arena: Arena) -> None:
    await arena.started()
    await arena.send("results.set_status", input={"status": "POSTPONED"})
    moved = await games(arena, "move_unit", fixture="final", scheduledStart="2026-12-02T10:00:00Z")
    assert moved["value"]["status"] == "LIVE"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("status = 'COMPLETED'", "the fixture is COMPLETED, but its state says live"),
        ("status = 'CANCELLED', official = true", "the fixture is CANCELLED and official"),
        ("status = 'INTERRUPTED'", "the fixture is INTERRUPTED, but its state says live"),
    ],
)
async def test_a_status_that_no_record_gives_is_found_even_after_one(
    arena: Arena, change: str, said: str
) -> None:
    await arena.started()
    await games(arena, "cancel_unit", fixture="final", reason="Storm")
    await arena.connection.execute(f"UPDATE fixture SET {change}")
    assert any(said in problem for problem in await arena.problems())


async def test_a_status_changed_beside_the_road_is_found_after_an_older_record(arena: Arena) -> None:
    await arena.send("results.edit_side", input={"side": arena.home, "label": "Hosts"})
    await arena.started()
    await arena.point()
    await arena.connection.execute("UPDATE fixture SET status = 'CANCELLED'")
    assert await arena.problems() == ("the fixture is CANCELLED, but its state says live",)
