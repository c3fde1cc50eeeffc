"""The host of one release: its workflows, prepared, and the one door through which its code is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from omnium_contract.flows.registry import Registry, load_registry
from omnium_contract.flows.types import Fixture
from omnium_worker.facts import FixtureCache, fixture_of
from omnium_worker.guard import Guard
from omnium_worker.identity import Identity
from omnium_worker.plans import WorkflowPlan

T = TypeVar("T")


class ComponentFailed(Exception):
    """A component raised, or gave what its kind may not give. `key` names it."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class FormatMisfit(ComponentFailed):
    """A fixture's settings are not what the workflow's format model takes. `title` is the workflow's."""

    def __init__(self, workflow: WorkflowPlan, error: ValidationError) -> None:
        super().__init__(f"{workflow.code}.format_model", str(error))
        self.title = workflow.title
        self.error = error


class Host:
    """The workflows of one release by code. A value that is filled once: nothing of a command stays in it."""

    def __init__(self, registry: Registry, identity: Identity, guard: Guard) -> None:
        self.registry = registry
        self.identity = identity
        self._guard = guard
        self._workflows: Mapping[str, WorkflowPlan] = {w.code: WorkflowPlan(w) for w in registry.workflows()}
        self._needs = _needs_by_root(self._workflows.values())
        self._fixtures = FixtureCache()

    @classmethod
    def load(cls, folder: Path, identity: Identity, guard: Guard) -> Host:
        """The host of the release that is unpacked in `folder`, which must already be on `sys.path`."""
        return cls(load_registry(path=folder), identity, guard)

    def workflow(self, code: str) -> WorkflowPlan | None:
        """The workflow with this code, or None."""
        return self._workflows.get(code)

    def needs(self, workflow: str, code: str) -> frozenset[str]:
        """What must be loaded for a command, whichever format of the workflow the fixture may have."""
        plan = self._workflows.get(workflow)
        return self._needs.get((plan.root, code), frozenset()) if plan else frozenset()

    def call(self, key: str, fn: Callable[..., T], /, *args: object) -> T:
        """A component's answer. Raises `ComponentFailed` for whatever it raises; `OverBudget` passes."""
        try:
            return self._guard.call(key, fn, *args)
        # a plugin may raise anything, sys.exit() and a stray CancelledError included
        except (Exception, SystemExit, GeneratorExit, asyncio.CancelledError) as error:
            raise ComponentFailed(key, f"{type(error).__name__}: {error}") from error

    def fixture(self, workflow: WorkflowPlan, text: str | bytes) -> Fixture[Any]:
        """The facts of a fixture with its format parsed by the workflow's model; kept by their text.

        Raises `FormatMisfit` for a format that the model refuses: somebody's settings, no failing component.
        """
        kept = self._fixtures.get(workflow.code, text)
        if kept is None:
            made = self.call(f"{workflow.code}.format_model", _fixture_of, workflow.format_model, text)
            if isinstance(made, ValidationError):
                raise FormatMisfit(workflow, made)
            kept = made
            self._fixtures.keep(workflow.code, text, kept)
        return kept


def _fixture_of(model: type[BaseModel] | None, text: str | bytes) -> Fixture[Any] | ValidationError:
    """The error as a value: it is the settings' problem, not a component that failed."""
    try:
        return fixture_of(model, text)
    except ValidationError as error:
        return error


def _needs_by_root(workflows: Any) -> Mapping[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], frozenset[str]] = {}
    for workflow in workflows:
        for code, plan in workflow.commands.items():
            found[workflow.root, code] = found.get((workflow.root, code), frozenset()) | plan.needs
    return found
