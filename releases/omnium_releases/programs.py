"""The program documents of a release: written when it is registered, written again when somebody asks."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omnium_releases import audit, gate
from omnium_releases.artifacts import ReleaseFiles, fetch, unpack
from omnium_releases.audit import NO_TRACE, Trace
from omnium_releases.gate import Program
from omnium_store.database import Connection
from omnium_store.errors import Refused
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """What publishing the programs of a release did; `written` were missing, `unchanged` were there."""

    version: str
    written: tuple[str, ...]
    unchanged: tuple[str, ...]


async def prove(files: ReleaseFiles, *, cache: Path) -> tuple[Program, ...]:
    """The programs of a release that passes the gate. Raises `Refused` (gate) with all of its problems."""
    with tempfile.TemporaryDirectory(prefix="omnium-gate-") as draft:
        folder = await asyncio.to_thread(unpack, files, Path(draft))
        proof = await gate.prove(folder, cache=cache)
    if proof.problems:
        listed = "\n".join(f"- {problem}" for problem in proof.problems)
        raise Refused(
            f"Release {files.version} does not pass the publish gate. Mend this, build it again:\n{listed}",
            reason="gate",
            metadata={"problems": str(len(proof.problems))},
        )
    return proof.programs


async def write(conn: Connection, release_id: uuid.UUID, programs: Sequence[Program]) -> list[str]:
    """Write the sports and programs that are missing; gives their workflows. In the caller's transaction."""
    written = []
    for program in programs:
        if program.owns_subjects:
            await conn.execute(_SQL["add_sport"], program.workflow, program.facts["title"])
        row = (release_id, program.workflow, program.format_number, program.document, program.checksum)
        if await conn.fetchval(_SQL["add_program"], *row):
            written.append(program.workflow)
    return written


async def install(
    conn: Connection, version: str, *, who: str, cache: Path, trace: Trace = NO_TRACE
) -> Installed:
    """Publish the programs of a release again, from its stored wheels. Raises `NotFound`, `Refused`."""
    stored = await fetch(conn, version)
    programs = await prove(stored.files, cache=cache)
    async with conn.transaction():
        there = {
            (row["workflow"], row["format_number"]): row["checksum"]
            for row in await conn.fetch(_SQL["release_programs"], stored.id)
        }
        _check_same(version, programs, there)
        written = await write(conn, stored.id, programs)
        if written:
            await audit.record(
                conn, who=who, verb="install", release_id=stored.id, seen={"written": written}, trace=trace
            )
    unchanged = tuple(p.workflow for p in programs if p.workflow not in written)
    return Installed(version=version, written=tuple(written), unchanged=unchanged)


def _check_same(version: str, programs: Sequence[Program], there: dict[tuple[str, int], str]) -> None:
    """A program that was published is never another one: the same code gives the same document."""
    other = [
        p.workflow for p in programs if there.get((p.workflow, p.format_number), p.checksum) != p.checksum
    ]
    if other:
        raise Refused(
            f"Release {version} gives another program of {', '.join(other)} than the one published. "
            "Its code is the same, so this platform's Python or pydantic is not: prove the release on it.",
            reason="program_differs",
        )
