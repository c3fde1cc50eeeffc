"""Compiles what every worker imports, once in a home, beside the first start of its database.

Workers keep their bytecode apart from every other Python on the machine, so that a new home has none; without
this the gate and all first workers would compile the same modules at once.
"""

from __future__ import annotations

from typing import Final

import structlog

from omnium_deploy.home import Home
from omnium_deploy.processes import Launch, Process
from omnium_releases.isolation import isolated_command, isolated_environment

MODULE: Final = "omnium_worker.process"  # imports all of a worker and, as a program, does nothing
log = structlog.get_logger("omnium.deploy")


async def warm(home: Home) -> None:
    """Do it unless it was done. It only saves time: when it fails nothing is lost."""
    if (home.cache / "bytecode").exists():
        return
    command = tuple(isolated_command(MODULE, cache=home.cache))
    process = await Process.start(
        Launch("warm-up", command, isolated_environment(), home.log / "warm-up.log")
    )
    try:
        if code := await process.wait():
            log.warning("fleet.not_warmed", exit=code)
    finally:
        process.end_now()
