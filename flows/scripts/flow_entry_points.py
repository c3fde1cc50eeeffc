"""The entry points of a flows tree, read from its pyproject: the tree is never installed to be checked."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path

from omnium_contract.flows.registry import ENTRY_POINT_GROUP, Registry, is_workflow


def entry_points(flows: Path) -> dict[str, str]:
    """Name and module of each entry point in the workflows' group."""
    project = tomllib.loads((flows / "pyproject.toml").read_text())["project"]
    found: dict[str, str] = project["entry-points"][ENTRY_POINT_GROUP]
    return found


def registry_of(flows: Path) -> Registry:
    """The registry of the tree, which must be on `sys.path`."""
    made = Registry()
    for module in entry_points(flows).values():
        members = vars(importlib.import_module(module)).values()
        for member in dict.fromkeys(m for m in members if is_workflow(m)):
            made.add_workflow(member)
    return made
