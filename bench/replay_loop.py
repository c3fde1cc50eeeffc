"""The peer `loop`: one process, the same matches judged, folded and hashed in a bare loop; no guard, no gRPC.

python -m bench.replay_loop FLOWS CONTRACT CACHE CORPUS LINES_EVERY
"""

from __future__ import annotations

import asyncio
import sys
import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from omnium_releases.artifacts import ReleaseFiles, Wheel, unpack
from omnium_releases.isolation import enter_release_folder


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


def main(flows: str, contract: str, cache: str, corpus: str, every: str) -> None:
    """Load the release as a worker does, and play."""
    files = ReleaseFiles.of(Wheel.read(Path(flows)), Wheel.read(Path(contract)))
    folder = unpack(files, Path(cache))
    enter_release_folder(folder)
    print(asyncio.run(run(host_of(folder), Path(corpus), int(every))))


if __name__ == "__main__":
    main(*sys.argv[1:])
