"""A release's process imports the release from its folder, as it was listed, and from nowhere else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from harness.wheels import MadeRelease
from omnium_releases.artifacts import ReleaseFiles, Wheel, unpack
from omnium_releases.isolation import isolated_command, isolated_environment

ENTER = """
import json, sys
from pathlib import Path
from omnium_releases.isolation import check_isolated, check_loaded, enter_release_folder
"""
NONE: Mapping[str, str] = MappingProxyType({})


@pytest.fixture
def folder(made: MadeRelease, tmp_path: Path) -> Path:
    return unpack(ReleaseFiles.of(Wheel.read(made.flows), Wheel.read(made.contract)), tmp_path)


def run(
    code: str, folder: Path, *, cache: Path, environment: Mapping[str, str] = NONE
) -> subprocess.CompletedProcess[str]:
    """Run code in a process that is started as a release's process is."""
    command = isolated_command("unused", cache=cache)[:-2]
    return subprocess.run(
        [*command, "-c", ENTER + code, str(folder)],
        env=isolated_environment(environment),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def answer(code: str, folder: Path, *, cache: Path, environment: Mapping[str, str] = NONE) -> Any:
    done = run(code, folder, cache=cache, environment=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


LOADED = """
check_isolated()
import omnium_contract.canonical  # the platform's own, as other modules of the platform would
enter_release_folder(Path(sys.argv[1]))
import omnium_contract.canonical as contract, omnium_flows.tally as tally, pydantic
from omnium_contract.flows.registry import load_registry
registry = load_registry(path=Path(sys.argv[1]))
check_loaded(Path(sys.argv[1]))
print(json.dumps({
    "contract": contract.__file__, "flows": tally.__file__, "pydantic": pydantic.__file__,
    "path": sys.path, "workflows": [w.code for w in registry.workflows()],
}))
"""


def test_the_path_is_library_then_release_then_environment(folder: Path, cache: Path) -> None:
    found = answer(LOADED, folder, cache=cache)
    assert found["workflows"] == ["tally"]
    assert str(folder / "omnium_contract" / "canonical.py") == found["contract"]
    assert str(folder / "omnium_flows" / "tally" / "__init__.py") == found["flows"]
    path = found["path"]
    library = str(Path(os.__file__).parent)
    site = next(index for index, place in enumerate(path) if "site-packages" in place)
    assert path.index(library) < path.index(str(folder)) == site - 1
    assert found["pydantic"].startswith(path[site])


def test_nothing_of_the_callers_environment_reaches_it(
    folder: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "omnium_flows").mkdir()
    (tmp_path / "omnium_flows" / "__init__.py").write_text("raise SystemExit('from elsewhere')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONSTARTUP", "anything")
    monkeypatch.setenv("SECRET", "anything")
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    monkeypatch.chdir(tmp_path)
    code = LOADED + "import os; print(json.dumps(dict(os.environ)), file=sys.stderr)"
    done = run(code, folder, cache=cache, environment={"OMNIUM_HOME": "x", "PYTHONHASHSEED": "9"})
    seen = json.loads(done.stderr)
    assert seen["PYTHONHASHSEED"] == "0"
    assert seen["OMNIUM_HOME"] == "x"
    assert set() == seen.keys() & {"PYTHONPATH", "PYTHONSTARTUP", "SECRET"}


def test_bytecode_of_a_release_is_never_used(folder: Path, cache: Path) -> None:
    """Not from the private prefix either: the same source time and size would make Python take it."""
    plant = f"""
import importlib.util, py_compile
source = Path(sys.argv[1]) / "omnium_flows" / "tally" / "__init__.py"
evil = Path({str(cache)!r}) / "evil.py"
evil.write_bytes(b"raise SystemExit('planted bytecode ran')".ljust(source.stat().st_size))
import os
os.utime(evil, ns=(source.stat().st_mtime_ns,) * 2)
target = importlib.util.cache_from_source(str(source))
py_compile.compile(str(evil), cfile=target, doraise=True)
print(json.dumps(target))
"""
    planted = Path(answer(plant, folder, cache=cache))
    assert planted.is_file()
    assert answer(LOADED, folder, cache=cache)["workflows"] == ["tally"]
    assert [planted] == [p for p in planted.parent.parent.rglob("*.pyc") if "omnium_flows" in str(p)]


def test_a_module_that_changed_after_the_check_is_not_imported(folder: Path, cache: Path) -> None:
    code = """
enter_release_folder(Path(sys.argv[1]))
source = Path(sys.argv[1]) / "omnium_flows" / "tally" / "__init__.py"
source.chmod(0o644)
source.write_text("evil = True")
import omnium_flows.tally
"""
    done = run(code, folder, cache=cache)
    assert done.returncode == 1
    assert "omnium_flows/tally/__init__.py: differs from RECORD" in done.stderr.splitlines()[-1]


def test_an_unlisted_module_is_not_imported(folder: Path, cache: Path) -> None:
    (folder / "omnium_flows" / "more.py").write_text("evil = True")
    (folder / "omnium_flows" / "compiled.pyc").write_bytes(b"anything")
    code = """
enter_release_folder(Path(sys.argv[1]))
said = []
for name in ("omnium_flows.more", "omnium_flows.compiled"):
    try:
        __import__(name)
    except ImportError as error:
        said.append(f"{type(error).__name__}: {error}")
print(json.dumps(said))
"""
    more, compiled = answer(code, folder, cache=cache)
    assert "omnium_flows/more.py: differs from RECORD" in more
    assert compiled == "ModuleNotFoundError: No module named 'omnium_flows.compiled'"


def test_a_second_place_for_the_rules_is_refused(folder: Path, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "other" / "omnium_flows").mkdir(parents=True)
    (tmp_path / "other" / "omnium_flows" / "__init__.py").touch()
    code = f"enter_release_folder(Path(sys.argv[1])); sys.path.append({str(tmp_path / 'other')!r})\n"
    done = run(code + "check_loaded(Path(sys.argv[1]))", folder, cache=cache)
    assert done.returncode == 1
    assert f"omnium_flows can be imported from {tmp_path}/other/omnium_flows/__init__.py too" in done.stderr


def test_a_module_that_was_loaded_from_elsewhere_is_refused(folder: Path, cache: Path) -> None:
    code = """
import omnium_contract.canonical
kept = sys.modules["omnium_contract.canonical"]
enter_release_folder(Path(sys.argv[1]))
sys.modules["omnium_contract.canonical"] = kept
check_loaded(Path(sys.argv[1]))
"""
    done = run(code, folder, cache=cache)
    assert done.returncode == 1
    assert "omnium_contract.canonical is loaded from" in done.stderr


def test_one_process_enters_one_release(folder: Path, cache: Path) -> None:
    done = run("enter_release_folder(Path(sys.argv[1]))\n" * 2, folder, cache=cache)
    assert "one process serves one release" in done.stderr.splitlines()[-1]


def test_a_process_that_is_not_isolated_says_all_that_is_missing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ENTER + "check_isolated()"],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONHASHSEED": "random"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stderr.splitlines()[-1]
    assert done.returncode == 1
    assert [
        w for w in ("-P", "-s", "pycache_prefix", "PYTHONHASHSEED=0", "PYTHONPATH") if w not in said
    ] == []


def test_the_platforms_bytecode_is_kept_for_us_alone(cache: Path) -> None:
    command = isolated_command("omnium_worker", "--release", "1", cache=cache)
    prefix = Path(command[4].removeprefix("pycache_prefix="))
    assert [sys.executable, "-P", "-s", "-X"] == command[:4]
    assert command[5:] == ["-m", "omnium_worker", "--release", "1"]
    assert prefix.stat().st_mode & 0o777 == 0o700
