"""Declared rule changes: which differences each covers, and those that nothing in the corpus shows.

A key is a path of a state (`sides.*.redCards`), the name of a fact (`red_cards`), a place (`places.*.rank`),
a rule (`rules.second_yellow`), an input (`inputs.football.goal`), a command (`commands.football.goal`) or a
stat (`stats.football.table.node`). In a glob `*` stands for anything within one part of a key, `**` for any
number of parts, none included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from omnium_releases.replay.differences import Difference
from omnium_releases.rule_changes import RuleChange


@dataclass(slots=True)
class Declarations:
    """The declared changes of a release, and what each has covered so far."""

    changes: Sequence[RuleChange]
    _seen: dict[tuple[int, str], int] = field(default_factory=dict)

    def judged(self, difference: Difference, *, sports: frozenset[str]) -> Difference:
        """The difference with the first change that covers it, of its workflow or of whose format that is."""
        covering = ""
        for number, change in enumerate(self.changes):
            if change.sport not in sports:
                continue
            for glob in change.keys:
                if any(is_covered(key, glob) for key in difference.keys):
                    self._seen[number, glob] = self._seen.get((number, glob), 0) + 1
                    covering = covering or change.what
        return difference.covered_by(covering) if covering else difference

    def unseen(self) -> list[RuleChange]:
        """The changes that no difference shows."""
        seen = {number for number, _ in self._seen}
        return [change for number, change in enumerate(self.changes) if number not in seen]

    def unseen_keys(self) -> list[tuple[RuleChange, str]]:
        """Globs that no difference shows, of changes that some difference does."""
        seen = {number for number, _ in self._seen}
        return [
            (change, glob)
            for number, change in enumerate(self.changes)
            for glob in change.keys
            if number in seen and (number, glob) not in self._seen
        ]

    def counts(self) -> Iterable[tuple[RuleChange, int]]:
        """How many differences each change covers."""
        for number, change in enumerate(self.changes):
            yield change, sum(n for (which, _), n in self._seen.items() if which == number)


def is_covered(key: str, glob: str) -> bool:
    """Whether a glob names a key.

    >>> is_covered("sides.home.redCards", "sides.*.redCards"), is_covered("goals", "goals.**")
    (True, True)
    """
    return _pattern(glob).fullmatch(f"{key}.") is not None


@lru_cache(maxsize=1024)
def _pattern(glob: str) -> re.Pattern[str]:
    """Every part of a key ends with a dot here, so that `**` can stand for none."""
    return re.compile("".join(_part(part) for part in glob.split(".")))


def _part(part: str) -> str:
    if part == "**":
        return r"(?:[^.]*\.)*"
    pieces = (re.escape(piece) for piece in part.split("*"))
    return "[^.]*".join(pieces) + r"\."
