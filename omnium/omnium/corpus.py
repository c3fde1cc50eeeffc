"""`omnium corpus`: finished matches, and public match files, as evidence for the compatibility replay."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from omnium.databases import DatabaseOption, connected, dsn_of
from omnium.exits import Exit
from omnium.groups import verbs
from omnium.options import HomeOption, OutputOption
from omnium.output import Output, show_json
from omnium_deploy.errors import UsageProblem
from omnium_deploy.home import Home
from omnium_deploy.offers import offers
from omnium_releases.artifacts import ReleaseFiles, Wheel, fetch
from omnium_releases.corpus.exporting import Export, ExportReport
from omnium_releases.corpus.importing import AUTO, ImportReport, import_files
from omnium_releases.corpus.pseudonyms import PseudonymKey
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.corpus.stages import RegisteredStages, stage_of
from omnium_releases.readers.files import FORMATS, files_below

app = verbs("The corpus: matches as evidence that the compatibility replay judges releases by.")

_AGO: Final = re.compile(r"(?P<number>\d+)(?P<unit>[mhd])")
_UNITS: Final = {"m": "minutes", "h": "hours", "d": "days"}

#: Where `make wheels` puts the working tree's.
WHEELS: Final = "dist"

SinceOption = Annotated[
    str | None,
    typer.Option(
        "--since", help="Only what was logged since then: 2026-09-19T08:00Z, or 36h ago.", show_default=False
    ),
]
ReleaseOption = Annotated[
    str, typer.Option("--release", help="Who plays them: a wheel, a folder with both, or a version.")
]


@app.command("export")
def export_corpus(
    folder: Annotated[Path, typer.Argument(help="Where the entries go: FOLDER/SPORT/ID.json.")],
    since: SinceOption = None,
    home: HomeOption = None,
    database: DatabaseOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Write every finished match, with pseudonyms for all names. Exit code 1 if one could not be proven."""
    report = asyncio.run(_exported(Home.at(home), dsn_of(home, database), folder, moment_of(since)))
    match output:
        case Output.JSON:
            show_json(report.as_data())
        case Output.IDS:
            typer.echo("\n".join(report.written), nl=bool(report.written))
        case Output.TABLE:
            typer.echo(f"{len(report.written)} written, {len(report.unchanged)} unchanged in {folder}")
            if report.refusals_left_out:
                typer.echo(f"{report.refusals_left_out} refusals left out: they are not given again")
    for one in report.left:
        typer.echo(f"left out: {one.fixture} ({one.release}): {one.reason}", err=True)
    _end(bool(report.left), f"{len(report.left)} matches were left out.")


@app.command("import")
def import_matches(
    format_name: Annotated[str, typer.Argument(metavar="FORMAT", help=f"{AUTO}, {', '.join(FORMATS)}.")],
    files: Annotated[list[Path], typer.Argument(help="Match files, or folders of them.", exists=True)],
    out: Annotated[Path, typer.Option("--out", help="Where the entries go: OUT/SPORT/ID.json.")],
    release: ReleaseOption = WHEELS,
    home: HomeOption = None,
    database: DatabaseOption = None,
    output: OutputOption = Output.TABLE,
) -> None:
    """Turn public match files into entries. Exit code 1 if a match can't be played, or there is none."""
    if format_name not in (AUTO, *FORMATS):
        raise UsageProblem(f"There is no format {format_name}. Say {AUTO}, {', '.join(FORMATS)}.")
    cache = Home.at(home).cache
    wheels = _wheels(release) or asyncio.run(_registered(release, dsn_of(home, database)))
    report = asyncio.run(_imported(list(files_below(files)), wheels, cache, out, format_name))
    match output:
        case Output.JSON:
            show_json(report.as_data())
        case Output.IDS:
            typer.echo("\n".join(report.written), nl=bool(report.written))
        case Output.TABLE:
            typer.echo(
                f"{len(report.written)} written, {len(report.unchanged)} unchanged in {out}, "
                f"{report.scores_only} with scores only"
            )
    _say(report)
    nothing = not report.written and not report.unchanged
    _end(bool(report.left) or nothing, "Not every match became an entry; see above.")


def moment_of(text: str | None) -> datetime | None:
    """The moment that --since names. Raises `UsageProblem`."""
    if text is None:
        return None
    if ago := _AGO.fullmatch(text):
        return datetime.now(UTC) - timedelta(**{_UNITS[ago["unit"]]: int(ago["number"])})
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise UsageProblem(f"--since {text} is no moment. Write 2026-09-19T08:00Z, or 36h, 90m, 7d.")
    return moment


async def _exported(home: Home, dsn: str, folder: Path, since: datetime | None) -> ExportReport:
    key = PseudonymKey.load_or_create(home.keys)
    async with connected(dsn, verb="corpus export") as conn:
        stages = RegisteredStages(conn, home.cache)
        export = Export(conn=conn, stages=stages, key=key, shelf=Shelf(folder))
        with _progress("matches") as progress:
            return await export.run(since=since, progress=progress)


def _wheels(release: str) -> ReleaseFiles | None:
    """The wheels of a release that is named by a path; None for a version."""
    if not (Path(release).exists() or release.endswith(".whl") or release == WHEELS):
        return None
    (offer,) = offers([Path(release)])
    return ReleaseFiles.of(Wheel.read(offer.flows), Wheel.read(offer.contract))


async def _registered(version: str, dsn: str) -> ReleaseFiles:
    async with connected(dsn, verb="corpus import") as conn:
        return (await fetch(conn, version)).files


async def _imported(
    files: list[Path], wheels: ReleaseFiles, cache: Path, out: Path, format_name: str
) -> ImportReport:
    async with stage_of(wheels, bytecode=cache) as stage:
        with _progress("files") as progress:
            return await import_files(files, stage, Shelf(out), format_name=format_name, progress=progress)


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = Progress(*columns, console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True)
    with shown:
        task = shown.add_task(what, total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def _say(report: ImportReport) -> None:
    rows: tuple[tuple[str, list[dict[str, Any]]], ...] = (
        ("left out", report.left), ("disagrees", report.disagree), ("skipped", report.skipped),
    )  # fmt: skip
    for word, told in rows:
        for row in told:
            where = f"{row['file']}: {row['match']}" if "match" in row else row["file"]
            typer.echo(f"{word}: {where}: {row['reason']}", err=True)


def _end(is_refused: bool, reason: str) -> None:
    if is_refused:
        typer.echo(f"omnium: {reason}", err=True)
        raise typer.Exit(Exit.REFUSED)
