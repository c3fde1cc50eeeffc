"""Whether the database is still the one that this worker knows: compared on each new connection."""

from __future__ import annotations

import structlog

from omnium_store.database import Connection
from omnium_store.epoch import epoch

log = structlog.get_logger("omnium.worker")


class EpochWatch:
    """Remembers the epoch; another one voids every state that a worker holds of the database."""

    def __init__(self) -> None:
        self._known: str | None = None

    async def check(self, connection: Connection) -> None:
        """Compare; what keeps states between commands will be emptied here (this step keeps none)."""
        found = await epoch(connection)
        if self._known is not None and found != self._known:
            log.warning("worker.new_epoch", before=self._known, now=found)
        self._known = found
