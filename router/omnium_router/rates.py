"""How many requests a token may send: a bucket each that fills steadily."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from omnium_store.errors import TooMany

MOST_BUCKETS: Final = 10_000


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rates:
    """One bucket a token: `burst` at once, `per_second` in the long run."""

    def __init__(self, *, per_second: float, burst: int, clock: Callable[[], float]) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def take(self, name: str) -> None:
        """One request of `name`. Raises `TooMany`."""
        now = self._clock()
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = _Bucket(self._burst, now)
            if len(self._buckets) > MOST_BUCKETS:
                self._buckets.popitem(last=False)
        bucket.left = min(self._burst, bucket.left + (now - bucket.at) * self._per_second)
        bucket.at = now
        if bucket.left < 1:
            raise TooMany(f"More than {self._per_second:g} requests a second with one token. Slow down.")
        bucket.left -= 1
