"""`omnium replay`: the matches of a corpus under two releases, and every place where they part."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from omnium.databases import DatabaseOption, connected, dsn_of
from omnium.exits import Exit
from omnium.options import HomeOption
from omnium.release_files import read_text
from omnium.replay_progress import watched
from omnium_deploy.errors import UsageProblem
from omnium_deploy.home import Home
from omnium_deploy.offers import offers
from omnium_releases.replay.corpora import GOLDENS, Corpus, DatabaseCorpus, FolderCorpus
from omnium_releases.replay.outcome import Outcome
from omnium_releases.replay.players import Wheels, written
from omnium_releases.replay.registered import registered_side
from omnium_releases.replay.replaying import LINES_EVERY, Plan, replay
from omnium_releases.replay.reports.json_text import json_report
from omnium_releases.replay.reports.junit import junit_report
from omnium_releases.replay.reports.page import page_report
from omnium_releases.replay.reports.text import headline, text_report, ways_out
from omnium_releases.rule_changes import RuleChange, rule_changes
from omnium_store.database import Connection

#: Reasons of a failing replay that are told on stderr; all of them are in the report.
MOST_REASONS: Final = 5


class Report(StrEnum):
    """The forms of the report."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    HTML = "html"


_WRITTEN: Final[dict[Report, Callable[[Outcome], str]]] = {
    Report.TEXT: text_report,
    Report.JSON: json_report,
    Report.JUNIT: junit_report,
    Report.HTML: page_report,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the flags say."""

    old: str | None
    new: str
    corpus: str
    sports: frozenset[str]
    notes: Path | None
    lines_every: int
    home: Path | None
    database: str | None


def replay_releases(
    new: Annotated[
        str, typer.Option("--new", help="The release to prove: a version, a wheel, a folder with both.")
    ],
    old: Annotated[
        str | None,
        typer.Option(
            "--old", help="What it is compared with; left out for a first release.", show_default=False
        ),
    ] = None,
    corpus: Annotated[
        str, typer.Option("--corpus", help="A folder of matches, golden (the working tree's), or db.")
    ] = "golden",
    sport: Annotated[
        list[str] | None,
        typer.Option("--sport", help="Only matches of this sport; may be repeated.", show_default=False),
    ] = None,
    notes: Annotated[
        Path | None,
        typer.Option(
            "--notes",
            help="A TOML file that declares rule changes (else those registered with --new).",
            show_default=False,
        ),
    ] = None,
    report: Annotated[Report, typer.Option("--report", help="The form of the report.")] = Report.TEXT,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where the report goes (else stdout).", show_default=False)
    ] = None,
    lines_every: Annotated[
        int,
        typer.Option("--lines-every", min=1, help="Compare lines and places behind every so many commands."),
    ] = LINES_EVERY,
    home: HomeOption = None,
    database: DatabaseOption = None,
) -> None:
    """Play recorded matches under two releases and compare all that comes of them. Exit 1 if it fails."""
    asked = Asked(
        old=old,
        new=new,
        corpus=corpus,
        sports=frozenset(sport or ()),
        notes=notes,
        lines_every=lines_every,
        home=home,
        database=database,
    )
    outcome = asyncio.run(_replayed(asked))
    _tell(outcome, _WRITTEN[report](outcome), out)
    if not outcome.passed:
        _say_why(outcome)
        raise typer.Exit(Exit.REFUSED)


async def _replayed(asked: Asked) -> Outcome:
    declared = rule_changes(read_text(asked.notes, "notes")) if asked.notes else None
    async with AsyncExitStack() as stack:
        sources = Sources(asked, stack)
        old = await sources.side(asked.old) if asked.old else None
        new = await sources.side(asked.new)
        plan = Plan(
            old=old.wheels if old else None,
            new=new.wheels,
            corpus=await sources.corpus(),
            bytecode=Home.at(asked.home).cache,
            changes=new.changes if declared is None else declared,
            sports=asked.sports,
            lines_every=asked.lines_every,
        )
        with watched(await plan.corpus.count()) as progress:
            return await replay(plan, progress=progress)


@dataclass(frozen=True, slots=True)
class Side:
    """Wheel files, and what the database says was declared of them."""

    wheels: Wheels
    changes: tuple[RuleChange, ...] = ()


class Sources:
    """Where wheels and matches come from. The database is opened once, when something needs it."""

    def __init__(self, asked: Asked, stack: AsyncExitStack) -> None:
        self._asked = asked
        self._stack = stack
        self._connection: Connection | None = None

    async def side(self, named: str) -> Side:
        """A release by its version, or by a path. Raises `UsageProblem`, `NotFound`, `Refused`."""
        if _is_path(named):
            (offer,) = offers([Path(named)])
            return Side(Wheels(offer.flows, offer.contract))
        registered = await registered_side(await self._database(), named)
        return Side(self._stack.enter_context(written(registered.files)), registered.changes)

    async def corpus(self) -> Corpus:
        """The matches. Raises `UsageProblem` where there is no such folder."""
        match self._asked.corpus:
            case "db":
                return DatabaseCorpus(await self._database())
            case "golden":
                return FolderCorpus(_folder(GOLDENS, "Run it in the root of the working tree"), "golden")
            case named:
                return FolderCorpus(_folder(Path(named), "Name a folder of matches, golden, or db"), named)

    async def _database(self) -> Connection:
        if self._connection is None:
            dsn = dsn_of(self._asked.home, self._asked.database)
            self._connection = await self._stack.enter_async_context(connected(dsn, verb="replay"))
        return self._connection


def _is_path(named: str) -> bool:
    """A version has no slash, no wheel's ending, and is rarely the name of a file that is here."""
    return "/" in named or named.endswith(".whl") or Path(named).exists()


def _folder(path: Path, way_out: str) -> Path:
    if not path.exists():
        raise UsageProblem(f"There is no corpus {path} here. {way_out}.")
    return path


def _tell(outcome: Outcome, report: str, out: Path | None) -> None:
    if out is None:
        typer.echo(report, nl=False)
        return
    try:
        out.write_text(report, encoding="utf-8")
    except OSError as error:
        raise UsageProblem(f"The report can't be written to {out}: {error.strerror}.") from error
    typer.echo(headline(outcome))
    typer.echo(out)


def _say_why(outcome: Outcome) -> None:
    """The first reasons; the last line is the sum, as every verb ends."""
    for failure in outcome.failures[:MOST_REASONS]:
        typer.echo(f"{failure.reason}: {failure.message}", err=True)
    more = len(outcome.failures) - MOST_REASONS
    if more > 0:
        typer.echo(f"and {more} more", err=True)
    for way_out in ways_out(outcome):
        typer.echo(way_out, err=True)
    reasons = f"{len(outcome.failures)} reasons" if len(outcome.failures) > 1 else "1 reason"
    typer.echo(f"omnium: {outcome.new['version']} fails the replay: {reasons}.", err=True)
