"""The contract's public names are a promise: this list changes with a version, never by accident."""

import importlib
import inspect
import pkgutil
from pathlib import Path

import omnium_contract

RECORDED = Path(__file__).parent / "public_names.txt"


def public_names() -> list[str]:
    found = []
    for info in pkgutil.walk_packages(omnium_contract.__path__, "omnium_contract."):
        module = importlib.import_module(info.name)
        own = {
            name
            for name, value in vars(module).items()
            if not name.startswith("_") and getattr(value, "__module__", info.name) == info.name
            if not inspect.ismodule(value) and name != "annotations"
        }
        found += [f"{info.name}.{name}" for name in own]
    return sorted(found)


def test_public_names_are_the_recorded_ones() -> None:
    assert public_names() == RECORDED.read_text().splitlines()
