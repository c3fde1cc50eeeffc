"""The peer `loop`: one process, the same matches judged, folded and hashed in a bare loop; no guard, no gRPC.

python -m bench.replay_loop FLOWS CONTRACT CACHE CORPUS LINES_EVERY [profile]

Prints how many digests it made; with `profile`, as JSON, which share of the time goes where.
"""

from __future__ import annotations

import asyncio
import cProfile
import json
import pstats
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

from omnium_releases.artifacts import ReleaseFiles, Wheel, unpack
from omnium_releases.isolation import enter_release_folder

#: What a profile's file or function is part of; the first that fits.
PARTS: Final = (
    ("orjson", "JSON to values and back"),
    ("canonical", "canonical form"),
    ("omnium_flows", "rules, step and rows"),
    ("pydantic", "input models"),
    ("hashlib", "digests"),
    ("omnium_worker", "engine around them"),
    ("omnium_releases", "reading the corpus"),
)


def host_of(folder: Path) -> Any:
    """The release's workflows, called without limits."""
    from omnium_worker.guard import Unguarded  # noqa: PLC0415 - must not load before the folder was entered
    from omnium_worker.host import Host  # noqa: PLC0415 - as above
    from omnium_worker.identity import Identity  # noqa: PLC0415 - as above

    none = Identity(version="", release_id=uuid.UUID(int=0), code_sha="", contract_sha="", runtime_sha="")
    return Host.load(folder, none, Unguarded())


def played(host: Any, entry: Any, derive: frozenset[int]) -> int:
    """One match; how many digests were made of it."""
    from omnium_worker import canonical_fast, judging  # noqa: PLC0415 - as above
    from omnium_worker.refusals import Denied  # noqa: PLC0415 - as above
    from omnium_worker.story import Story  # noqa: PLC0415 - as above

    workflow = host.workflow(entry.workflow)
    sides = [{"entry": side.entry} for side in entry.sides]
    fixture = host.fixture(workflow, canonical_fast.dumps({"id": entry.id, "sides": sides}))
    story, digests = Story(host, workflow, fixture), 0
    for place, command in enumerate(entry.log):
        case = judging.FoldCase(
            plan=workflow.commands[command.code],
            fixture=fixture,
            state=story.state,
            sent=command.input,
            seq=command.seq,
            occurred_at=command.occurred_at,
            actor="",
        )
        try:
            judged = judging.judge_event(host, case)
            story.follow(judged.event, judged.state, judged.word)
        except Denied:
            pass  # as recorded
        canonical_fast.digest(story.state)
        if place in derive:
            rows = story.rows()
            canonical_fast.digest(canonical_fast.dumps([line._asdict() for line in rows.lines]))
        digests += 1
    return digests


async def run(host: Any, corpus: Path, every: int) -> int:
    """Every match of a folder."""
    from omnium_releases.replay.corpora import FolderCorpus  # noqa: PLC0415 - as above
    from omnium_releases.replay.messages import places_to_derive  # noqa: PLC0415 - as above

    entries: AsyncIterator[Any] = FolderCorpus(corpus, "bench").entries()
    return sum([played(host, entry, places_to_derive(entry, every)) async for entry in entries])


def shares(profile: cProfile.Profile) -> dict[str, float]:
    """Which share of the time each part takes."""
    found: dict[str, float] = {}
    for (file, _, function), (_, _, own, *_) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]  # untyped
        where = f"{file} {function}"
        part = next((name for mark, name in PARTS if mark in where), "Python's own")
        found[part] = found.get(part, 0.0) + own
    total = sum(found.values())
    ordered = sorted(found.items(), key=lambda one: -one[1])
    return {part: round(own / total, 2) for part, own in ordered}


def main(flows: str, contract: str, cache: str, corpus: str, every: str, *asked: str) -> None:
    """Load the release as a worker does, and play."""
    files = ReleaseFiles.of(Wheel.read(Path(flows)), Wheel.read(Path(contract)))
    folder = unpack(files, Path(cache))
    enter_release_folder(folder)
    host = host_of(folder)
    if asked:
        asyncio.run(run(host, Path(corpus), int(every)))  # what is imported late is no part of it
        with cProfile.Profile() as profile:
            asyncio.run(run(host, Path(corpus), int(every)))
        print(json.dumps(shares(profile)))
    else:
        print(asyncio.run(run(host, Path(corpus), int(every))))


if __name__ == "__main__":
    main(*sys.argv[1:])
