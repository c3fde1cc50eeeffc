"""A component as a workflow holds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from omnium_contract.flows.components import ComponentSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisteredComponent:
    """One member of one workflow under its permanent key, `football.goal`.

    `inherited_from` is the parent's key where a format takes the component as it is.
    """

    key: str
    workflow: str
    spec: ComponentSpec
    fn: Callable[..., Any]
    inherited_from: str | None = None
