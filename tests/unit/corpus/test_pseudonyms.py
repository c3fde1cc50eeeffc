"""Pseudonyms: stable under one key, told by nobody without it, never shared by two texts of one match."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from omnium_releases.corpus.pseudonyms import KEY_FILE, PseudonymKey, Pseudonyms
from omnium_store.errors import BadRequest

ONE, OTHER = PseudonymKey(b"1" * 32), PseudonymKey(b"2" * 32)


def test_a_person_has_one_pseudonym_under_one_key_and_another_under_another() -> None:
    assert Pseudonyms(ONE).of("Ada Lovelace") == Pseudonyms(ONE).of("Ada Lovelace")
    assert Pseudonyms(ONE).of("Ada Lovelace") != Pseudonyms(OTHER).of("Ada Lovelace")
    assert Pseudonyms(ONE).of("Ada Lovelace") == "p-9edcd4c766f7"


def test_the_id_of_a_participant_is_who_the_source_says_that_it_is() -> None:
    this_year = Pseudonyms(ONE, {"id-2025": "source:fed:17"})
    next_year = Pseudonyms(ONE, {"id-2026": "source:fed:17"})
    assert this_year.of("id-2025") == next_year.of("id-2026")


def test_two_texts_of_one_match_never_share_a_pseudonym() -> None:
    merged = Pseudonyms(ONE, {"twin-1": "participant:a", "twin-2": "participant:a"})
    assert len({merged.of("twin-1"), merged.of("twin-2"), merged.of("twin-1")}) == 2


def test_the_key_is_made_once_and_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(lambda _: PseudonymKey.load_or_create(folder).secret, range(32)))
    assert len(keys) == 1
    assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    assert keys.pop().hex() not in repr(PseudonymKey.load_or_create(folder))


@pytest.mark.parametrize(("content", "mode"), [("ab" * 32, 0o640), ("ab" * 31, 0o600), ("no hex", 0o600)])
def test_a_key_that_others_can_read_or_that_is_none_is_refused(
    content: str, mode: int, tmp_path: Path
) -> None:
    file = tmp_path / KEY_FILE
    file.write_text(content)
    file.chmod(mode)
    with pytest.raises(BadRequest) as refused:
        PseudonymKey.load_or_create(tmp_path)
    assert refused.value.reason == "bad_key"
