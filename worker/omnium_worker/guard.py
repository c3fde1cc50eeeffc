"""What stands between the engine and a component's code: every call of one goes through a guard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class OverBudget(BaseException):
    """A component call used up its CPU time. No `Exception`: a component's own `except` must not catch it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"{key} used up its time")
        self.key = key


class Guard(Protocol):
    """Calls component code under a budget. Raises `OverBudget`; lets the component's exceptions through."""

    def call(self, key: str, fn: Callable[..., T], /, *args: object) -> T:
        """`fn(*args)`, on behalf of the component `key`."""
        ...


class Unguarded:
    """No budget: for tests and for folds that are checked by hand."""

    def call(self, key: str, fn: Callable[..., T], /, *args: object) -> T:  # noqa: ARG002 - the guard's shape
        """`fn(*args)`."""
        return fn(*args)
