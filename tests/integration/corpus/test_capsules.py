"""Capsules: a final in one file, replayed from it alone, and everything that may be wrong with one."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from omnium_releases.capsules import MANIFEST, MATCH, Capsule, check, made_capsule, parted, read_capsule
from omnium_releases.corpus.stages import stage_of
from omnium_store.errors import Refused

from .conftest import SCORER, Played, files_of, playing, read


@pytest.fixture
async def capsule(played: Played) -> bytes:
    files = files_of(played)
    row = {"version": files.version, "codeSha": files.code_sha, "contractSha": files.contract_sha}
    async with playing(played) as stage:
        first = await made_capsule(await read(played), stage, files=files, release=row)
        again = await made_capsule(await read(played), stage, files=files, release=row)
    assert first == again
    return first


async def test_a_final_is_replayed_from_its_file_alone(played: Played, capsule: bytes) -> None:
    opened = read_capsule(capsule)
    assert opened.files.code_sha == played.release.code_sha
    async with stage_of(opened.files, bytecode=played.home / "cache") as stage:
        assert stage.runtime_sha == opened.runtime_sha
        assert await parted(opened, stage) == []
    match = await read(played)
    assert opened.entry.state == match.entry.state
    assert set(opened.entry.lines or ()) == set(match.entry.lines or ())
    assert [one.digest for one in opened.entry.log if not one.refused] == [
        one.digest for one in match.entry.log if not one.refused
    ]
    assert sum(one.refused is not None for one in opened.entry.log) == 4
    assert SCORER in json.dumps(opened.manifest) or played.persons[SCORER] in json.dumps(opened.entry.state)


async def test_the_first_difference_comes_first(played: Played, capsule: bytes) -> None:
    opened = read_capsule(capsule)
    log, state = opened.entry.log, dict(opened.entry.state or {})
    third = replace(log[3], digest="0" * 64)
    goals = {entry: count + 1 for entry, count in state["goals"].items()}
    told = replace(opened.entry, log=(*log[:3], third, *log[4:]), state={**state, "goals": goals}, lines=())
    async with playing(played) as stage:
        found = await parted(Capsule(manifest=opened.manifest, entry=told, files=opened.files), stage)
        refused = replace(log[0], refused=None)
        accepted = replace(opened.entry, log=(refused, *log[1:]))
        other = await parted(Capsule(manifest=opened.manifest, entry=accepted, files=opened.files), stage)
        with pytest.raises(Refused, match=r"the state after it has digest .* more\)\.$") as refusal:
            await check(Capsule(manifest=opened.manifest, entry=told, files=opened.files), stage)
    assert found[0].startswith(f"event {third.seq} {third.code}: the state after it has digest ")
    assert [one for one in found if one.startswith("state.goals.")]
    assert [one for one in found if one.startswith("lines")]
    assert "accepted -> refused rejected" in other[0]
    assert refusal.value.reason == "capsule_differs"


def changed(capsule: bytes, change: Callable[[dict[str, bytes]], Mapping[str, bytes]]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(capsule)) as zipped:
        members = {name: zipped.read(name) for name in zipped.namelist()}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, data in change(members).items():
            zipped.writestr(name, data)
    return content.getvalue()


def manifest(members: Mapping[str, bytes], /, **told: Any) -> dict[str, bytes]:
    return {**members, MANIFEST: json.dumps({**json.loads(members[MANIFEST]), **told}).encode()}


CHANGES: dict[str, tuple[Callable[[dict[str, bytes]], Mapping[str, bytes]], str]] = {
    "another match": (
        lambda m: {**m, MATCH: m[MATCH].replace(b"goal", b"gaol")},
        "match.json is not the one",
    ),
    "one member more": (lambda m: {**m, "wheels/x.py": b""}, "wheels/x.py is listed or there, not both"),
    "one member less": (
        lambda m: {n: c for n, c in m.items() if n != MATCH},
        "match.json is listed or there",
    ),
    "no manifest": (lambda m: {n: c for n, c in m.items() if n != MANIFEST}, "lacks something: KeyError"),
    "another format": (lambda m: manifest(m, capsule=2), "format 2"),
    "another release": (lambda m: manifest(m, release={"version": "9"}), "not those of release 9"),
}


@pytest.mark.parametrize("what", CHANGES)
async def test_a_file_that_somebody_changed_is_no_capsule(what: str, capsule: bytes) -> None:
    change, sentence = CHANGES[what]
    with pytest.raises(Refused) as refused:
        read_capsule(changed(capsule, change))
    assert (refused.value.reason, sentence in refused.value.message) == ("bad_capsule", True), str(refused)


async def test_what_is_no_zip_file_is_no_capsule(capsule: bytes) -> None:
    for content in (b"", b"PK", capsule[:-1000]):
        with pytest.raises(Refused) as refused:
            read_capsule(content)
        assert refused.value.reason == "bad_capsule"


async def test_a_match_that_its_log_does_not_give_gets_no_capsule(played: Played) -> None:
    match, files = await read(played), files_of(played)
    lines = (match.entry.lines or ())[1:]
    async with playing(played) as stage:
        for wrong in (
            replace(match, state_digest="0" * 64),
            replace(match, entry=replace(match.entry, lines=lines)),
            replace(match, entry=replace(match.entry, places=())),
        ):
            with pytest.raises(Refused) as refused:
                await made_capsule(wrong, stage, files=files, release={})
            assert refused.value.reason == "not_reproduced"
