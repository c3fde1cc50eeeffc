"""A wheel is taken only if every file in it is plain, inside, listed and hashed."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable

import pytest

from harness.tampering import (
    Member,
    changed,
    members,
    pack,
    record_line,
    relisted,
    with_member,
    with_record,
    without,
)
from harness.wheels import MadeRelease
from omnium_releases import archive
from omnium_releases.wheels import Wheel
from omnium_store.errors import Refused

SOURCE = "omnium_flows/tally/__init__.py"
INFO = "omnium_flows-0.1.0+g000000000001.dist-info"
NAME = "omnium_flows-0.1.0+g000000000001-py3-none-any.whl"

Edit = Callable[[bytes], bytes]


def link(name: str) -> Member:
    return Member(name, b"/etc/passwd", stat.S_IFLNK | 0o777)


def listed(name: str, content: bytes, mode: int = 0o100644) -> Edit:
    def edit(wheel: bytes) -> bytes:
        return with_member(wheel, Member(name, content, mode), listing=record_line(name, content) + "\n")

    return edit


BROKEN: dict[str, tuple[Edit, str]] = {
    "no zip": (lambda wheel: b"PK" + wheel[:100], "is not a sound zip file"),
    "cut short": (lambda wheel: wheel[: len(wheel) // 2], "is not a sound zip file"),
    "a bit flipped": (
        lambda wheel: wheel.replace(wheel[120:121], bytes([wheel[120] ^ 1]), 1),
        "is not a sound zip file",
    ),
    "no RECORD": (lambda wheel: without(wheel, f"{INFO}/RECORD"), "it has no RECORD"),
    "two RECORDs": (listed("other-1.dist-info/RECORD", b""), "it has 2 RECORD"),
    "a changed file": (
        lambda wheel: changed(wheel, SOURCE, b"import os\n"),
        f"{SOURCE}: differs from RECORD",
    ),
    "a missing file": (lambda wheel: without(wheel, SOURCE), f"{SOURCE}: listed in RECORD and missing"),
    "an unlisted file": (
        lambda wheel: with_member(wheel, Member("omnium_flows/more.py", b"")),
        "omnium_flows/more.py: not listed in RECORD",
    ),
    "an unlisted bytecode file": (
        lambda wheel: with_member(wheel, Member("omnium_flows/__pycache__/tally.cpython-311.pyc", b"")),
        "omnium_flows/__pycache__/tally.cpython-311.pyc: is not source",
    ),
    "a line without hash": (
        lambda wheel: with_member(wheel, Member("a.py", b""), listing="a.py,,0\n"),
        "a.py: listed without SHA-256",
    ),
    "a weak hash": (
        lambda wheel: with_member(wheel, Member("a.py", b""), listing="a.py,md5=1B2M2Y8AsgTpgAmY7PhCg,0\n"),
        "a.py: listed with md5 hash",
    ),
    "a line listed twice": (
        lambda wheel: with_record(wheel, f"{INFO}/RECORD,,", f"{INFO}/RECORD,,\n{INFO}/RECORD,,"),
        f"{INFO}/RECORD: listed twice",
    ),
    "a line that can't be read": (
        lambda wheel: with_record(wheel, f"{INFO}/RECORD,,", "half a line"),
        "RECORD has a line that is not path,hash,size",
    ),
    "a RECORD that is no text": (
        lambda wheel: changed(wheel, f"{INFO}/RECORD", b"\xff\xfe"),
        "'utf-8' codec can't decode",
    ),
    "a way out": (listed("../evil.py", b""), "../evil.py: leaves the release's folder"),
    "a way out inside": (listed("a/../../evil.py", b""), "a/../../evil.py: leaves the release's folder"),
    "an absolute path": (listed("/etc/evil.py", b""), "/etc/evil.py: leaves the release's folder"),
    "a backslash": (listed("omnium_flows\\evil.py", b""), "is no portable name"),
    "a path with detours": (listed("omnium_flows/./evil.py", b""), "is no plain path"),
    "a link": (
        lambda wheel: with_member(wheel, link("omnium_flows/data.txt")),
        "omnium_flows/data.txt: is a link",
    ),
    "a device": (
        listed("omnium_flows/dev", b"", stat.S_IFCHR | 0o600),
        "omnium_flows/dev: is a special file",
    ),
    "one name twice": (
        lambda wheel: pack([*members(wheel), Member(SOURCE, b"other")]),
        f"{SOURCE}: is in it 2 times",
    ),
    "one name in other capitals": (
        listed("Omnium_flows/tally/__init__.py", b""),
        f"{SOURCE}: is in it twice, in other capitals",
    ),
    "native code": (listed("omnium_flows/fast.so", b"\x7fELF"), "omnium_flows/fast.so: is not source"),
    "a path file": (listed("evil.pth", b"import os"), "evil.pth: is not source"),
    "files for an installer": (
        listed("omnium_flows-0.1.0+g000000000001.data/scripts/run", b""),
        "would need an installer",
    ),
    "no METADATA": (
        lambda wheel: with_record(
            without(wheel, f"{INFO}/METADATA"), record_line(f"{INFO}/METADATA", metadata(wheel)) + "\n", ""
        ),
        f"{INFO}/METADATA: missing",
    ),
    "another version inside": (
        lambda wheel: relisted(wheel, f"{INFO}/METADATA", b"Name: omnium-flows\nVersion: 9\n"),
        "its METADATA omnium-flows 9",
    ),
    "another project inside": (
        lambda wheel: relisted(wheel, f"{INFO}/METADATA", b"Name: other\nVersion: 0.1.0+g000000000001\n"),
        "its METADATA other 0.1.0+g000000000001",
    ),
    "no version inside": (
        lambda wheel: relisted(wheel, f"{INFO}/METADATA", b"Name: omnium-flows\n"),
        "Invalid version",
    ),
    "entry points that can't be read": (
        lambda wheel: relisted(wheel, f"{INFO}/entry_points.txt", b"tally = nowhere\n"),
        f"{INFO}/entry_points.txt: File contains no section headers",
    ),
}


def metadata(wheel: bytes) -> bytes:
    return next(m.content for m in members(wheel) if m.name == f"{INFO}/METADATA")


def test_a_sound_wheel_is_known_by_its_record(made: MadeRelease) -> None:
    wheel = Wheel.read(made.flows)
    assert (made.code_sha, "omnium-flows", made.version) == (wheel.record_sha, wheel.name, wheel.version)
    assert (wheel.entry_points, wheel.modules) == (("tally",), ("omnium_flows",))
    assert wheel == Wheel.read(made.flows.read_bytes(), filename=made.flows.name)


@pytest.mark.parametrize("case", BROKEN)
def test_an_unsound_wheel_is_refused_with_what_is_wrong(case: str, flows: bytes) -> None:
    edit, sentence = BROKEN[case]
    with pytest.raises(Refused) as refused:
        Wheel.read(edit(flows), filename=NAME)
    assert refused.value.reason == "bad_wheel"
    assert sentence in refused.value.message
    assert "Build it again" in refused.value.message


def test_all_problems_of_a_wheel_are_told_at_once(flows: bytes) -> None:
    twice = with_member(changed(flows, SOURCE, b""), Member("omnium_flows/more.py", b""))
    with pytest.raises(
        Refused, match=r"__init__\.py: differs from RECORD; omnium_flows/more\.py: not listed"
    ):
        Wheel.read(twice, filename=NAME)


@pytest.mark.parametrize("name", ["wheel", "omnium_flows-0.1.0-py3-none-any.zip", "omnium_flows-0.1.0.whl"])
def test_a_file_that_is_not_named_like_a_wheel_is_refused(name: str, flows: bytes) -> None:
    with pytest.raises(Refused) as refused:
        Wheel.read(flows, filename=name)
    assert refused.value.reason == "bad_wheel"


def test_a_wheel_for_one_platform_is_refused(flows: bytes) -> None:
    with pytest.raises(Refused, match="a release is pure Python"):
        Wheel.read(flows, filename="omnium_flows-0.1.0+g000000000001-cp311-cp311-linux_x86_64.whl")


def test_a_wheel_above_32_mib_is_refused_before_it_is_opened() -> None:
    with pytest.raises(Refused, match="it has 33,554,433 bytes, 33,554,432 are allowed"):
        Wheel.read(bytes(archive.LARGEST_WHEEL + 1), filename=NAME)


def test_a_wheel_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    flows: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LARGEST_UNPACKED", 4 * 1024 * 1024)
    bomb = with_member(flows, Member("omnium_flows/bomb.bin", bytes(5 * 1024 * 1024)))
    assert len(bomb) < 16 * 1024
    with pytest.raises(Refused, match=r"it unpacks to 5,[0-9,]+ bytes, 4,194,304 are allowed"):
        Wheel.read(bomb, filename=NAME)


def test_a_wheel_of_too_many_files_is_refused(flows: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 3)
    with pytest.raises(Refused, match="it holds 5 files, 3 are allowed"):
        Wheel.read(flows, filename=NAME)


def test_an_encrypted_file_is_refused(flows: bytes) -> None:
    mark = flows.rindex(b"PK\x01\x02")  # the last entry of the directory: set its flag
    locked = bytearray(flows)
    locked[mark + 8] |= 1
    with pytest.raises(Refused, match="is encrypted"):
        Wheel.read(bytes(locked), filename=NAME)


def test_folders_in_the_archive_do_no_harm(flows: bytes) -> None:
    wheel = pack([Member("omnium_flows/", b"", stat.S_IFDIR | 0o755), *members(flows)])
    assert Wheel.read(wheel, filename=NAME).record_sha == Wheel.read(flows, filename=NAME).record_sha


def test_the_same_files_compressed_otherwise_are_the_same_code(flows: bytes) -> None:
    stored = pack(members(flows), compression=zipfile.ZIP_STORED)
    assert len(stored) > len(flows)
    assert Wheel.read(flows, filename=NAME).record_sha == Wheel.read(stored, filename=NAME).record_sha
