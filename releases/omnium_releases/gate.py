"""The publish gate: a release is imported, watched and asked for its programs in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from omnium_releases.isolation import isolated_command, isolated_environment

SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The program document of one workflow, as canonical text."""

    workflow: str
    format_number: int
    document: str
    checksum: str

    @property
    def facts(self) -> dict[str, Any]:
        """The document, read."""
        facts: dict[str, Any] = json.loads(self.document)
        return facts

    @property
    def owns_subjects(self) -> bool:
        """Whether fixtures or events are of this workflow: a sport, or `games`, but no format."""
        facts = self.facts
        return "parent" not in facts and (facts["mode"] == "fold" or facts["subject"] == "event")


@dataclass(frozen=True, slots=True)
class Proof:
    """What the gate found. Without problems the release may be published."""

    programs: tuple[Program, ...]
    problems: tuple[str, ...]


async def prove(folder: Path, *, cache: Path, seconds: float = SECONDS) -> Proof:
    """Prove the release that is unpacked in `folder`. The process is ended after `seconds`."""
    process = await asyncio.create_subprocess_exec(
        *isolated_command("omnium_releases.gate_process", str(folder), cache=cache),
        env=isolated_environment(),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(seconds):
            output, errors = await process.communicate()
    except TimeoutError:
        return Proof(
            (), (f"its import takes longer than {seconds:g} s: an import defines, it does not work",)
        )
    finally:
        _end(process)
        await process.wait()
    return _proof(output) if process.returncode == 0 else Proof((), (_death(process, errors),))


def _proof(output: bytes) -> Proof:
    found = json.loads(output)
    programs = (
        Program(
            workflow=program["workflow"],
            format_number=program["formatNumber"],
            document=program["document"],
            checksum=program["checksum"],
        )
        for program in found["programs"]
    )
    return Proof(tuple(programs), tuple(found["problems"]))


def _end(process: Process) -> None:
    """End it, if it has not ended, with whatever it started: its group is its own."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _death(process: Process, errors: bytes) -> str:
    how = f"exit code {process.returncode}"
    if process.returncode is not None and process.returncode < 0:
        how = signal.Signals(-process.returncode).name
    said = errors.decode(errors="replace").strip().splitlines()
    return f"the process that proved it died ({how}){': ' + said[-1] if said else ''}"
