"""Turns: commands of one subject wait for each other here, not on connections that others need."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """One queue a subject, there only while somebody waits or runs. The database's lock is what counts."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def of(self, subject: str) -> AsyncIterator[None]:
        """Inside, no other command of the subject runs in this process."""
        lock, waiting = self._locks.get(subject, (asyncio.Lock(), 0))
        self._locks[subject] = lock, waiting + 1
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._locks[subject]
            if waiting == 1:
                del self._locks[subject]
            else:
                self._locks[subject] = lock, waiting - 1
