"""The stats that every sport has, as cards to fill in: totals, a ranking, a league table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from omnium_contract.stats import StatSpec, declared_stat

Scope = Literal["node", "event"]
Declared = Callable[..., StatSpec]


def totals(
    *,
    key: str,
    scope: Scope,
    name: str,
    description: str,
    numbers: Mapping[str, str],
    appearances: str | None = None,
) -> Declared:
    """Sums a person: `numbers` maps a column to the fact that it adds up; `appearances` counts fixtures."""
    return declared_stat(
        StatSpec(
            key=key,
            kind="totals",
            scope=scope,
            name=name,
            description=description,
            numbers=dict(numbers),
            appearances=appearances,
        )
    )


def ranking(
    *,
    key: str,
    scope: Scope,
    name: str,
    description: str,
    numbers: Mapping[str, str],
    order: Sequence[str],
) -> Declared:
    """Persons in order of `order`, columns of `numbers`, best first; level ones share a rank."""
    return declared_stat(
        StatSpec(
            key=key,
            kind="ranking",
            scope=scope,
            name=name,
            description=description,
            numbers=dict(numbers),
            order=tuple(order),
        )
    )


def standings(
    *,
    key: str,
    name: str,
    description: str,
    scored: str,
    conceded: str,
    numbers: Mapping[str, str] | None = None,
    order: Sequence[str] = (),
    settings: Mapping[str, Any] | None = None,
) -> Declared:
    """A league table of a competition from what its sides scored and conceded.

    `order` is the tie-break list where the format has none of its own. `settings` names the format's fields
    that the table follows: `{"points": "points", "order": "table_order"}`.
    """
    return declared_stat(
        StatSpec(
            key=key,
            kind="standings",
            scope="node",
            subject="entry",
            name=name,
            description=description,
            numbers=dict(numbers or {}),
            order=tuple(order),
            scored=scored,
            conceded=conceded,
            settings=dict(settings or {}),
        )
    )
