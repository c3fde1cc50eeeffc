"""The compatibility replay of two releases, against a bare loop of one process and Temporal's Replayer.

`loop`: one player through gRPC against one bare loop, both as new processes, per event. `temporal`: events a
second of the whole replay of two releases (with its third run, under another hash seed) against signals a
second of the peer.
"""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Outcome, Ratio, at_least
from bench.peers import peer_python
from bench.programs import end, parser
from bench.replay_corpus import write_corpus
from omnium_releases.build import build_wheels
from omnium_releases.replay.comparing import Playing
from omnium_releases.replay.corpora import FolderCorpus
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.gathering import Gathering
from omnium_releases.replay.messages import places_to_derive
from omnium_releases.replay.outcome import Outcome as Replayed
from omnium_releases.replay.players import Wheels, player
from omnium_releases.replay.replaying import LINES_EVERY, Plan, replay
from omnium_releases.replay.streams import play_all

GOALS = {"temporal": at_least(30), "loop": at_least(0.7)}
ROOT = Path(__file__).resolve().parent.parent
TEMPORAL = "temporalio==1.35.0"


@dataclass(frozen=True, slots=True)
class Size:
    """How much is replayed: rounds of so many matches of so many events, and matches of the slow peer."""

    rounds: int
    matches: int
    events: int
    peer_matches: int


FULL = Size(rounds=3, matches=200, events=600, peer_matches=10)
QUICK = Size(rounds=1, matches=40, events=300, peer_matches=4)


@dataclass(frozen=True, slots=True)
class Stand:
    """What is measured: two releases and a corpus that the old one recorded."""

    old: Wheels
    new: Wheels
    corpus: FolderCorpus
    cache: Path
    size: Size

    @property
    def events(self) -> int:
        """Commands of the corpus."""
        return self.size.matches * self.size.events


def built(folder: Path) -> tuple[Wheels, Wheels]:
    """The working tree's release, and one whose rules differ in a comment."""
    for part in ("contract", "flows"):
        ignored = shutil.ignore_patterns("tests", "__pycache__")
        shutil.copytree(ROOT / part, folder / "tree" / part, ignore=ignored)
    made = []
    for name in ("old", "new"):
        pair = build_wheels(folder / "tree" / "contract", folder / "tree" / "flows", folder / name)
        made.append(Wheels(pair.flows, pair.contract))
        with (folder / "tree" / "flows" / "omnium_flows" / "football" / "actions.py").open("a") as source:
            source.write("# another release\n")
    old, new = made
    return old, new


def whole(on: Stand) -> float:
    """Seconds of a replay of both releases."""
    began = time.perf_counter()
    plan = Plan(old=on.old, new=on.new, corpus=on.corpus, bytecode=on.cache)
    outcome = asyncio.run(replay(plan))
    seconds = time.perf_counter() - began
    assert outcome.passed, outcome.failures
    return seconds


def alone(on: Stand) -> float:
    """Seconds of one player over the corpus, nothing compared."""

    async def played(entry: CorpusEntry, playings: list[Playing]) -> None:
        assert len(playings[0].judged) == len(entry.log)

    async def run() -> None:
        async with player("old", on.old, bytecode=on.cache) as playing:
            gathering = Gathering(Replayed(old=None, new={}, corpus="bench"))
            await play_all(
                [playing],
                gathering.entries(on.corpus),
                derive=lambda entry: places_to_derive(entry, LINES_EVERY),
                played=played,  # type: ignore[arg-type]  # a sequence there
            )

    began = time.perf_counter()
    asyncio.run(run())
    return time.perf_counter() - began


def loop(on: Stand) -> float:
    """Seconds of the bare loop over the same."""
    began = time.perf_counter()
    said = _looped(on, on.corpus.folder)
    seconds = time.perf_counter() - began
    assert int(said) == on.events, said
    return seconds


def where_it_goes(on: Stand) -> str:
    """A profile of the bare loop over one match: what each part takes of it."""
    told: dict[str, float] = json.loads(_looped(on, next(on.corpus.folder.iterdir()), "profile"))
    return ", ".join(f"{part} {share:.0%}" for part, share in told.items())


def _looped(on: Stand, corpus: Path, *more: str) -> str:
    arguments = [on.old.flows, on.old.contract, on.cache, corpus, LINES_EVERY, *more]
    command = [sys.executable, "-m", "bench.replay_loop", *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def temporal(python: Path, program: Path, size: Size) -> float:
    """Signals a second of the peer."""
    command = [str(python), str(program), str(size.peer_matches), str(size.events)]
    done = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return float(done["signals"] / done["seconds"])


def measure(on: Stand, python: Path | None, program: Path) -> Outcome:
    """All, interleaved."""
    rates, alones, loops, peers = [], [], [], []
    for _ in range(on.size.rounds):
        rates.append(2 * on.events / whole(on))
        alones.append(on.events / alone(on))
        loops.append(on.events / loop(on))
        peers += [temporal(python, program, on.size)] if python else []
    figures = {
        "events": 2 * on.events,
        "events_s": max(rates),
        "one_player_events_s": max(alones),
        "loop_events_s": max(loops),
        "temporal_signals_s": max(peers) if peers else "not installed",
        "profile": where_it_goes(on),
    }
    ratios = {"loop": Ratio.of([one / bare for one, bare in zip(alones, loops, strict=True)])}
    if peers:
        ratios["temporal"] = Ratio.of([one / peer for one, peer in zip(rates, peers, strict=True)])
    return Outcome("replay", ratios, figures, GOALS)


def main() -> None:
    """Set up, and measure."""
    told = parser(__doc__).parse_args()
    size = QUICK if told.quick else FULL
    with tempfile.TemporaryDirectory(prefix="omnium-bench-") as scratch, suppress(KeyboardInterrupt):
        folder = Path(scratch)
        old, new = built(folder)
        corpus = FolderCorpus(folder / "corpus", "bench")
        corpus.folder.mkdir()
        cache = folder / "cache"
        on = Stand(old, new, corpus, cache, size)
        asyncio.run(write_corpus(corpus.folder, old, cache, matches=size.matches, events=size.events))
        program = folder / "temporal_peer.py"
        program.write_text((ROOT / "bench" / "temporal_peer.py.txt").read_text())
        end(measure(on, peer_python("temporal", TEMPORAL), program), told)


if __name__ == "__main__":
    main()
