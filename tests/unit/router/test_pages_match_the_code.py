"""Pages that list things list all of them: reasons of errors, environment variables."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic.fields import FieldInfo

from omnium_deploy.settings import FleetSettings
from omnium_router.settings import RouterSettings
from omnium_store import errors
from omnium_store.settings import Settings
from omnium_worker.settings import WorkerSettings

ROOT = Path(__file__).resolve().parents[3]
PARTS = ("router/omnium_router", "worker/omnium_worker", "releases/omnium_releases", "store/omnium_store",
         "deploy/omnium_deploy")  # fmt: skip
RAISED = {name for name, kind in vars(errors).items() if isinstance(kind, type)} | {
    "not_offered",
    "_Hold",
    "_raise",
    "Refusal",
}
SQL_REASON = re.compile(r"refuse_record_v1\(\s*'(\w+)'|DETAIL\s*=\s*'(\w+)'")


def reasons() -> Iterator[tuple[str, str]]:
    """Every reason that the platform says, and where."""
    for part in PARTS:
        for module in sorted((ROOT / part).rglob("*.py")):
            for node in ast.walk(ast.parse(module.read_text())):
                yield from ((reason, module.name) for reason in said_by(node))
    for file in sorted((ROOT / "store/omnium_store/functions").glob("*.sql")):
        for match in SQL_REASON.finditer(file.read_text()):
            yield match.group(1) or match.group(2), file.name


def said_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in RAISED:
            given = [keyword.value for keyword in node.keywords if keyword.arg == "reason"]
            given += node.args[:1] if name == "_Hold" else []
            yield from (str(one.value) for one in given if isinstance(one, ast.Constant))
        case ast.AnnAssign(target=ast.Name(id="default_reason"), value=ast.Constant(value=str(reason))):
            yield reason
        case ast.Assign(targets=[ast.Name(id="default_reason")], value=ast.Constant(value=str(reason))):
            yield reason


def test_every_reason_is_explained() -> None:
    page = (ROOT / "docs/errors.md").read_text()
    listed = set(re.findall(r"`(\w+)`", page))
    found = set(reasons())
    assert len(found) > 80
    assert sorted(one for one in found if one[0] not in listed) == []


def test_every_reason_that_is_explained_is_said_somewhere() -> None:
    page = (ROOT / "docs/errors.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    listed = {reason for row in rows for reason in re.findall(r"`(\w+)`", row)}
    kinds = {"not_offered", "input", "rejected", "confirm", "key_reused", "record", "over_budget", "failed"}
    assert sorted(listed - kinds - {reason for reason, _ in reasons()}) == []


@pytest.mark.parametrize("settings", [RouterSettings, WorkerSettings, FleetSettings])
def test_every_variable_is_in_the_table_with_its_default(settings: type[Settings]) -> None:
    page = (ROOT / "docs/configuration.md").read_text()
    wrong = [
        name
        for name, field in settings.model_fields.items()
        if f"| `OMNIUM_{name.upper()}` | {default_of(field)} |" not in page
    ]
    assert wrong == []


def default_of(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default_factory is not None:
        return "2 to 4, by cores"
    return "none" if field.default in (None, "") else f"`{field.default}`"
