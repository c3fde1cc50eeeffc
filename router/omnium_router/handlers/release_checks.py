"""/releases/check, zombies and diff: what a release manager asks before anything is changed."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta
from typing import Any

from aiohttp import web

from omnium_releases import comparisons, needs
from omnium_releases.documents import document
from omnium_releases.needs import NeededRelease, PinnedRelease
from omnium_router.answering import Answering, answering, live_workers
from omnium_router.calls import Call, json_answer
from omnium_router.identities import ReleaseRef
from omnium_router.sent import CheckQuery, DiffQuery, NoQuery


async def check(call: Call) -> web.Response:
    """Whether every release that an upcoming fixture needs is loaded, answers, and is of the right hash."""
    asked = call.query(CheckQuery)
    async with call.services.database.connection() as connection:
        needed = await needs.needs(connection, within=timedelta(hours=asked.before))
    fleet = call.services.fleet
    found = await asyncio.gather(*(answering(fleet, _ref(one)) for one in needed.releases))
    items = [_checked(one, how) for one, how in zip(needed.releases, found, strict=True)]
    return json_answer(
        {
            "ok": all(item["well"] for item in items) and not needed.undecided,
            "at": document(needed.at),
            "until": document(needed.until),
            "undecided": list(needed.undecided),
            "items": items,
        }
    )


async def zombies(call: Call) -> web.Response:
    """Unfinished fixtures that are pinned to what does not run."""
    call.query(NoQuery)
    async with call.services.database.connection() as connection:
        pinned = await needs.pinned_releases(connection)
        why = {one.id: problem for one in pinned if (problem := _at_rest(call, one))}
        found = await needs.stranded(connection, why) if why else []
    return json_answer({"items": document(found)})


async def diff(call: Call) -> web.Response:
    """What one release differs in from another."""
    asked = call.query(DiffQuery)
    async with call.services.database.connection() as connection:
        return json_answer(document(await comparisons.compare(connection, asked.old, asked.new)))


def _checked(needed: NeededRelease, how: Answering) -> dict[str, Any]:
    return {
        "version": needed.version,
        "status": needed.status,
        "well": how.is_well and not needed.problems,
        "reasons": list(needed.reasons),
        "workers": how.workers,
        "answering": how.answering,
        "problems": [*needed.problems, *how.problems],
    }


def _at_rest(call: Call, release: PinnedRelease) -> str:
    """Why no worker takes commands of a release; empty if one does."""
    ref = _ref(release)
    workers = live_workers(call.services.fleet, ref)
    if any(worker.is_ready and worker.lease.release == ref for worker in workers):
        return ""
    if not workers:
        return "no worker of it holds a lease"
    states = Counter("draining" if worker.lease.draining else "not serving" for worker in workers)
    return ", ".join(f"{count} {state}" for state, count in sorted(states.items()))


def _ref(release: NeededRelease | PinnedRelease) -> ReleaseRef:
    return ReleaseRef(release.id, release.version, release.code_sha, release.contract_sha)
