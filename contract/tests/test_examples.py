"""The examples in the contract's docstrings are true."""

import doctest
import importlib
import pkgutil

import omnium_contract


def test_every_example_gives_what_it_shows() -> None:
    tried = 0
    for info in pkgutil.walk_packages(omnium_contract.__path__, "omnium_contract."):
        outcome = doctest.testmod(importlib.import_module(info.name))
        assert outcome.failed == 0
        tried += outcome.attempted
    assert tried >= 3
