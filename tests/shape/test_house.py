"""The house: every package on its floor, every module of a size that one can read, every folder explained."""

import ast
import configparser
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

#: Folders at the top, each with a line in docs/architecture.md.
TOP = {
    ".ci", "bench", "console", "contract", "deploy", "docs", "flows", "omnium", "proto", "push", "releases",
    "router", "store", "tests", "worker", ".github",
}  # fmt: skip

MODULE_LINES = 400
FUNCTION_LINES = 50

#: Functions that may be longer, with the reason. This list only shrinks.
LONG_FUNCTIONS: dict[str, str] = {
    "contract/omnium_contract/flows/components.py:command": "its parameters are the declaration of a command",
    "omnium/omnium/replay.py:replay_releases": "its parameters are the flags of a verb, each with its help",
}
#: Modules that may be longer, with the reason. This list only shrinks.
LONG_MODULES: dict[str, str] = {}

NAMES_THAT_SAY_NOTHING = {"utils", "helpers", "common", "manager", "base", "misc", "util", "helper"}


def tracked(pattern: str) -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", pattern],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / line for line in listed.stdout.splitlines() if (ROOT / line).exists()]


def modules() -> list[Path]:
    return [p for p in tracked("*.py") if not p.name.endswith(("_pb2.py", "_pb2_grpc.py"))]


def functions(module: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno:
            yield node.name, node.end_lineno - node.lineno + 1


def test_every_folder_at_the_top_is_known_and_explained() -> None:
    folders = {p.relative_to(ROOT).parts[0] for p in tracked("*") if len(p.relative_to(ROOT).parts) > 1}
    assert folders - TOP == set()
    said = (ROOT / "docs/architecture.md").read_text()
    assert [f for f in sorted(folders) if f"`{f}/`" not in said] == []


def test_every_package_is_on_a_floor() -> None:
    arrows = configparser.ConfigParser()
    arrows.read(ROOT / ".importlinter")
    listed = set(arrows["importlinter"]["root_packages"].split())
    packages = {p.parent.name for p in tracked("*/*/__init__.py") if p.parent.parent.parent == ROOT}
    assert packages - {"harness"} == listed
    floors = arrows["importlinter:contract:floors"]["layers"].replace("|", " ").split()
    assert {*floors, "omnium_flows"} == listed


def test_every_workflow_stands_in_both_lists_of_the_arrows() -> None:
    arrows = configparser.ConfigParser()
    arrows.read(ROOT / ".importlinter")
    folders = {f"omnium_flows.{p.parent.name}" for p in tracked("flows/omnium_flows/*/sport.py")}
    assert set(arrows["importlinter:contract:six-files"]["containers"].split()) == folders
    assert set(arrows["importlinter:contract:workflows-apart"]["modules"].split()) == folders


def test_no_module_is_two_things() -> None:
    long = {
        str(p.relative_to(ROOT)): n
        for p in modules()
        if (n := len(p.read_text().splitlines())) > MODULE_LINES
    }
    assert long.keys() == LONG_MODULES.keys(), long


def test_no_function_is_two_things() -> None:
    long = {
        f"{p.relative_to(ROOT)}:{name}"
        for p in modules()
        for name, lines in functions(p)
        if lines > FUNCTION_LINES
    }
    assert long - LONG_FUNCTIONS.keys() == set()


def test_every_module_says_what_it_is() -> None:
    silent = [str(p.relative_to(ROOT)) for p in modules() if p.read_text().strip() and not has_docstring(p)]
    assert silent == []


def has_docstring(module: Path) -> bool:
    return ast.get_docstring(ast.parse(module.read_text())) is not None


def test_modules_are_named_for_what_they_own() -> None:
    vague = [str(p.relative_to(ROOT)) for p in modules() if p.stem in NAMES_THAT_SAY_NOTHING]
    assert vague == []


def test_nothing_names_a_registry_or_a_path_of_one_machine() -> None:
    hosts = ["py" + "pi.org", "npm" + "js.org", "files.python" + "hosted", "deb.deb" + "ian", "/wo" + "rk/"]
    named = [
        f"{p.relative_to(ROOT)}: {host}"
        for p in tracked("*")
        if p.suffix not in {".binpb", ".gz", ".png"}
        for host in hosts
        if host in p.read_text(errors="ignore")
    ]
    assert named == []
