"""What a worker counts, for Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from omnium_worker.settings import split_address

#: Seconds: a command takes about a millisecond, and its limit is ten seconds.
_BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
#: Label of workflows that the release does not have, so that no sender makes labels.
_UNKNOWN: Final = "unknown"


class _KeptElsewhere(Collector):
    def __init__(self, name: str, documentation: str, read: Callable[[], float]) -> None:
        self._name = name
        self._documentation = documentation
        self._read = read

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self._name, self._documentation, value=self._read())


class Metrics:
    """One registry a process. Labels are bounded: the release's workflows and components, known outcomes."""

    def __init__(self, workflows: Iterable[str] = ()) -> None:
        self.registry = CollectorRegistry()
        self._workflows = frozenset(workflows)
        self._commands = Counter(
            "omnium_worker_commands", "Commands answered.", ("workflow", "outcome"), registry=self.registry
        )
        self._seconds = Histogram(
            "omnium_worker_command_seconds",
            "From a command's arrival to its answer.",
            ("workflow",),
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self._over = self._of_component("over_budget", "Component calls stopped for their CPU time.")
        self._reached = self._of_component("refused_reaches", "Times a component reached for the machine.")
        self._spoke = self._of_component("outputs", "Component calls that printed something.")
        ProcessCollector(registry=self.registry)

    def know(self, workflows: Iterable[str]) -> None:
        """The workflows of the release, once they are loaded."""
        self._workflows = frozenset(workflows)

    def tell(self, **facts: str) -> None:
        """What this process is: release, hashes, lane, build."""
        Info("omnium_worker", "What this worker serves.", registry=self.registry).info(facts)

    def watch(self, name: str, documentation: str, read: Callable[[], float]) -> None:
        """A gauge that is read when somebody asks."""
        Gauge(f"omnium_worker_{name}", documentation, registry=self.registry).set_function(read)

    def count(self, name: str, documentation: str, read: Callable[[], float]) -> None:
        """A counter that somebody else keeps, read when somebody asks."""
        self.registry.register(_KeptElsewhere(f"omnium_worker_{name}", documentation, read))

    def command(self, workflow: str, outcome: str, seconds: float) -> None:
        """One command was answered."""
        label = workflow if workflow in self._workflows else _UNKNOWN
        self._commands.labels(label, outcome).inc()
        self._seconds.labels(label).observe(seconds)

    def over_budget(self, component: str) -> None:
        """A component was stopped."""
        self._over.labels(component).inc()

    def refused(self, component: str) -> None:
        """A component reached for the machine."""
        self._reached.labels(component).inc()

    def said(self, component: str) -> None:
        """A component printed something."""
        self._spoke.labels(component).inc()

    def serve(self, address: str) -> int:
        """Serve /metrics on a thread of its own, which holds no command up; returns the port."""
        host, port = split_address(address)
        server, _ = start_http_server(port, addr=host, registry=self.registry)
        return int(server.server_port)

    def _of_component(self, name: str, documentation: str) -> Counter:
        return Counter(
            f"omnium_worker_component_{name}", documentation, ("component",), registry=self.registry
        )
