"""The registry: the workflows of one release, as a value."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import TypeGuard

from omnium_contract.flows.registered import RegisteredComponent
from omnium_contract.flows.sport import Workflow

ENTRY_POINT_GROUP = "omnium.flows"


class RegistryError(Exception):
    """An entry point gives no workflow, or two workflows claim one code or key."""


class Registry:
    """Workflows by code and components by key. Filled once, then only read."""

    def __init__(self) -> None:
        self._workflows: dict[str, type[Workflow]] = {}
        self._components: dict[str, RegisteredComponent] = {}

    def add_workflow(self, workflow: type[Workflow]) -> None:
        """Take a concrete workflow. Raises `RegistryError` if its code or one of its keys is taken."""
        if workflow.code in self._workflows:
            raise RegistryError(
                f"two workflows have the code {workflow.code!r}: codes are permanent and single"
            )
        taken = [c.key for c in workflow.components.values() if c.key in self._components]
        if taken:
            raise RegistryError(f"components declared twice: {', '.join(sorted(taken))}")
        self._workflows[workflow.code] = workflow
        self._components.update({c.key: c for c in workflow.components.values()})

    def workflow(self, code: str) -> type[Workflow] | None:
        """The workflow with this code, or None."""
        return self._workflows.get(code)

    def workflows(self) -> tuple[type[Workflow], ...]:
        """All workflows, sorted by code."""
        return tuple(workflow for _, workflow in sorted(self._workflows.items()))

    def component(self, key: str) -> RegisteredComponent | None:
        """The component with this key, or None."""
        return self._components.get(key)

    def components(self) -> tuple[RegisteredComponent, ...]:
        """All components, sorted by key."""
        return tuple(component for _, component in sorted(self._components.items()))


def load_registry(group: str = ENTRY_POINT_GROUP, path: Path | None = None) -> Registry:
    """Import every entry point of `group` and collect its workflows.

    With `path` only distributions in that folder count (a release's unpacked wheels); it must be on
    `sys.path`. Raises `RegistryError` for an entry point without a workflow, a code or a key given twice.
    """
    registry = Registry()
    for entry_point in sorted(_entry_points(group, path), key=lambda e: e.name):
        module = entry_point.load()
        found = [m for m in vars(module).values() if is_workflow(m)]
        if not found:
            raise RegistryError(f"entry point {entry_point.name!r} ({entry_point.value}) defines no Workflow")
        for workflow in dict.fromkeys(found):
            registry.add_workflow(workflow)
    return registry


def _entry_points(group: str, path: Path | None) -> Iterator[metadata.EntryPoint]:
    if path is None:
        yield from metadata.entry_points(group=group)
        return
    for distribution in metadata.distributions(path=[str(path)]):
        yield from (e for e in distribution.entry_points if e.group == group)


def is_workflow(member: object) -> TypeGuard[type[Workflow]]:
    """Whether a module's member is a workflow to register: concrete, and no base class of the contract."""
    return (
        isinstance(member, type)
        and issubclass(member, Workflow)
        and member is not Workflow
        and not member.__dict__.get("__abstract__", False)
    )
