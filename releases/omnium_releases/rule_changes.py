"""The notes of a release: what it says it changes, as data that the compatibility replay holds it to.

summary = "Second yellows count as red cards"

[[rule_changes]]
sport = "football"
what = "a second yellow is a red card"
keys = ["sides.*.redCards", "red_cards"]
why = "Law 12"
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from omnium_store.errors import Refused

_MEMBERS = {"sport", "what", "keys", "why"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """One declared change: `keys` are globs over state paths and fact names of the sport."""

    sport: str
    what: str
    keys: tuple[str, ...]
    why: str = ""


def rule_changes(notes: str) -> tuple[RuleChange, ...]:
    """The declared changes in a notes file (TOML). Raises `Refused` (bad_notes) with every problem."""
    try:
        told = tomllib.loads(notes)
    except tomllib.TOMLDecodeError as error:
        raise _bad_notes([f"it is no TOML ({error})"]) from error
    tables = told.get("rule_changes", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise _bad_notes(["rule_changes is no list of tables: write [[rule_changes]] before each"])
    if problems := [f"change {nth}: {p}" for nth, table in enumerate(tables, 1) for p in _problems(table)]:
        raise _bad_notes(problems)
    return tuple(
        RuleChange(sport=t["sport"], what=t["what"], keys=tuple(t["keys"]), why=t.get("why", ""))
        for t in tables
    )


def changes_of(text: str) -> tuple[RuleChange, ...]:
    """The declared changes as the database keeps them, a JSON list."""
    return tuple(RuleChange(**{**one, "keys": tuple(one["keys"])}) for one in json.loads(text))


def check_sports(changes: tuple[RuleChange, ...], workflows: set[str]) -> None:
    """Raise `Refused` for a change of a sport that the release does not hold."""
    unknown = sorted({change.sport for change in changes} - workflows)
    if unknown:
        raise _bad_notes(
            [f"{sport} is not in the release, which has {', '.join(sorted(workflows))}" for sport in unknown]
        )


def _problems(table: dict[str, Any]) -> Iterator[str]:
    for name in ("sport", "what"):
        if not isinstance(table.get(name), str) or not table[name].strip():
            yield f"it needs `{name}`, a text"
    keys = table.get("keys")
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) and key for key in keys):
        yield "it needs `keys`, a list of globs"
    if not isinstance(table.get("why", ""), str):
        yield "`why` is a text"
    yield from (f"`{name}` is unknown" for name in sorted(table.keys() - _MEMBERS))


def _bad_notes(problems: list[str]) -> Refused:
    return Refused(
        f"The notes can't be used: {'; '.join(problems)}. Mend the file and register again.",
        reason="bad_notes",
    )
