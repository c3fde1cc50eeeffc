"""The declaration of a stat. One that does not hold together fails where it is written, at import."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from omnium_contract.flows.components import stat

_KEY: Final = re.compile(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*){2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatSpec:
    """A stat over the lines (and places) of all fixtures of a scope.

    `key` is `workflow.what.scope` (`football.table.node`). `kind`: `totals` sums numbers a subject, `ranking`
    orders subjects by one number, `standings` makes a league table. `scope`: `node` is a competition, `event`
    a whole event. `numbers` maps a column to the fact that it sums. `order` lists columns, best first, a
    leading `-` for smallest first; for standings the tie-break list of the format replaces it.
    `scored` and `conceded` are facts of a side, `appearances` the name of the column that counts fixtures.
    Raises `ValueError` naming every problem.
    """

    key: str
    kind: Literal["totals", "ranking", "standings"]
    name: str
    description: str = ""
    scope: Literal["node", "event"] = "node"
    subject: Literal["person", "entry"] = "person"
    numbers: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    scored: str | None = None
    conceded: str | None = None
    appearances: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise ValueError(f"stat {self.key!r} does not hold together: " + "; ".join(problems))

    def as_data(self) -> dict[str, Any]:
        """The spec as plain data, as the program document carries it."""
        return asdict(self)

    def facts(self) -> frozenset[str]:
        """The facts that it reads; each must be one that the sport declares."""
        return frozenset(self.numbers.values()) | {f for f in (self.scored, self.conceded) if f}

    def _problems(self) -> Iterator[str]:
        if not _KEY.fullmatch(self.key) or not self.key.endswith(f".{self.scope}"):
            yield f"its key must read workflow.what.{self.scope}"
        if not self.name:
            yield "it has no name for people"
        yield from self._missing()
        columns = {*self.numbers, self.appearances}
        for column in self.order:
            if self.kind != "standings" and column.removeprefix("-") not in columns:
                yield f"it orders by {column!r}, which is no column of it"

    def _missing(self) -> Iterator[str]:
        if self.kind == "standings" and not (self.scored and self.conceded):
            yield "standings need `scored` and `conceded`"
        if self.kind != "standings" and not self.numbers:
            yield f"{self.kind} need `numbers`"
        if self.kind == "ranking" and not self.order:
            yield "a ranking needs an `order`"


def declared_stat(spec: StatSpec) -> Callable[..., StatSpec]:
    """A class member that declares `spec`: assign it in a sport's stats mixin."""

    def declaration(self: object) -> StatSpec:  # noqa: ARG001 - a member of a class takes self
        return spec

    declaration.__name__ = spec.key.replace(".", "_")
    return stat(declared=spec, title=spec.name, description=spec.description)(declaration)
