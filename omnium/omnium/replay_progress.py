"""How far a replay is: a bar on a terminal, a line now and then where nobody looks at one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from omnium_releases.replay.outcome import Outcome
from omnium_releases.replay.replaying import Progress as Told

#: Seconds between two lines in the log of a CI run.
LINE_EVERY_S: Final = 10.0


@contextmanager
def watched(total: int) -> Iterator[Told]:
    """What a replay tells after each match, shown on stderr. `total`: files, which may hold many matches."""
    if sys.stderr.isatty():
        with _bar() as bar:
            task = bar.add_task("replay", total=total)
            yield lambda outcome: bar.update(
                task,
                completed=outcome.matches,
                total=max(total, outcome.matches),
                description=_found(outcome),
            )
    else:
        yield _Lines(total).tell


class _Lines:
    """A line every ten seconds."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._told = time.monotonic()

    def tell(self, outcome: Outcome) -> None:
        """One more match was played."""
        if time.monotonic() - self._told < LINE_EVERY_S:
            return
        self._told = time.monotonic()
        of = f"of {self._total} " if outcome.matches <= self._total else ""
        done = f"{outcome.matches} {of}matches, {outcome.events} commands"
        typer.echo(f"replay: {done}, {_found(outcome)}", err=True)


def _found(outcome: Outcome) -> str:
    if outcome.failures:
        return f"{len(outcome.failures)} failures"
    return f"{outcome.difference_count} differences"


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
