"""What an operator does in an arena with results and games: commands on its event, and what screens show."""

from __future__ import annotations

import uuid
from typing import Any

import orjson

from harness.arena import Arena
from omnium_store import read_models


async def program(arena: Arena, release: uuid.UUID) -> None:
    """The release's rules for the court."""
    await arena.connection.execute(
        """INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
           VALUES ($1, 'court', 1, '{"code": "court", "scope": []}', '')""",
        release,
    )


async def games(arena: Arena, command: str, /, **input: Any) -> dict[str, Any]:
    """One command on the event; its answer."""
    return await arena.send(f"games.{command}", kind="event", ref="open-2026", input=input)


async def scorecard(arena: Arena, code: str = "card", **unit: Any) -> tuple[str, list[str]]:
    """A scorecard unit: its id, and the entries of its sides A and B."""
    answer = await games(
        arena,
        "add_unit",
        **{
            "competition": "singles",
            "code": code,
            "sport": "court",
            "fixtureType": "match",
            "archetype": "duel",
            "scoringMode": "scorecard",
            "scheduledStart": "2026-12-01T10:00:00Z",
            "sides": [{"name": "A", "noc": "JPN"}, {"name": "B", "noc": "KOR"}],
            **unit,
        },
    )
    assert answer["accepted"], answer
    return answer["value"]["fixtureId"], [side["entry"] for side in answer["value"]["sides"]]


async def board(arena: Arena, fixture: str) -> dict[str, Any]:
    """What a screen shows of a fixture."""
    async with arena.connection.transaction():
        reading = await read_models.read(arena.connection, "fixture.board", {"fixture": fixture})
    shown: dict[str, Any] = orjson.loads(reading.value)
    return shown


async def medal_table(arena: Arena) -> dict[str, tuple[int, int, int]]:
    """The medal table by country."""
    async with arena.connection.transaction():
        reading = await read_models.read(arena.connection, "games.medals", {"event": "open-2026"})
    rows = [orjson.loads(row.value) for row in reading.rows]
    return {row["noc"]: (row["gold"], row["silver"], row["bronze"]) for row in rows}
