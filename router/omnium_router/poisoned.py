"""Keys that stop workers: who is suspected, who is found out, for how long.

With many commands in flight on a worker that dies, all are suspects. A suspect is tried again alone on a
worker, so that a second death names the one that caused it and the innocent get their answers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from omnium_router.identities import CommandIdentity

DEATHS_TO_REFUSE = 2
MOST_REMEMBERED = 10_000


@dataclass(slots=True)
class _Record:
    deaths: int
    until: float


class Suspects:
    """Commands that were in flight on a worker when it died, and have not been answered since."""

    def __init__(self, *, clock: Callable[[], float], ttl_s: float) -> None:
        self._clock = clock
        self._ttl_s = ttl_s
        self._records: OrderedDict[CommandIdentity, _Record] = OrderedDict()

    def __len__(self) -> int:
        return len(self._records)

    def accuse(self, identities: Iterable[CommandIdentity]) -> None:
        """A worker died with these in flight."""
        until = self._clock() + self._ttl_s
        for identity in set(identities):
            record = self._records.setdefault(identity, _Record(deaths=0, until=until))
            record.deaths += 1
            record.until = until
            self._records.move_to_end(identity)
        while len(self._records) > MOST_REMEMBERED:
            self._records.popitem(last=False)

    def clear(self, identity: CommandIdentity) -> None:
        """It has been answered: it stops no worker."""
        self._records.pop(identity, None)

    def is_suspect(self, identity: CommandIdentity) -> bool:
        """It has to be tried alone."""
        return self._deaths(identity) > 0

    def is_poisoned(self, identity: CommandIdentity) -> bool:
        """It has cost two workers and goes to no third."""
        return self._deaths(identity) >= DEATHS_TO_REFUSE

    def _deaths(self, identity: CommandIdentity) -> int:
        record = self._records.get(identity)
        if record is None:
            return 0
        if record.until <= self._clock():
            del self._records[identity]
            return 0
        return record.deaths
