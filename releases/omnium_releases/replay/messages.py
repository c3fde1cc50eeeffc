"""Corpus entries as the messages that players take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson

from omnium_proto import replay_pb2
from omnium_releases.replay.entries import CorpusEntry, EntryCommand

#: Commands of one message; values make answers large, so there are fewer where they are asked for.
MOST_COMMANDS: Final = 400
MOST_WITH_VALUES: Final = 32

COVERAGE: Final = replay_pb2.ReplayRequest(coverage=replay_pb2.ReplayCoverage())


def batches(
    entry: CorpusEntry, *, derive: frozenset[int], upto: int | None = None, values: bool = False
) -> list[replay_pb2.ReplayRequest]:
    """The match, or its first `upto` commands. `derive`: places in the log behind which rows are wanted.

    With `values` those behind each command come back, without it those of the end.
    """
    commands = [_command(command, derive=place in derive) for place, command in enumerate(entry.log[:upto])]
    most = MOST_WITH_VALUES if values else MOST_COMMANDS
    pieces = [commands[first : first + most] for first in range(0, len(commands), most)] or [[]]
    made = [replay_pb2.ReplayBatch(commands=piece, values=values) for piece in pieces]
    made[0].match.CopyFrom(_head(entry))
    made[-1].end = not values
    return [replay_pb2.ReplayRequest(batch=batch) for batch in made]


def places_to_derive(entry: CorpusEntry, every: int) -> frozenset[int]:
    """Behind every so many commands and the last one."""
    last = len(entry.log) - 1
    return frozenset({*range(every - 1, last, every), last})


def _head(entry: CorpusEntry) -> replay_pb2.ReplayMatch:
    return replay_pb2.ReplayMatch(
        id=entry.id, workflow=entry.workflow, fixture=orjson.dumps(dict(_facts(entry)))
    )


def _facts(entry: CorpusEntry) -> Iterator[tuple[str, Any]]:
    yield "id", entry.fixture_id or entry.id
    yield "sport", entry.sport or entry.workflow
    yield "fixtureType", entry.fixture_type
    yield "archetype", entry.archetype
    yield "formatCode", entry.format_code
    yield "format", entry.format
    yield "scheduledStart", entry.scheduled_start
    yield (
        "sides",
        [
            {"entry": side.entry, "position": place, "code": side.code, "name": side.name, "noc": side.noc}
            for place, side in enumerate(entry.sides, 1)
        ],
    )


def _command(command: EntryCommand, *, derive: bool) -> replay_pb2.ReplayCommand:
    is_refused = command.refused is not None
    return replay_pb2.ReplayCommand(
        seq=command.seq,
        code=command.code,
        input=orjson.dumps(command.input),
        confirm=command.confirmed,
        occurred_at=command.occurred_at,
        derive=derive,
        course=replay_pb2.COURSE_REFUSED if is_refused else replay_pb2.COURSE_ACCEPTED,
    )
