"""`omnium up` and `omnium down`: a whole fleet on this machine."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from omnium import demo
from omnium.exits import FAILURES, exit_code
from omnium.options import HomeOption
from omnium_deploy import daemons, logs
from omnium_deploy.endpoints import Endpoints
from omnium_deploy.errors import StartFailed
from omnium_deploy.holding import Ended, end
from omnium_deploy.home import Home
from omnium_deploy.reports import Failed, PipeReporter, Report, Reporter, Told, Up
from omnium_deploy.session import Start, run
from omnium_deploy.settings import FleetSettings
from omnium_releases.approving import LOCAL

DEFAULT_PORT = 8600
LOG_LINES = 12
DOWN_S = 120.0


def up(
    home: HomeOption = None,
    port: Annotated[
        int, typer.Option(min=0, max=65_535, help="Port of the router; 0 picks a free one.")
    ] = DEFAULT_PORT,
    detach: Annotated[
        bool, typer.Option("--detach", help="Return when everything answers; the fleet goes on.")
    ] = False,
    flows: Annotated[
        list[Path] | None,
        typer.Option(help="Flows wheel, or a folder with one and its contract wheel.", show_default=False),
    ] = None,
    wheels: Annotated[
        list[Path] | None, typer.Argument(help="More wheels of --flows.", show_default=False)
    ] = None,
    report_to: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Start everything in a home folder: database, router, and workers of every release that is wanted.

    Ctrl-C stops it; the data stays, and the next start goes on with it.
    """
    place = Home.at(home)
    named = [*(flows or []), *(wheels or [])]
    if detach:
        _detached(place, port, named)
        return
    settings = FleetSettings.from_environment()
    furnish = demo.furnish if settings.environment == LOCAL else demo.leave_alone
    start = Start(place, settings, port, named, furnish)
    if report_to is None:
        _in_the_foreground(start)
    else:
        _reporting(start, PipeReporter(report_to))


def down(home: HomeOption = None) -> None:
    """Stop what runs in a home folder. The data stays."""
    place = Home.at(home)
    match end(place, wait_s=DOWN_S):
        case Ended.STOPPED:
            typer.echo(f"omnium in {place.root} is stopped.")
        case Ended.KILLED:
            typer.echo(f"omnium in {place.root} did not stop in {DOWN_S:.0f} s and was killed.")
        case Ended.NOTHING_RAN:
            typer.echo(f"Nothing ran in {place.root}.")


class Terminal:
    """Tells people: progress on stderr, the addresses on stdout."""

    def __init__(self, home: Home, flows: Sequence[Path]) -> None:
        self._home = home
        self._flows = flows

    def report(self, report: Report) -> None:
        """Print one report."""
        match report:
            case Told(text):
                _tell(text)
            case Up(already=True):
                _show_running(self._home, self._flows)
            case Up():
                show_addresses(self._home, already=False)
                _tell("Ctrl-C stops it; the data stays.")


def show_addresses(home: Home, *, already: bool) -> None:
    """Print where a fleet answers, and a token."""
    endpoints = Endpoints.read(home)
    typer.echo(f"omnium {'runs already' if already else 'is up'} in {home.root}")
    typer.echo(f"  router    {endpoints.router}   (try {endpoints.router}/docs)")
    typer.echo(f"  gRPC      {endpoints.grpc}")
    typer.echo(f"  database  {endpoints.database}")
    typer.echo(f"  tokens    {home.endpoints} has one for each role; this one is an operator's:")
    typer.echo(f"  {endpoints.tokens['operator']}")


def _show_running(home: Home, flows: Sequence[Path]) -> None:
    show_addresses(home, already=True)
    if flows:
        _tell("the wheels of --flows were left alone; while it runs: omnium releases register WHEEL")


def _in_the_foreground(start: Start) -> None:
    try:
        asyncio.run(run(start, Terminal(start.home, start.flows)))
    except StartFailed as failure:
        if failure.log:
            _show_log(failure.log)
        raise


def _detached(home: Home, port: int, flows: Sequence[Path]) -> None:
    def command(descriptor: int) -> list[str]:
        options = ["--home", str(home.root), "--port", str(port), "--report-to", str(descriptor)]
        named = [f"--flows={path}" for path in flows]
        return [sys.executable, "-P", "-s", "-m", "omnium", "up", *options, *named]

    outcome = daemons.start(home, command, _tell)
    match outcome:
        case Up(already=True):
            _show_running(home, flows)
        case Up():
            show_addresses(home, already=False)
        case Failed(reason, code, log):
            if log:
                _show_log(Path(log))
            _tell(reason)
            raise typer.Exit(code)


def _reporting(start: Start, reporter: Reporter) -> None:
    """Run as the daemon: whoever started it hears why it failed, after nothing runs any more."""
    try:
        asyncio.run(run(start, reporter))
    except FAILURES as failure:
        log = failure.log if isinstance(failure, StartFailed) else None
        reporter.report(Failed(str(failure), exit_code(failure), str(log) if log else None))
        raise typer.Exit(exit_code(failure)) from None


def _show_log(log: Path) -> None:
    typer.echo(f"The end of {log}:", err=True)
    for line in logs.last_lines(log, LOG_LINES):
        typer.echo(f"  {line}", err=True)


def _tell(text: str) -> None:
    if text:
        typer.echo(f"omnium: {text}", err=True)
