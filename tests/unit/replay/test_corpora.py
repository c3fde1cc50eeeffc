"""Folders of matches: entries, goldens, public match files, and what gives no match."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from omnium_releases.replay.corpora import FolderCorpus, Skipped
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import write_entry
from omnium_releases.replay.gathering import Gathering
from omnium_releases.replay.outcome import Outcome, Reason

from .test_entries import ENTRY

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "flows" / "tests" / "goldens" / "football" / "abandoned.json"
SAMPLES = ROOT / "tests" / "unit" / "readers" / "samples"


async def read(folder: Path) -> list[CorpusEntry | Skipped]:
    return [one async for one in FolderCorpus(folder, "test").entries()]


async def gathered(folder: Path) -> tuple[Sequence[CorpusEntry], Outcome]:
    outcome = Outcome(old=None, new={}, corpus="test")
    gathering = Gathering(outcome)
    entries = [entry async for entry in gathering.entries(FolderCorpus(folder, "test"))]
    gathering.finish()
    return entries, outcome


async def test_a_golden_is_an_entry_with_a_digest_after_every_event(tmp_path: Path) -> None:
    (tmp_path / "football").mkdir()
    shutil.copy(GOLDEN, tmp_path / "football")
    (entry,) = await read(tmp_path)
    assert isinstance(entry, CorpusEntry)
    assert (entry.id, entry.workflow, entry.fixture_id) == ("football/abandoned", "football", "fixture")
    assert all(command.digest for command in entry.log)
    assert (entry.state is not None, entry.lines, entry.places) == (True, (), ())


async def test_public_match_files_are_logs_without_an_end() -> None:
    found = [one for one in await read(SAMPLES) if isinstance(one, CorpusEntry)]
    assert found
    assert {entry.workflow for entry in found} == {"football"}
    assert all(entry.log[0].occurred_at for entry in found)
    sides = {side.entry for side in found[0].sides}
    assert {c.input["entry"] for c in found[0].log if "entry" in c.input} <= sides


async def test_a_file_that_is_none_of_ours_is_skipped_and_a_broken_one_fails(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Notes")
    (tmp_path / "index.json").write_text('{"files": []}')
    (tmp_path / "broken.json").write_text('{"corpusEntry": 1}')
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x08\x00")
    _, outcome = await gathered(tmp_path)
    assert [name for name, _ in outcome.skipped] == ["README.md", "broken.json", "cut.json.gz", "index.json"]
    assert [failure.reason for failure in outcome.failures] == [Reason.BROKEN_FILE, Reason.BROKEN_FILE]


async def test_two_matches_of_one_id_can_not_be_told_apart(tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        write_entry(tmp_path / name, ENTRY)
    entries, outcome = await gathered(tmp_path)
    assert (len(entries), [failure.reason for failure in outcome.failures]) == (1, [Reason.BROKEN_FILE])


async def test_the_digest_names_what_is_in_a_corpus_and_not_how_its_files_lie(tmp_path: Path) -> None:
    digests = []
    for names in (("a.json", "b.json"), ("z/one.json.gz", "y/two.json")):
        folder = tmp_path / names[0].replace("/", "-")
        for name, id_ in zip(names, ("m1", "m2"), strict=True):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_entry(folder / name, replace(ENTRY, id=id_))
        digests.append((await gathered(folder))[1].corpus_digest)
    assert digests[0] == digests[1]
    write_entry(folder / "y" / "two.json", replace(ENTRY, id="m2", what="Another"))
    assert (await gathered(folder))[1].corpus_digest != digests[0]


async def test_one_file_is_a_corpus_too(tmp_path: Path) -> None:
    write_entry(tmp_path / "one.json", ENTRY)
    assert await read(tmp_path / "one.json") == [ENTRY]
