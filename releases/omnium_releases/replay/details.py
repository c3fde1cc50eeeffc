"""A match that parts, played again with its values: which keys, at which event, from what to what."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import aclosing

from omnium_proto.replay_pb2 import ReplayJudged
from omnium_releases.replay.comparing import Comparison, rows_part
from omnium_releases.replay.differences import Difference
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.players import Player
from omnium_releases.replay.streams import steps


async def details(
    entry: CorpusEntry, players: tuple[Player, Player], *, upto: int, derive: frozenset[int]
) -> list[Difference]:
    """Every key that differs in the first `upto` commands, where it first does. Both play at once."""
    comparison = Comparison(entry)
    old, new = (steps(player, entry, upto=upto, derive=derive) for player in players)
    async with aclosing(old), aclosing(new):
        place = 0
        async for was in old:
            is_ = await anext(new)
            if was.judged != is_.judged:
                comparison.add(place, was, is_)
            place += 1
    return comparison.differences


def places_to_look(
    old: Sequence[ReplayJudged], new: Sequence[ReplayJudged], *, derive: frozenset[int], first: int
) -> frozenset[int]:
    """Where rows are wanted: as before, and behind every command of the stretches where the two part first.

    Rows cost more than the rules themselves. So they are compared behind some commands only, and the
    stretch before the first of these that differs is looked at command by command.
    """
    pairs = enumerate(zip(old, new, strict=True))
    parted = next((place for place, pair in pairs if place in derive and rows_part(*pair)), first)
    return derive | _stretch(first, derive) | _stretch(parted, derive)


def _stretch(place: int, derive: frozenset[int]) -> frozenset[int]:
    """From behind the last place before this one where rows were made, to the next one."""
    before = max((one for one in derive if one < place), default=-1)
    behind = min((one for one in derive if one >= place), default=place)
    return frozenset(range(before + 1, behind + 1))
