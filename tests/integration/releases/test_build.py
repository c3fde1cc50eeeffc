"""The same tree gives the same bytes, anywhere and at any time; another tree gives another release."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from omnium_releases.artifacts import ReleaseFiles, Wheel
from omnium_releases.build import WheelPair, build_wheels, main
from omnium_store.errors import Refused

ROOT = Path(__file__).resolve().parents[3]
HELPER = "def doubled(number):\n    return 2 * number\n"


@pytest.fixture
def flows(tmp_path: Path) -> Path:
    """A small source of flows with a helper that is no component."""
    folder = tmp_path / "plugin"
    (folder / "omnium_flows" / "tally").mkdir(parents=True)
    told = (ROOT / "flows" / "pyproject.toml").read_text().replace("football", "tally")
    lines = [line for line in told.splitlines() if not line.startswith(("games =", "results ="))]
    (folder / "pyproject.toml").write_text("\n".join(lines) + "\n")
    source = (ROOT / "tests" / "harness" / "samples" / "tally.py.txt").read_text()
    (folder / "omnium_flows" / "tally" / "__init__.py").write_text(source)
    (folder / "omnium_flows" / "helper.py").write_text(HELPER)
    return folder


def built(flows: Path, out: Path, contract: Path = ROOT / "contract") -> WheelPair:
    return build_wheels(contract, flows, out)


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to, ignore=shutil.ignore_patterns("__pycache__")))


def test_two_builds_in_different_folders_give_the_same_bytes(
    flows: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(flows, tmp_path / "one")
    elsewhere = copied(flows, tmp_path / "quite" / "elsewhere")
    contract = copied(ROOT / "contract", tmp_path / "contract")
    for path in elsewhere.rglob("*.py"):
        os.utime(path, (1, 1))
        path.chmod(0o600)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    monkeypatch.setenv("PYTHONHASHSEED", "42")
    second = built(elsewhere, tmp_path / "two", contract)
    assert (first.version, first.code_sha, first.contract_sha) == (
        second.version,
        second.code_sha,
        second.contract_sha,
    )
    assert first.flows.read_bytes() == second.flows.read_bytes()
    assert first.contract.read_bytes() == second.contract.read_bytes()


def test_what_is_built_is_a_release(flows: Path, tmp_path: Path) -> None:
    pair = built(flows, tmp_path / "dist")
    files = ReleaseFiles.of(Wheel.read(pair.flows), Wheel.read(pair.contract))
    assert (pair.version, pair.code_sha, pair.contract_sha) == (
        files.version,
        files.code_sha,
        files.contract_sha,
    )
    base, _, tree = pair.version.partition("+g")
    assert (base, len(tree)) == ("0.1.0", 12)
    assert {"omnium_flows/tally/__init__.py", "omnium_flows/helper.py"} <= files.flows.files.keys()


def test_an_unchanged_tree_is_not_built_again(flows: Path, tmp_path: Path) -> None:
    out = tmp_path / "dist"
    first = built(flows, out)
    before = [path.stat().st_mtime_ns for path in (first.flows, first.contract)]
    assert first == built(flows, out)
    assert before == [path.stat().st_mtime_ns for path in (first.flows, first.contract)]
    assert sorted([first.flows, first.contract]) == sorted(out.iterdir())


def test_a_wheel_that_was_damaged_is_built_again(flows: Path, tmp_path: Path) -> None:
    first = built(flows, tmp_path / "dist")
    whole = first.flows.read_bytes()
    first.flows.write_bytes(whole[:-100])
    assert first == built(flows, tmp_path / "dist")
    assert whole == first.flows.read_bytes()


def test_another_helper_without_another_component_is_another_release(flows: Path, tmp_path: Path) -> None:
    first = built(flows, tmp_path / "one")
    (flows / "omnium_flows" / "helper.py").write_text(HELPER.replace("2 *", "3 *"))
    second = built(flows, tmp_path / "two")
    assert first.version != second.version
    assert first.code_sha != second.code_sha
    assert first.contract_sha == second.contract_sha
    component = "omnium_flows/tally/__init__.py"
    assert Wheel.read(first.flows).files[component] == Wheel.read(second.flows).files[component]


def test_another_contract_gives_the_flows_another_version(flows: Path, tmp_path: Path) -> None:
    first = built(flows, tmp_path / "one")
    contract = copied(ROOT / "contract", tmp_path / "contract")
    (contract / "omnium_contract" / "canonical.py").write_text("# other\n")
    second = built(flows, tmp_path / "two", contract)
    assert first.version != second.version
    assert first.contract_sha != second.contract_sha


def test_what_lies_beside_the_package_changes_nothing(flows: Path, tmp_path: Path) -> None:
    first = built(flows, tmp_path / "one")
    for name in (
        "tests/test_x.py",
        "omnium_flows/__pycache__/a.pyc",
        "omnium_flows/.a.py.swp",
        "omnium_flows/a.py~",
    ):
        (flows / name).parent.mkdir(exist_ok=True)
        (flows / name).write_text("anything")
    with (flows / "pyproject.toml").open("a") as file:
        file.write("\n[tool.ruff]\nline-length = 90\n")
    (flows / ".gitignore").write_text("*.py\n")
    assert first.code_sha == built(flows, tmp_path / "two").code_sha


def test_the_command_keeps_one_release_in_its_folder(
    flows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "dist"
    arguments = ["--out", str(out), "--contract", str(ROOT / "contract"), "--flows", str(flows)]
    assert main(arguments) == 0
    (out / "somebody_elses-1.0-py3-none-any.whl").touch()
    (flows / "omnium_flows" / "helper.py").write_text("")
    assert main(arguments) == 0
    version = capsys.readouterr().out.splitlines()[3].removeprefix("release ")
    names = sorted(path.name.partition("-")[0] for path in out.iterdir())
    assert names == ["omnium_contract", "omnium_flows", "somebody_elses"]
    assert (out / f"omnium_flows-{version}-py3-none-any.whl").is_file()


def test_the_working_tree_builds_with_the_command_that_make_calls(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "omnium_releases.build", "--out", str(tmp_path / "dist")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    told, *files = done.stdout.splitlines()
    flows, contract = (Wheel.read(Path(file)) for file in files)
    assert f"release {flows.version}" == told
    assert {"football", "games", "results"} <= set(flows.entry_points)
    assert contract.name == "omnium-contract"


@pytest.mark.parametrize(
    ("old", "new", "reason", "sentence"),
    [
        (
            'packages = ["omnium_flows"]',
            'packages = ["nowhere"]',
            "no_source",
            "its package nowhere is no folder",
        ),
        ('version = "0.1.0"', 'dynamic = ["version"]', "no_source", "has no line `version"),
        ("[project]", "[project", "no_source", "TOMLDecodeError"),
        ("hatchling==1.33.0", "hatchling", "no_source", "is not pinned with =="),
        ("hatchling==1.33.0", "hatchling==0.1", "backend_missing", "here it is 1.33.0"),
        ("hatchling==1.33.0", "no-such-backend==0.1", "backend_missing", "here it is not installed"),
        ('requires-python = ">=3.11"', "requires-python = 3", "build_failed", "requires-python"),
    ],
)
def test_a_folder_that_can_not_be_built_is_refused(
    old: str, new: str, reason: str, sentence: str, flows: Path, tmp_path: Path
) -> None:
    told = flows / "pyproject.toml"
    assert old in told.read_text()
    told.write_text(told.read_text().replace(old, new))
    with pytest.raises(Refused) as refused:
        built(flows, tmp_path / "dist")
    assert (reason, True) == (refused.value.reason, sentence in refused.value.message), refused.value.message


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--out", str(tmp_path / "dist"), "--contract", str(tmp_path), "--flows", str(tmp_path)]) == 1
    assert f"{tmp_path} is no source of a wheel" in capsys.readouterr().err
