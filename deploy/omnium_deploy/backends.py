"""What every orchestrator must be able to do with pools; the reconciler knows nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from omnium_deploy.pools import PoolKey


class Backend(Protocol):
    """Runs pools of workers: on this machine, in a cluster."""

    async def sizes(self) -> Mapping[PoolKey, int]:
        """How many workers each pool has been told to have; pools that are ended are not listed."""
        ...

    async def resize(self, key: PoolKey, size: int) -> None:
        """Have a pool of so many workers; 0 ends it. Returns when it is told, not when it is done."""
        ...

    async def roll(self, key: PoolKey) -> None:
        """Replace the workers of a pool, one at a time: a new one serves before an old one is asked to go."""
        ...

    async def close(self) -> None:
        """End all pools and wait for it."""
        ...
