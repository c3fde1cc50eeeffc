"""A release is unpacked whole or not at all, and verified each time that it is used."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.wheels import MadeRelease
from omnium_releases import artifacts
from omnium_releases.artifacts import ReleaseFiles, Wheel, unpack, verify
from omnium_store.errors import Refused


@pytest.fixture
def files(made: MadeRelease) -> ReleaseFiles:
    return ReleaseFiles.of(Wheel.read(made.flows), Wheel.read(made.contract))


def test_a_release_is_unpacked_into_a_folder_named_by_its_hashes(files: ReleaseFiles, cache: Path) -> None:
    folder = unpack(files, cache)
    assert cache / "releases" / files.folder_name == folder
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert {**files.flows.files, **files.contract.files} == found
    assert [folder] == list(folder.parent.iterdir())


def test_unpacking_again_writes_nothing(files: ReleaseFiles, cache: Path) -> None:
    folder = unpack(files, cache)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert folder == unpack(files, cache)
    assert before == {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def edit(path: Path, content: bytes) -> None:
    path.chmod(0o644)
    path.write_bytes(content)


SOURCE = "omnium_flows/tally/__init__.py"
RECORD = "omnium_flows-0.1.0+g000000000001.dist-info/RECORD"
TAMPERED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a changed rule": (lambda folder: edit(folder / SOURCE, b"pass"), f"{SOURCE}: differs from RECORD"),
    "a missing rule": (lambda folder: (folder / SOURCE).unlink(), f"{SOURCE}: missing"),
    "an unlisted module": (
        lambda folder: (folder / "omnium_flows" / "more.py").write_text("pass"),
        "omnium_flows/more.py: not listed in RECORD",
    ),
    "an unlisted bytecode file": (
        lambda folder: (folder / "omnium_flows" / "tally" / "__init__.pyc").write_bytes(b""),
        "omnium_flows/tally/__init__.pyc: not listed in RECORD",
    ),
    "a link": (
        lambda folder: (folder / "omnium_flows" / "linked.py").symlink_to(folder / SOURCE),
        "omnium_flows/linked.py: is a link",
    ),
    "a contract's file": (
        lambda folder: edit(folder / "omnium_contract" / "canonical.py", b""),
        "omnium_contract/canonical.py: differs from RECORD",
    ),
    "an edited RECORD": (
        lambda folder: edit(folder / RECORD, (folder / RECORD).read_bytes().replace(b"tally", b"tolly")),
        f"{RECORD}: differs from the registered one",
    ),
    "a missing RECORD": (lambda folder: (folder / RECORD).unlink(), RECORD),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_a_folder_that_was_tampered_with_is_refused_naming_the_file(
    case: str, files: ReleaseFiles, cache: Path
) -> None:
    tamper, sentence = TAMPERED[case]
    folder = unpack(files, cache)
    tamper(folder)
    with pytest.raises(Refused) as refused:
        unpack(files, cache)
    assert refused.value.reason == "tampered"
    assert sentence in refused.value.message
    assert f"remove the folder {folder}" in refused.value.message


def test_many_at_once_unpack_one_release(files: ReleaseFiles, cache: Path) -> None:
    start = threading.Barrier(8)
    found: list[Path] = []

    def one() -> None:
        start.wait()
        found.append(unpack(files, cache))

    threads = [threading.Thread(target=one) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [cache / "releases" / files.folder_name] * 8 == found
    assert found[:1] == list((cache / "releases").iterdir())


def test_a_disk_that_fills_leaves_nothing_behind(
    files: ReleaseFiles, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, _content: bytes) -> int:
        raise OSError(28, "No space left on device", str(self))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(OSError, match="No space left on device"):
            unpack(files, cache)
    assert list((cache / "releases").iterdir()) == []
    verify(files, unpack(files, cache))


def test_who_comes_second_takes_the_first_ones_folder(
    files: ReleaseFiles, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process finishes between our look and our rename."""
    original = Path.mkdir

    def slow(self: Path, *args: object, **options: object) -> None:
        with monkeypatch.context() as once:
            once.setattr(Path, "mkdir", original)
            artifacts.unpack(files, cache)
        original(self, *args, **options)  # type: ignore[arg-type]  # passed on as given

    monkeypatch.setattr(Path, "mkdir", slow)
    folder = unpack(files, cache)
    assert [folder] == list(folder.parent.iterdir())
