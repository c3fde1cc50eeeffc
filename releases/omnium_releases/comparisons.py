"""What two releases differ in: components, shapes of inputs, files, contract, and what the notes declare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from omnium_releases.artifacts import ReleaseFiles, fetch
from omnium_releases.rule_changes import RuleChange, changes_of
from omnium_releases.shapes import FieldChange, field_changes
from omnium_releases.wheels import Wheel
from omnium_store.database import Connection
from omnium_store.statements import Statements

_SQL = Statements.of("omnium_releases")

#: Lists of a program document, and the kind of component that each holds.
KINDS: Final = {
    "commands": "command",
    "validations": "validation",
    "actions": "action",
    "branches": "branch",
    "stats": "stat",
}
Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentChange:
    """A component, or a workflow itself, that was added, changed or removed; `members` of it differ."""

    workflow: str
    kind: str
    key: str
    change: str
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class InputChange:
    """A field of a command's input, or of a workflow's settings (`key` is the workflow then)."""

    workflow: str
    key: str
    field: str
    change: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file of a wheel that differs: also what no component shows, like a shared helper."""

    wheel: str
    path: str
    change: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSide:
    """One of the two releases."""

    version: str
    status: str
    code_sha: str
    contract_version: str
    contract_sha: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All differences. `rule_changes` are what the new one's notes declare."""

    old: ReleaseSide
    new: ReleaseSide
    components: tuple[ComponentChange, ...]
    inputs: tuple[InputChange, ...]
    files: tuple[FileChange, ...]
    rule_changes: tuple[RuleChange, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    side: ReleaseSide
    files: ReleaseFiles
    programs: Mapping[str, Document]
    rule_changes: tuple[RuleChange, ...]


async def compare(conn: Connection, old: str, new: str) -> Comparison:
    """What `new` differs in from `old`. Raises `NotFound`."""
    async with conn.transaction(isolation="repeatable_read", readonly=True):
        before, after = await _known(conn, old), await _known(conn, new)
    return Comparison(
        old=before.side,
        new=after.side,
        components=tuple(_components(before.programs, after.programs)),
        inputs=tuple(_inputs(before.programs, after.programs)),
        files=(
            *_files("flows", before.files.flows, after.files.flows),
            *_files("contract", before.files.contract, after.files.contract),
        ),
        rule_changes=after.rule_changes,
    )


async def _known(conn: Connection, version: str) -> _Known:
    stored = await fetch(conn, version)
    declared = await conn.fetchval(_SQL["declared_changes"], stored.id)
    rows = await conn.fetch(_SQL["program_documents"], stored.id)
    side = ReleaseSide(
        version=version,
        status=stored.status,
        code_sha=stored.files.code_sha,
        contract_version=stored.files.contract_version,
        contract_sha=stored.files.contract_sha,
    )
    programs = {row["workflow"]: json.loads(row["document"]) for row in rows}
    return _Known(side, stored.files, programs, changes_of(declared))


def _components(old: Mapping[str, Document], new: Mapping[str, Document]) -> Iterator[ComponentChange]:
    for workflow in sorted(old.keys() | new.keys()):
        before, after = old.get(workflow), new.get(workflow)
        yield from _changes(workflow, "workflow", {workflow: _own(before)}, {workflow: _own(after)})
        for members, kind in KINDS.items():
            yield from _changes(workflow, kind, _by_key(before, members), _by_key(after, members))


def _changes(
    workflow: str, kind: str, old: Mapping[str, Document | None], new: Mapping[str, Document | None]
) -> Iterator[ComponentChange]:
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key), new.get(key)
        change, members = _verdict(before, after)
        if change:
            yield ComponentChange(workflow=workflow, kind=kind, key=key, change=change, members=members)


def _verdict(before: Document | None, after: Document | None) -> tuple[str, tuple[str, ...]]:
    if before is None or after is None:
        return ("added" if after is not None else "removed" if before is not None else ""), ()
    names = sorted(before.keys() | after.keys())
    members = tuple(name for name in names if before.get(name) != after.get(name))
    return ("changed" if members else ""), members


def _own(program: Document | None) -> Document | None:
    """A workflow without its components."""
    return program and {name: value for name, value in program.items() if name not in KINDS}


def _by_key(program: Document | None, members: str) -> dict[str, Document | None]:
    return {component["key"]: component for component in (program or {}).get(members, ())}


def _inputs(old: Mapping[str, Document], new: Mapping[str, Document]) -> Iterator[InputChange]:
    """Of workflows and commands that both have: what is new or gone as a whole says so itself."""
    for workflow in sorted(old.keys() & new.keys()):
        before, after = old[workflow], new[workflow]
        yield from _shaped(workflow, workflow, before.get("formatSchema"), after.get("formatSchema"))
        commands, others = _by_key(before, "commands"), _by_key(after, "commands")
        for key in sorted(commands.keys() & others.keys()):
            yield from _shaped(workflow, key, _input(commands[key]), _input(others[key]))


def _input(command: Document | None) -> Any:
    return (command or {}).get("input")


def _shaped(workflow: str, key: str, old: Any, new: Any) -> Iterator[InputChange]:
    for change in field_changes(old, new):
        yield _input_change(workflow, key, change)


def _input_change(workflow: str, key: str, change: FieldChange) -> InputChange:
    return InputChange(
        workflow=workflow, key=key, field=change.field, change=change.change, old=change.old, new=change.new
    )


def _files(name: str, old: Wheel, new: Wheel) -> Iterator[FileChange]:
    """Files of a wheel; what names the build itself (its dist-info) is left out."""
    before, after = _modules(old), _modules(new)
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            change = (
                "changed" if path in before and path in after else "added" if path in after else "removed"
            )
            yield FileChange(wheel=name, path=path, change=change)


def _modules(wheel: Wheel) -> dict[str, bytes]:
    return {path: content for path, content in wheel.files.items() if ".dist-info/" not in path}
