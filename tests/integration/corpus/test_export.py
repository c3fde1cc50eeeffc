"""Exporting: what is written is what the release gives, and nothing of it says whose it was."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from omnium_releases.corpus.exporting import Export, ExportReport, anonymous
from omnium_releases.corpus.logged import finished_matches, read_match
from omnium_releases.corpus.performances import Unproven, completed
from omnium_releases.corpus.pseudonyms import PseudonymKey
from omnium_releases.corpus.shelves import Shelf
from omnium_releases.corpus.stages import RegisteredStages
from omnium_releases.replay.entries import CorpusEntry
from omnium_releases.replay.entry_documents import read_entry
from omnium_store.errors import NotFound

from .conftest import WORDS, Played, playing, read

KEY = PseudonymKey(b"k" * 32)


async def exported(
    played: Played, folder: Path, *, key: PseudonymKey = KEY, since: datetime | None = None
) -> ExportReport:
    connection = await played.connect()
    try:
        stages = RegisteredStages(connection, played.home / "cache")
        return await Export(conn=connection, stages=stages, key=key, shelf=Shelf(folder)).run(since=since)
    finally:
        await connection.close()


def entries_in(folder: Path) -> list[CorpusEntry]:
    return [read_entry(file) for file in sorted(folder.rglob("*.json"))]


def names_in(folder: Path, words: list[str]) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*")):
        content = file.read_bytes().lower() if file.is_file() else str(file).encode().lower()
        yield from ((word, file.name) for word in words if word.casefold().encode() in content)


@pytest.fixture(scope="module")
def shelf(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where both matches were exported to."""
    folder = tmp_path_factory.mktemp("corpus")
    report = asyncio.run(exported(played, folder))
    assert (len(report.written), report.left, report.refusals_left_out) == (2, [], 0)
    return folder


async def test_no_name_of_anybody_or_anything_is_in_what_is_written(played: Played, shelf: Path) -> None:
    own = [*played.persons.values(), str(played.first), str(played.second), "Minnie", "player 3"]
    own += [side.entry for side in (await read(played)).entry.sides]
    assert list(names_in(shelf, [*WORDS, *own])) == []


async def test_an_entry_is_the_fold_of_its_own_log_under_its_own_release(played: Played, shelf: Path) -> None:
    async with playing(played) as opened:
        for entry in entries_in(shelf):
            assert entry.recorded_by == opened.release
            again = completed(entry, await opened.play(entry))
            assert replace(again, lines=None) == replace(entry, lines=None)
            assert set(again.lines or ()) == set(entry.lines or ())


async def test_the_story_is_the_one_that_was_played(shelf: Path) -> None:
    final = max(entries_in(shelf), key=lambda entry: len(entry.log))
    assert sorted((final.state or {})["goals"].values()) == [1, 2]
    refusals = [command.refused.refusal for command in final.log if command.refused]
    assert refusals == ["rejected", "rejected", "input", "confirm"]
    assert all(command.judged and command.digest for command in final.log)
    assert [place.rank for place in final.places or ()] == [1, 2]
    assert {line.key for line in final.lines or ()} >= {"goals", "yellow_cards", "minutes"}
    assert final.log[0].occurred_at.startswith("2000-01-0")


async def test_a_person_has_one_pseudonym_in_every_match_and_under_another_key_another(
    played: Played, shelf: Path, tmp_path: Path
) -> None:
    await exported(played, tmp_path, key=PseudonymKey(b"o" * 32))
    here = [scorers(entry) for entry in entries_in(shelf)]
    elsewhere = [scorers(entry) for entry in entries_in(tmp_path)]
    assert len(here[0] & here[1]) == 1
    assert not (here[0] | here[1]) & (elsewhere[0] | elsewhere[1])


def scorers(entry: CorpusEntry) -> set[str]:
    return {command.input["scorer"] for command in entry.log if "scorer" in command.input}


async def test_what_is_there_already_is_left_alone(played: Played, shelf: Path) -> None:
    times = written_at(shelf)
    again = await exported(played, shelf)
    assert (again.written, len(again.unchanged)) == ([], 2)
    assert times == written_at(shelf)


def written_at(folder: Path) -> list[int]:
    return [file.stat().st_mtime_ns for file in sorted(folder.rglob("*.json"))]


async def test_only_what_was_logged_since_then(played: Played, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert (await exported(played, tmp_path, since=now + timedelta(hours=1))).as_data()["written"] == []
    connection = await played.connect()
    try:
        assert len(await finished_matches(connection, since=now - timedelta(hours=1))) == 2
    finally:
        await connection.close()


async def test_a_scoreboard_that_its_log_does_not_give_is_no_evidence(played: Played) -> None:
    match = replace(await read(played), state_digest="0" * 64)
    async with playing(played) as opened:
        with pytest.raises(Unproven, match="another state than the scoreboard"):
            await anonymous(match, opened, KEY)


async def test_a_refusal_that_is_not_given_again_is_left_out(played: Played) -> None:
    match = await read(played)
    refused = next(number for number, one in enumerate(match.entry.log) if one.refused)
    command = match.entry.log[refused]
    assert command.refused is not None
    other = replace(command, refused=replace(command.refused, reason="another_rule"))
    log = (*match.entry.log[:refused], other, *match.entry.log[refused + 1 :])
    async with playing(played) as opened:
        entry, left_out = await anonymous(replace(match, entry=replace(match.entry, log=log)), opened, KEY)
    assert (left_out, len(entry.log)) == (1, len(match.entry.log) - 1)


async def test_a_match_that_is_not_there_is_said(played: Played) -> None:
    connection = await played.connect()
    try:
        with pytest.raises(NotFound):
            await read_match(connection, uuid.uuid4())
    finally:
        await connection.close()
