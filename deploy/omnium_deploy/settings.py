"""Settings of a fleet on this machine, read once from the environment."""

from __future__ import annotations

import os

from pydantic import Field

from omnium_store.settings import Settings

MOST_WORKERS_BY_DEFAULT = 4


def _workers_by_default() -> int:
    """Two, so that one may die or be rolled; more on a machine with more cores."""
    return min(MOST_WORKERS_BY_DEFAULT, max(2, (os.cpu_count() or 2) // 2))


class FleetSettings(Settings):
    """Of the supervisor; every variable begins with OMNIUM_."""

    database_url: str | None = None
    """A PostgreSQL 15 or newer instead of the embedded one."""
    environment: str = Field(default="local", pattern="^(local|staging|prod)$")
    """Where this database stands; `local` registers a release for prod without a report."""
    pool_workers: int = Field(default_factory=_workers_by_default, ge=1, le=256)
    """Workers of a pool."""
    pool_grace_s: float = Field(default=30.0, ge=0)
    """How long a pool stays that nobody wants any more."""
    pool_soon_s: float = Field(default=3600.0, ge=0)
    """How long before a default begins its pool is started."""
    pool_request_s: float = Field(default=600.0, ge=1)
    """How long a pool stays after it was last asked for."""
    pool_every_s: float = Field(default=1.0, gt=0)
    """How often it is looked what is wanted."""
    drain_s: float = Field(default=30.0, ge=0)
    """How long a process that is asked to end may take."""
    stuck_s: float = Field(default=60.0, gt=0)
    """A process that does not answer for so long is killed and started again."""
    start_s: float = Field(default=180.0, gt=0)
    """How long the whole fleet may take to answer."""
    log_most_bytes: int = Field(default=64 * 1024 * 1024, ge=4096)
    """A log that is longer is set aside; one old part is kept."""
