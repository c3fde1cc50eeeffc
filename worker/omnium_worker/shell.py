"""What stands around a release's code in any process that runs it: limits, metrics, the host."""

from __future__ import annotations

import os
import sys
import time

import structlog

from omnium_worker.budgets import BudgetGuard, Watchdog
from omnium_worker.confinement import Confinement, readable_folders
from omnium_worker.identity import Identity
from omnium_worker.lifetime import Lifetime
from omnium_worker.loading import load
from omnium_worker.memory import Memory
from omnium_worker.metrics import Metrics
from omnium_worker.process import Unpacked
from omnium_worker.runtime import runtime_sha
from omnium_worker.settings import ReplaySettings
from omnium_worker.stage import Stage
from omnium_worker.voices import Voices
from omnium_worker.witness import LogWitness

log = structlog.get_logger("omnium.worker")


class Shell:
    """The release's host, loaded, with every limit on it in force."""

    def __init__(self, release: Unpacked, settings: ReplaySettings) -> None:
        self.release = release
        self.metrics = Metrics()
        self.memory = Memory(settings.worker_memory_mb)
        self.watchdog = Watchdog(sys.stderr)
        self.lifetime = Lifetime(self.memory)
        stage = Stage()
        confinement = Confinement(stage, readable_folders(release.folder))
        self.guard = guard = BudgetGuard(
            stage=stage,
            confinement=confinement,
            voices=Voices(stage),
            memory=self.memory,
            witness=LogWitness(self.metrics),
        )
        self.host = load(release.folder, _identity(release), guard)
        self.metrics.know(workflow.code for workflow in self.host.registry.workflows())
        confinement.install()
        guard.start()

    def tell_serving(self, address: str, *, began: float, **more: object) -> None:
        """The one line that says that calls are taken."""
        log.info(
            "worker.serving",
            address=address,
            release=self.release.version,
            code_sha=self.release.code_sha,
            pid=os.getpid(),
            ms=round((time.monotonic() - began) * 1000),
            **more,
        )


def _identity(release: Unpacked) -> Identity:
    return Identity(
        version=release.version,
        release_id=release.id,
        code_sha=release.code_sha,
        contract_sha=release.contract_sha,
        runtime_sha=runtime_sha(),
    )
