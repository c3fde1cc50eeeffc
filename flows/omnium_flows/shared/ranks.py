"""Ranks with ties: a shared rank, then a skip. 1, 2, 2, 4, never 1, 2, 2, 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def unmarked_tie(ranks: Iterable[tuple[int, bool]]) -> int | None:
    """The best rank that is given twice although not all who have it are marked as tied, or None.

    Each pair is a rank and whether its holder is marked as tied.

    >>> unmarked_tie([(1, False), (2, True), (2, False)])
    2
    >>> unmarked_tie([(1, False), (2, True), (2, True)])
    """
    given = list(ranks)
    times = Counter(rank for rank, _ in given)
    return min((rank for rank, tied in given if times[rank] > 1 and not tied), default=None)


def broken_run(ranks: Iterable[int]) -> str | None:
    """What keeps `ranks` from running 1, 2, 2, 4, as a sentence, or None.

    >>> broken_run([1, 2, 2, 4])
    >>> broken_run([1, 2, 2, 3])
    'Ranks must run 1,2,2,4. After 2 at rank 2 the next is 4.'
    >>> broken_run([1, 3])
    'Rank 2 is missing.'
    """
    before: tuple[int, int] | None = None
    expected = 1
    for rank, holders in sorted(Counter(ranks).items()):
        if rank > expected:
            return f"Rank {expected} is missing."
        if before is not None and rank < expected:
            return f"Ranks must run 1,2,2,4. After {before[1]} at rank {before[0]} the next is {expected}."
        before, expected = (rank, holders), rank + holders
    return None
