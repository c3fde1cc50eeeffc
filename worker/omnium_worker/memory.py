"""What the process may grow by, so that a leak costs its process and nothing else."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Final, NoReturn

#: Exit status of a process that used up its memory.
EXIT_STATUS: Final = 70
_STATM: Final = Path("/proc/self/statm")
_LAST_WORDS: Final = b'{"event":"worker.out_of_memory","level":"critical","status":70}\n'
#: Above this share of the allowance what was taken is not coming back: a leak, not one greedy call.
_LEAK_SHARE: Final = 0.7


class Memory:
    """Data (heap, stacks) of this process against what it had when the limit was set."""

    __slots__ = ("_allowance", "_base", "_page", "_statm")

    def __init__(self, allowance_mb: int) -> None:
        self._allowance = allowance_mb << 20
        self._page = os.sysconf("SC_PAGE_SIZE")
        # Open from the start: a process without memory can't open files.
        self._statm = os.open(_STATM, os.O_RDONLY) if _STATM.exists() else -1
        self._base = 0

    def limit(self) -> None:
        """Let the process grow by the allowance from here on. Linux counts private writable memory alone."""
        self._base = self.data()
        if self._allowance and sys.platform == "linux":
            _, hard = resource.getrlimit(resource.RLIMIT_DATA)
            resource.setrlimit(resource.RLIMIT_DATA, (self._base + self._allowance, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def data(self) -> int:
        """Bytes of private data at this moment; 0 where the system does not say."""
        return self._pages(5)

    def resident(self) -> int:
        """Bytes in physical memory at this moment; 0 where the system does not say."""
        return self._pages(1)

    def is_leaking(self) -> bool:
        """Whether most of the allowance is taken, so that the next command might find none."""
        return bool(self._allowance) and self.data() - self._base > self._allowance * _LEAK_SHARE

    def end_if_leaking(self) -> None:
        """After a `MemoryError`: end the process unless what one call took has come back."""
        try:
            leaking = self.is_leaking()
        except MemoryError:
            leaking = True
        if leaking:
            _end()

    def _pages(self, field: int) -> int:
        if self._statm < 0:
            return 0
        return int(os.pread(self._statm, 256, 0).split()[field]) * self._page


def _end() -> NoReturn:
    os.write(2, _LAST_WORDS)
    os._exit(EXIT_STATUS)
