"""The names of a match: all that somebody or something of it is known by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """`persons` are texts that people are known by, `all` are these and those of sides, places and senders.

    `identities` says of an id who that is, where another id says it in another event.
    """

    all: frozenset[str] = field(default=frozenset(), repr=False)
    persons: frozenset[str] = field(default=frozenset(), repr=False)
    identities: Mapping[str, str] = field(default_factory=dict, repr=False)
