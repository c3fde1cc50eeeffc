"""The structure gate: six files a workflow, tests, keys that hold, every component tested, goldens true."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from flow_entry_points import registry_of

from omnium_contract.flows.program import publish_problems
from omnium_contract.flows.registry import Registry
from omnium_contract.flows.sport import Sport
from omnium_contract.testing import check_golden, read_golden

FLOWS = Path(__file__).resolve().parent.parent
RULES = FLOWS / "omnium_flows"
TESTS = FLOWS / "tests"
GOLDENS = TESTS / "goldens"

SIX = ("constants.py", "commands.py", "validations.py", "actions.py", "stats.py", "sport.py")
#: Folders below `omnium_flows` that are no workflow.
SHARED = ("shared", "__pycache__")
#: A sport's further modules: one a format. Each needs its line here.
FORMATS = {"cricket": ("hundred.py",)}
#: Fold workflows have at least this many goldens.
LEAST_GOLDENS = 4


def shape_problems() -> Iterator[str]:
    """Files that are missing or too many."""
    for folder in workflow_folders():
        found = {f.name for f in folder.glob("*.py")} - {"__init__.py"}
        allowed = {*SIX, *FORMATS.get(folder.name, ())}
        yield from (
            f"{folder.name}: {name} is missing, the shape is fixed" for name in SIX if name not in found
        )
        yield from (f"{folder.name}: {name} is none of the six files" for name in sorted(found - allowed))
        if not (TESTS / folder.name).is_dir():
            yield f"{folder.name}: there is no tests/{folder.name}/"


def component_problems(registry: Registry) -> Iterator[str]:
    """What the publish gate says, and components that no test names."""
    yield from publish_problems(registry)
    for component in registry.components():
        if component.key.rsplit(".", 1)[-1] != component.spec.name:
            yield f"{component.key}: the key does not end with the member's name {component.spec.name!r}"
        if component.inherited_from is None and component.spec.name not in test_text(component.workflow):
            yield f"{component.key}: no test names it"


def golden_problems(registry: Registry) -> Iterator[str]:
    """Goldens that play otherwise than they state, and sports with too few."""
    for workflow in registry.workflows():
        if not issubclass(workflow, Sport) or workflow.parent is not None:
            continue
        paths = sorted((GOLDENS / workflow.code).glob("*.json"))
        if len(paths) < LEAST_GOLDENS:
            yield f"{workflow.code}: {len(paths)} goldens, at least {LEAST_GOLDENS} are asked for"
        for path in paths:
            golden = read_golden(path)
            scored_by = registry.workflow(golden["workflow"])
            if scored_by is None or not issubclass(scored_by, Sport):
                yield f"{path.name}: there is no fold workflow {golden['workflow']!r}"
                continue
            yield from (f"{path.name}: {problem}" for problem in check_golden(scored_by, golden))


def workflow_folders() -> list[Path]:
    """The folders that hold a workflow."""
    return sorted(f for f in RULES.iterdir() if f.is_dir() and f.name not in SHARED)


def test_text(workflow: str) -> str:
    """All test code of the folder that tests a workflow."""
    folder = next((TESTS / f.name for f in workflow_folders() if f.name == workflow), TESTS)
    return "\n".join(p.read_text() for p in sorted(folder.rglob("*.py")))


def main() -> None:
    """Print every problem, or what was checked."""
    problems = list(shape_problems())
    registry = registry_of(FLOWS)
    problems += [*component_problems(registry), *golden_problems(registry)]
    if problems:
        sys.exit("\n".join(["The structure does not hold:", *(f"- {p}" for p in problems)]))
    sys.stdout.write(
        f"{len(registry.workflows())} workflows, {len(registry.components())} components: all hold\n"
    )


if __name__ == "__main__":
    main()
