"""How many commands this process runs at once, and whether it takes any."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from omnium_store.errors import Overloaded, ShuttingDown


class Admission:
    """Counts commands in flight. What it refuses has not run in any part: its sender may try elsewhere."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.in_flight = 0
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Hold a place for one command. Raises `ShuttingDown` or `Overloaded`."""
        if self._closed:
            raise ShuttingDown("This worker is shutting down. Nothing has run: send it to another.")
        if self.in_flight >= self.capacity:
            raise Overloaded(
                f"This worker has {self.in_flight} commands in flight, its limit. Nothing has run."
            )
        self.in_flight += 1
        self._idle.clear()
        try:
            yield
        finally:
            self.in_flight -= 1
            if not self.in_flight:
                self._idle.set()

    def close(self) -> None:
        """Take nothing any more."""
        self._closed = True

    async def idle(self) -> None:
        """Wait until nothing is in flight."""
        await self._idle.wait()
