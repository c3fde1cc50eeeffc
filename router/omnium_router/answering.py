"""Whether a worker answers commands of its release: it is asked one, about a fixture that there is not.

A process that is up proves little. This way goes through its gRPC server, its pool and the database, and a
worker of other code says so before it looks.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from omnium_proto import command_pb2
from omnium_router.fleet import Fleet
from omnium_router.identities import LIVE, CommandIdentity, ReleaseRef
from omnium_router.links import LinkDown
from omnium_router.workers import Worker
from omnium_store.errors import NotFound, OmniumError, WrongRelease

SENDER: Final = "omnium-check"
NOBODY: Final = str(uuid.UUID(int=0))
TIMEOUT_S: Final = 3.0
FOREIGN: Final = "is of other code than the release that it names"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """How the live workers of one release are; `foreign` ones name it and are of other code."""

    workers: int
    answering: int
    foreign: int
    problems: tuple[str, ...]

    @property
    def is_well(self) -> bool:
        """At least one answers, and none is of other code."""
        return self.answering > 0 and self.foreign == 0


async def answering(fleet: Fleet, release: ReleaseRef) -> Answering:
    """Ask every live worker that holds a lease for this release."""
    workers = live_workers(fleet, release)
    found = await asyncio.gather(*(_problem(worker, release) for worker in workers))
    problems = [f"{one.lease.address} {said}" for one, said in zip(workers, found, strict=True) if said]
    return Answering(
        workers=len(workers),
        answering=found.count(None),
        foreign=found.count(FOREIGN),
        problems=tuple(problems) if workers else ("no worker of it holds a lease",),
    )


def live_workers(fleet: Fleet, release: ReleaseRef) -> Sequence[Worker]:
    """Those that live commands of a release may go to, ready or not."""
    return [
        worker
        for pool in fleet.pools()
        if (pool.release.version, pool.lane) == (release.version, LIVE)
        for worker in pool.workers.values()
    ]


async def _problem(worker: Worker, release: ReleaseRef) -> str | None:
    """What keeps a worker from answering; None if it answers."""
    lease = worker.lease
    if (lease.release.code_sha, lease.release.contract_sha) != (release.code_sha, release.contract_sha):
        return FOREIGN
    if not worker.is_ready:
        return _not_ready(worker)
    request, identity = _question(release)
    try:
        reply = await worker.execute(request, identity, timeout_s=TIMEOUT_S)
    except NotFound:
        return None
    except WrongRelease:
        return FOREIGN
    except LinkDown:
        return "can't be reached"
    except OmniumError as error:
        return f"does not answer ({error.reason}): {error.message}"
    return None if reply.release.code_sha == release.code_sha else FOREIGN


def _not_ready(worker: Worker) -> str:
    if worker.lease.draining:
        return "is draining"
    return "has just failed" if worker.is_ejected else "is not serving"


def _question(release: ReleaseRef) -> tuple[command_pb2.ExecuteRequest, CommandIdentity]:
    key = uuid.uuid4().hex
    request = command_pb2.ExecuteRequest(
        workflow="omnium",
        subject=command_pb2.Subject(kind="fixture", ref=NOBODY),
        code="omnium.check",
        input=b"{}",
        key=key,
        dry_run=True,
        sender=command_pb2.Sender(kind=command_pb2.SENDER_KIND_PERSON, sub=SENDER, name="omnium check"),
        release=release.message(),
        request_id=key,
    )
    return request, CommandIdentity(f"person:{SENDER}", f"fixture/{NOBODY}", key)
