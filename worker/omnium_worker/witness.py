"""What components do that they should not, told to log and metrics."""

from __future__ import annotations

import structlog

from omnium_worker.metrics import Metrics

log = structlog.get_logger("omnium.worker")


class LogWitness:
    """The witness of a worker."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def said(self, key: str, text: str) -> None:
        """A component printed something; nobody is listening but the log."""
        self._metrics.said(key)
        log.info("component.said", component=key, text=text)

    def over_budget(self, key: str) -> None:
        """A component was stopped."""
        self._metrics.over_budget(key)
        log.warning("component.over_budget", component=key)

    def refused(self, key: str, what: str) -> None:
        """A component reached for the machine."""
        self._metrics.refused(key)
        log.warning("component.refused", component=key, what=what)
