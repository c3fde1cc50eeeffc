"""`omnium play`: recorded matches as live commands through the facade, and what came of them."""

from __future__ import annotations

import sys
import threading
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from omnium.client import Client
from omnium.exits import Exit
from omnium.options import HomeOption, OutputOption, TokenOption, UrlOption
from omnium.output import Output, show_json, show_rows
from omnium_deploy.errors import UsageProblem
from omnium_releases.playing import MadeFixture, Pace, PlayedMatch, PlayReport, play
from omnium_releases.readers.files import files_below, read_file
from omnium_releases.readers.observers import observer_of
from omnium_releases.readers.recorded import RecordedMatch, UnreadableFile
from omnium_store.errors import Refused

T = TypeVar("T")

#: Matches that are played beside one another.
BESIDE = 8

FilesArgument = Annotated[list[Path], typer.Argument(help="Match files, or folders of them.", exists=True)]
ReleaseOption = Annotated[
    str | None,
    typer.Option(
        "--release", help="Play under this release instead of the sport's default.", show_default=False
    ),
]
SpeedOption = Annotated[
    str, typer.Option("--speed", help="Times as fast as the match was, or max for as fast as it goes.")
]
CheckOption = Annotated[
    bool, typer.Option("--check", help="Compare with what the files state; exit 1 if one disagrees.")
]


@dataclass(slots=True)
class FacadeOfHome:
    """Plays through one router; each thread has a connection of its own."""

    home: Path | None
    url: str | None
    token: str | None
    release: str | None
    event: str = field(default_factory=lambda: f"play-{uuid.uuid4().hex[:10]}")
    _local: threading.local = field(default_factory=threading.local)

    def open_event(self) -> None:
        """Make the event and the competition that the matches are played in."""
        self._client.post("/events", {"code": self.event, "name": "Recorded matches", "timezone": "UTC"})
        self._record("games", ("event", self.event), "games.add_competition", {"code": "all", "name": "All"})

    def make(self, match: RecordedMatch) -> MadeFixture:
        """The fixture of a match, moved to the release that was asked for."""
        unit = {
            "competition": "all",
            "code": uuid.uuid4().hex[:12],
            "name": match.name[:128],
            "sport": match.sport,
            "fixtureType": match.fixture_type,
            "archetype": match.archetype,
            "format": dict(match.format),
            "scoringMode": "events",
            "sides": [{"code": side.code, "name": side.name} for side in match.sides],
        }
        value = self._record("games", ("event", self.event), "games.add_unit", unit)["value"]
        made = MadeFixture(
            id=value["fixtureId"], entries={side["code"]: side["entry"] for side in value["sides"]}
        )
        if self.release:
            moved = {"version": self.release}
            self._record("results", ("fixture", made.id), "results.set_release", moved)
        return made

    def send(self, fixture: MadeFixture, sport: str, command: Mapping[str, Any]) -> Mapping[str, Any]:
        """One command of a match, under a key of its own; a fleet in trouble is asked again with that key."""
        answer: Mapping[str, Any] = self._client.command(
            sport,
            ("fixture", fixture.id),
            command["code"],
            command["input"],
            confirm=command["confirm"],
            occurred_at=command["occurredAt"],
        )
        return answer

    def board(self, fixture: MadeFixture) -> Mapping[str, Any]:
        """The board as screens see it."""
        read: Mapping[str, Any] = self._client.get("/reads/fixture.board", {"fixture": fixture.id})["value"]
        return read

    @property
    def _client(self) -> Client:
        if not hasattr(self._local, "client"):
            self._local.client = Client.open(self.home, self.url, self.token)
        client: Client = self._local.client
        return client

    def _record(self, workflow: str, subject: tuple[str, str], code: str, given: Mapping[str, Any]) -> Any:
        answer = self._client.command(workflow, subject, code, given)
        if not answer["accepted"]:
            raise Refused(f"{code}: {answer['message']}", reason=answer.get("reason") or answer["refusal"])
        return answer


