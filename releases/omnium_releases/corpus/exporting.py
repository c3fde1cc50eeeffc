"""`corpus export`: finished matches as corpus entries, each proven twice before it is written.

First the match is played as it was: its own release must give the state that the scoreboard has. Then it is
masked and played again, and what that gives is what the entry says. So an entry is the fold of its own log,
and nothing in it comes from a name: the rules have never seen one.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from omnium_releases.corpus.logged import LoggedMatch, MatchHead, finished_matches, read_match
from omnium_releases.corpus.masks import CannotMask, Mask
from omnium_releases.corpus.performances import Stage, Stages, Unproven, completed, proven
from omnium_releases.corpus.pseudonyms import PseudonymKey
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.replay.entries import CorpusEntry
from omnium_store.database import Connection
from omnium_store.errors import OmniumError


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A match that no entry was written for, and why."""

    fixture: uuid.UUID
    release: str
    reason: str


@dataclass(slots=True)
class ExportReport:
    """What became of the finished matches. `refusals_left_out`: those that were not given again."""

    written: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    refusals_left_out: int = 0

    def as_data(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "written": self.written,
            "unchanged": self.unchanged,
            "refusalsLeftOut": self.refusals_left_out,
            "left": [
                {"fixture": str(one.fixture), "release": one.release, "reason": one.reason}
                for one in self.left
            ],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """One export: from where, with which workers, under which key, to which folder."""

    conn: Connection
    stages: Stages
    key: PseudonymKey
    shelf: Shelf

    async def run(
        self, *, since: datetime | None = None, progress: Callable[[int, int], None] = lambda *_: None
    ) -> ExportReport:
        """Export the finished matches of which something was logged since then; tells how far it is."""
        report = ExportReport()
        heads = await finished_matches(self.conn, since=since)
        for version, group in groupby(heads, key=lambda head: head.release):
            await self._of_release(version, list(group), report, lambda done: progress(done, len(heads)))
        return report

    async def _of_release(
        self, version: str, heads: Sequence[MatchHead], report: ExportReport, progress: Callable[[int], None]
    ) -> None:
        before = _count(report)
        try:
            async with self.stages.of(version) as stage:
                for head in heads:
                    await self._match(stage, head, report)
                    progress(_count(report))
        except OmniumError as error:  # a release that can't be started costs its own matches alone
            report.left += [
                Left(fixture=head.fixture, release=version, reason=error.message)
                for head in heads[_count(report) - before :]
            ]

    async def _match(self, stage: Stage, head: MatchHead, report: ExportReport) -> None:
        match = await read_match(self.conn, head.fixture)
        try:
            entry, left_out = await anonymous(match, stage, self.key)
        except (CannotMask, Unproven) as problem:
            report.left.append(Left(fixture=head.fixture, release=head.release, reason=str(problem)))
            return
        report.refusals_left_out += left_out
        (report.written if self.shelf.put(entry) else report.unchanged).append(entry.id)


async def anonymous(match: LoggedMatch, stage: Stage, key: PseudonymKey) -> tuple[CorpusEntry, int]:
    """The entry of a match, and how many refusals are not in it. Raises `CannotMask`, `Unproven`."""
    logged = proven(match.entry, await stage.play(match.entry), digest=match.state_digest)
    masked = Mask.of(logged, match.names, key, program=stage.program(match.entry.workflow)).masked()
    return completed(masked, await stage.play(masked)), len(match.entry.log) - len(masked.log)


def _count(report: ExportReport) -> int:
    return len(report.written) + len(report.unchanged) + len(report.left)
