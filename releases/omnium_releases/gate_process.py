"""The process that proves a release: FOLDER is its argument, the result is JSON on stdout.

It runs under `isolation.isolated_command`; `gate.prove` starts it.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from omnium_releases.import_watch import ImportWatch
from omnium_releases.isolation import check_isolated, check_loaded, enter_release_folder
from omnium_store.errors import Refused

if TYPE_CHECKING:
    from omnium_contract.flows.registry import Registry

MEMORY_BYTES = 4 * 1024**3


def main(folder: Path) -> int:
    """Prove the release in `folder` and print the result."""
    check_isolated()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.dont_write_bytecode = True
    enter_release_folder(folder)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as result:
        json.dump(_proved(folder), result)
    return 0


def _proved(folder: Path) -> dict[str, Any]:
    try:
        return prove(folder)
    except Refused as refusal:
        return {"problems": [refusal.message], "programs": []}


def prove(folder: Path) -> dict[str, Any]:
    """Problems of the release, and the programs of its workflows if there are none."""
    program = importlib.import_module("omnium_contract.flows.program")
    registry_module = importlib.import_module("omnium_contract.flows.registry")
    problems = _import_problems(folder)
    if problems:
        return {"problems": problems, "programs": []}
    try:
        registry: Registry = registry_module.load_registry(path=folder)
    except registry_module.RegistryError as error:
        return {"problems": [str(error)], "programs": []}
    check_loaded(folder)
    problems = program.publish_problems(registry)
    return {"problems": problems, "programs": [] if problems else _programs(registry, program)}


def _import_problems(folder: Path) -> list[str]:
    """Import every entry point under watch."""
    watch = ImportWatch(folder)
    for point in sorted(_entry_points(folder), key=lambda point: point.name):
        with watch.watching(point.value):
            try:
                point.load()
            except BaseException as error:  # noqa: BLE001  a plugin may raise anything; the gate says what
                if str(error) not in watch.problems:  # else the watch refused it and has said so
                    watch.problems.append(f"raises {type(error).__name__}: {error}")
    return watch.problems


def _entry_points(folder: Path) -> list[metadata.EntryPoint]:
    return [
        point
        for distribution in metadata.distributions(path=[str(folder)])
        for point in distribution.entry_points
        if point.group == "omnium.flows"
    ]


def _programs(registry: Registry, program: Any) -> list[dict[str, Any]]:
    canonical = importlib.import_module("omnium_contract.canonical")
    documents = ((workflow, program.program_of(workflow)) for workflow in registry.workflows())
    return [
        {
            "workflow": workflow.code,
            "formatNumber": program.FORMAT_NUMBER,
            "document": canonical.dumps(document).decode(),
            "checksum": program.checksum(document),
        }
        for workflow, document in documents
    ]


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