def play_files(
    files: FilesArgument,
    home: HomeOption = None,
    url: UrlOption = None,
    token: TokenOption = None,
    release: ReleaseOption = None,
    speed: SpeedOption = "max",
    check: CheckOption = False,
    output: OutputOption = Output.TABLE,
) -> None:
    """Play recorded matches as live commands, and show the boards that they end with."""
    pace = _pace(speed)
    facade = FacadeOfHome(home, url, token, release)
    facade.open_event()
    report, played = _played(list(files_below(files)), facade, pace)
    if output is Output.JSON:
        show_json(report.as_data() if check else [_row(match) for match in played])
    else:
        show_rows(
            [_row(match) for match in played],
            columns=("match", "score", "status", "release", "commands", "disagrees"),
            output=output,
            identity="fixture",
        )
        _say(report)
    if (check and report.disagree) or not report.files:
        raise typer.Exit(Exit.REFUSED)


def _pace(speed: str) -> Pace:
    if speed == "max":
        return Pace()
    try:
        factor = float(speed)
    except ValueError:
        factor = 0.0
    if not 0 < factor < float("inf"):
        raise UsageProblem(f"--speed {speed} is no speed. Say a number above 0, or max.")
    return Pace(speed=factor)


def _played(paths: Sequence[Path], facade: FacadeOfHome, pace: Pace) -> tuple[PlayReport, list[PlayedMatch]]:
    report, everything = PlayReport(), []
    for path, played in _in_order(paths, facade, pace):
        if isinstance(played, UnreadableFile):
            report.skip(path, str(played))
        else:
            report.add(path, played)
            everything += played
    return report, everything


def _in_order(
    paths: Sequence[Path], facade: FacadeOfHome, pace: Pace
) -> Iterator[tuple[Path, list[PlayedMatch] | UnreadableFile]]:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as progress,
        ThreadPoolExecutor(BESIDE) as threads,
    ):
        task = progress.add_task("files", total=len(paths))
        for path, begun in _ahead((path, _begun(path, threads, facade, pace)) for path in paths):
            progress.update(task, description=path.name)
            yield path, begun if isinstance(begun, UnreadableFile) else [one.result() for one in begun]
            progress.advance(task)


def _begun(
    path: Path, threads: ThreadPoolExecutor, facade: FacadeOfHome, pace: Pace
) -> list[Future[PlayedMatch]] | UnreadableFile:
    try:
        matches = [m for m in read_file(path).matches if not m.scores_only]
    except UnreadableFile as unreadable:
        return unreadable
    return [threads.submit(play, m, facade, observer=observer_of(m), pace=pace) for m in matches]


def _ahead(begun: Iterable[T]) -> Iterator[T]:
    """The same in the same order, each only when the next few have begun too: files are small."""
    kept: deque[T] = deque()
    for one in begun:
        kept.append(one)
        if len(kept) > BESIDE:
            yield kept.popleft()
    yield from kept


def _row(match: PlayedMatch) -> dict[str, Any]:
    state = match.board.get("state", {})
    goals = state.get("goals", {})
    sides = match.board.get("sides", [])
    return {
        "fixture": match.fixture,
        "match": match.name,
        "score": "-".join(str(goals.get(side["entry"], 0)) for side in sides) if goals else "",
        "status": match.board.get("status"),
        "release": match.board.get("release"),
        "commands": match.commands,
        "disagrees": "; ".join(match.disagrees),
        "contradictions": list(match.contradictions),
        "leftOut": list(match.left_out),
    }


def _say(report: PlayReport) -> None:
    data = report.as_data()
    counts = ", ".join(
        f"{name.replace('_', ' ')} {data[name]}" for name in ("files", "played", "as_stated", "scores_only")
    )
    typer.echo(f"{counts}, {len(report.disagree)} disagreements")
    for word in ("disagree", "contradicts", "skipped"):
        for row in data[word]:
            typer.echo(f"  {word}: {row['file']}: {row['reason']}")
