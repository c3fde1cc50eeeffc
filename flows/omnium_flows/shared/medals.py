"""Medals by rank: which medal a rank is worth, ties included, and whether typed ones fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

#: The three words, best first.
MEDALS: Final = ("Gold", "Silver", "Bronze")

Scheme = Mapping[int, str]

RANKING_SCHEME: Final[Scheme] = MappingProxyType({1: "Gold", 2: "Silver", 3: "Bronze"})
FINAL_SCHEME: Final[Scheme] = MappingProxyType({1: "Gold", 2: "Silver"})
#: A match for third place.
THIRD_PLACE_SCHEME: Final[Scheme] = MappingProxyType({1: "Bronze"})
#: Combat sports: who loses a semi-final has a bronze.
SEMI_FINAL_SCHEME: Final[Scheme] = MappingProxyType({2: "Bronze"})

#: By archetype, the schemes of which a unit has one.
_SCHEMES: Final[Mapping[str, tuple[Scheme, ...]]] = MappingProxyType(
    {"duel": (FINAL_SCHEME, THIRD_PLACE_SCHEME, SEMI_FINAL_SCHEME), "ranking": (RANKING_SCHEME,)}
)

_IN_WORDS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """One side of a unit with what it was given. `medal` is empty where it has none."""

    name: str
    rank: int | None
    medal: str = ""


def medals_misfit(archetype: str, sides: Sequence[Ranked]) -> str | None:
    """Why the medals do not fit the ranks, as a sentence, or None. A unit without any medal always fits.

    On a shared rank all get its medal, and the next ranks are skipped with theirs.

    >>> medals_misfit("ranking", [Ranked(name="A", rank=1, medal="Silver")])
    'Medals do not fit the ranks: rank 1 is gold.'
    """
    if not any(side.medal for side in sides):
        return None
    rankless = next((side for side in sides if side.medal and side.rank is None), None)
    if rankless is not None:
        return f"{rankless.name} has a medal and no rank. Give the rank, or take the medal away."
    scheme = _scheme(archetype, sides)
    for side in sorted((s for s in sides if s.rank is not None), key=lambda s: s.rank or 0):
        if side.medal != scheme.get(side.rank or 0, ""):
            return _misfit(side, scheme, sides)
    return None


def medals_by_rank(archetype: str) -> dict[int, list[str]]:
    """Which medals a rank may be worth in a unit of this archetype, best first.

    >>> medals_by_rank("duel")
    {1: ['Gold', 'Bronze'], 2: ['Silver', 'Bronze']}
    """
    found: dict[int, list[str]] = {}
    for scheme in _SCHEMES[archetype]:
        for rank, medal in scheme.items():
            found.setdefault(rank, []).append(medal)
    return {rank: sorted(medals, key=MEDALS.index) for rank, medals in found.items()}


def _scheme(archetype: str, sides: Sequence[Ranked]) -> Scheme:
    if archetype != "duel":
        return RANKING_SCHEME
    if any(side.medal in MEDALS[:2] for side in sides):
        return FINAL_SCHEME
    holders = {side.rank for side in sides if side.medal}
    return SEMI_FINAL_SCHEME if holders == {2} else THIRD_PLACE_SCHEME


def _misfit(side: Ranked, scheme: Scheme, sides: Sequence[Ranked]) -> str:
    golds = sum(1 for other in sides if other.medal == MEDALS[0])
    if side.medal == MEDALS[1] and side.rank != 1 and golds > 1:
        return f"{_IN_WORDS.get(golds, str(golds))} golds mean no silver: {_worth(side.rank, scheme)}."
    return f"Medals do not fit the ranks: {_worth(side.rank, scheme)}."


def _worth(rank: int | None, scheme: Scheme) -> str:
    medal = scheme.get(rank or 0)
    return f"rank {rank} is {medal.lower()}" if medal else f"rank {rank} has none"
