"""`python -m omnium_router`: one router process, told everything by its environment."""

from __future__ import annotations

import sys

import structlog
import uvloop

from omnium_router.process import run
from omnium_router.settings import RouterSettings
from omnium_store.errors import OmniumError
from omnium_store.journal import open_journal


def main() -> int:
    """Serve until told to end. 0 well, 2 settings that don't do."""
    try:
        settings = RouterSettings.from_environment()
    except OmniumError as error:
        open_journal("router")
        return _say(error)
    open_journal("router", level=settings.log_level)
    try:
        uvloop.run(run(settings))
    except OmniumError as error:
        return _say(error)
    return 0


def _say(error: OmniumError) -> int:
    structlog.get_logger("omnium.router").error(
        "router.cannot_start", reason=error.reason, message=error.message
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
