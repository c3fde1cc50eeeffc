"""Importing public match files: what becomes an entry, what does not, and that no name is in one."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from omnium_releases.corpus.importing import ImportReport, import_files
from omnium_releases.corpus.names import persons_in
from omnium_releases.corpus.performances import completed
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.corpus.stages import PlayerStage
from omnium_releases.readers.files import files_below, read_file
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import document_of, read_entry
from omnium_releases.replay.recordings import recorded_entry

from .conftest import Played, playing

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "tests" / "unit" / "readers" / "samples"
GOLDENS = ROOT / "flows" / "tests" / "goldens" / "football"


@pytest.fixture
async def stage(played: Played) -> AsyncIterator[PlayerStage]:
    async with playing(played) as opened:
        yield opened


async def imported(stage: PlayerStage, out: Path, *files: Path, **told: Any) -> ImportReport:
    return await import_files(list(files_below(list(files))), stage, Shelf(out), **told)


def entries_in(folder: Path) -> list[CorpusEntry]:
    return [read_entry(file) for file in sorted(folder.rglob("*.json"))]


async def test_the_samples_of_all_readers_become_entries_that_replay(
    stage: PlayerStage, tmp_path: Path
) -> None:
    report = await imported(stage, tmp_path, SAMPLES)
    assert (report.left, report.disagree, report.skipped) == ([], [], [])
    assert len(report.written) >= 4
    for entry in entries_in(tmp_path):
        assert entry.recorded_by == stage.release
        again = completed(entry, await stage.play(entry))
        assert (again.state, set(again.lines or ()), again.places) == (
            entry.state,
            set(entry.lines or ()),
            entry.places,
        )


async def test_the_same_file_gives_the_same_entry_everywhere(stage: PlayerStage, tmp_path: Path) -> None:
    first = await imported(stage, tmp_path / "one", SAMPLES)
    again = await imported(stage, tmp_path / "one", SAMPLES)
    elsewhere = await imported(stage, tmp_path / "two", SAMPLES)
    assert (again.written, sorted(again.unchanged)) == ([], sorted(first.written))
    assert elsewhere.written == first.written


async def test_no_name_of_a_player_or_a_side_is_in_an_entry(stage: PlayerStage, tmp_path: Path) -> None:
    await imported(stage, tmp_path, SAMPLES)
    recordings = [read_file(path) for path in files_below([SAMPLES])]
    matches = [match for recording in recordings for match in recording.matches if not match.scores_only]
    names = {side.name for match in matches for side in match.sides if len(side.name) > 2}
    for match in matches:
        program = stage.program(match.sport)
        names |= {name for name in persons_in(recorded_entry(match, id="x").log, program) if len(name) > 2}
    assert len(names) > 10
    text = "".join(json.dumps(document_of(entry), ensure_ascii=False) for entry in entries_in(tmp_path))
    assert [name for name in names if f'"{name}"' in text or f" {name} " in text] == []


async def test_a_file_of_another_format_and_one_that_no_reader_takes_are_skipped(
    stage: PlayerStage, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{}")
    report = await imported(
        stage, tmp_path / "out", SAMPLES / "fjelstul.json", broken, format_name="timeline"
    )
    assert [one["reason"] for one in report.skipped] == [
        "is of format fjelstul",
        "is JSON of no known format; docs/formats.md lists the known ones",
    ]
    assert report.written == []


async def test_a_match_that_the_release_refuses_is_left_out_and_says_where(
    stage: PlayerStage, tmp_path: Path
) -> None:
    told = json.loads((GOLDENS / "two_one_home_win.json").read_text())
    told["log"] = told["log"][1:]
    told["log"][0]["code"] = "football.goal"
    file = tmp_path / "golden.json"
    file.write_text(json.dumps(told))
    report = await imported(stage, tmp_path / "out", file)
    assert report.written == []
    assert "command 1 football.goal is refused (input None)" in report.left[0]["reason"]


async def test_a_file_whose_match_ends_otherwise_than_it_states_is_told(
    stage: PlayerStage, tmp_path: Path
) -> None:
    told = json.loads((GOLDENS / "two_one_home_win.json").read_text())
    told["state"]["goals"]["home"] = 7
    file = tmp_path / "golden.json"
    file.write_text(json.dumps(told))
    report = await imported(stage, tmp_path / "out", file)
    assert len(report.written) == 1
    assert [one["reason"] for one in report.disagree] == ["state.goals.home: 7 -> 2"]
