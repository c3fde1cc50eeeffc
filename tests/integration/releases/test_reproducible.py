"""A release of this repository, built twice: on other days, in other folders, it is the same one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from omnium_releases.artifacts import Wheel
from omnium_releases.build import EPOCH

ROOT = Path(__file__).resolve().parents[3]
DAY = 24 * 60 * 60
#: 2020-02-02, the one time that a file in a wheel has.
THEN = (2020, 2, 2, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where, when and by whom a tree is built."""

    folder: str
    age_s: int
    umask: int
    variables: dict[str, str]


HERE = Circumstances("tree", 0, 0o022, {"TZ": "UTC"})
ELSEWHERE = Circumstances(
    "some where/quite else",
    9000 * DAY,
    0o077,
    {
        "TZ": "Pacific/Kiritimati",
        "SOURCE_DATE_EPOCH": "1",
        "PYTHONHASHSEED": "7",
        "LC_ALL": "C",
        "USER": "eve",
    },
)


def exported(to: Path, how: Circumstances) -> Path:
    """A clean export of the working tree's sources: what git has or would take, and nothing else."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "contract", "flows"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    before = os.umask(how.umask)
    try:
        for name in (name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()):
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            (to / name).write_bytes((ROOT / name).read_bytes())
    finally:
        os.umask(before)
    for path in to.rglob("*"):
        time = path.stat().st_mtime - how.age_s
        os.utime(path, (time, time))
    return to


def built(tree: Path, how: Circumstances) -> tuple[Path, Path]:
    """Both wheels, by the command that `make wheels` calls."""
    done = subprocess.run(
        [sys.executable, "-m", "omnium_releases.build", "--out", "dist"],
        cwd=tree,
        env={**os.environ, **how.variables},
        umask=how.umask,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    _, flows, contract = done.stdout.splitlines()
    return tree / flows, tree / contract


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, Path]]:
    pairs = []
    for how in (HERE, ELSEWHERE):
        folder = tmp_path_factory.mktemp("trees") / how.folder
        pairs.append(built(exported(folder, how), how))
    return pairs


def test_the_same_tree_has_one_code_sha_and_one_version(twice: list[tuple[Path, Path]]) -> None:
    first, second = ([Wheel.read(wheel) for wheel in pair] for pair in twice)
    assert [wheel.record_sha for wheel in first] == [wheel.record_sha for wheel in second]
    assert [wheel.filename for wheel in first] == [wheel.filename for wheel in second]


def test_the_files_are_the_same_to_the_last_byte(twice: list[tuple[Path, Path]]) -> None:
    first, second = ([wheel.read_bytes() for wheel in pair] for pair in twice)
    assert first == second


def test_no_clock_and_nobody_is_in_a_wheel(twice: list[tuple[Path, Path]]) -> None:
    assert EPOCH == "1580601600"
    for wheel in (wheel for pair in twice for wheel in pair):
        with zipfile.ZipFile(wheel) as zipped:
            assert {info.date_time for info in zipped.infolist()} == {THEN}
            assert {info.external_attr >> 16 & 0o777 for info in zipped.infolist()} == {0o644}


def test_what_a_build_left_behind_changes_nothing(twice: list[tuple[Path, Path]], tmp_path: Path) -> None:
    tree = exported(tmp_path / "tree", HERE)
    shutil.copytree(tree / "flows" / "tests", tree / "flows" / "omnium_flows" / "__pycache__" / "tests")
    (tree / "contract" / "omnium_contract" / "release.cpython-311.pyc").write_bytes(b"old")
    for path in tree.rglob("*.py"):
        path.chmod(0o755)
    assert Wheel.read(built(tree, ELSEWHERE)[0]).record_sha == Wheel.read(twice[0][0]).record_sha
