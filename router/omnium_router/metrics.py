"""What a router counts. Labels are bounded: routes by template, releases and codes only when they exist."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, TypeVar

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS: Final = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
MOST_VALUES: Final = 500
OTHER: Final = "other"

M = TypeVar("M", Counter, Histogram)


class Metrics:
    """The counters of one router, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._known: dict[str, set[str]] = {}
        self._children: dict[tuple[object, ...], Any] = {}  # looking one up by its labels is dear
        self._open = 0
        self._requests = self._counter("requests", "Requests answered.", "route", "method", "status")
        self._request_time = self._histogram("request_seconds", "From head to answer.", "route")
        self._commands = self._counter("commands", "Commands.", "front", "release", "code", "outcome")
        self._hop = self._histogram("worker_seconds", "From worker chosen to answer.", "release", "lane")
        self._retries = self._counter("retries", "Commands sent once more, and why.", "release", "why")
        self._ejections = self._counter("ejections", "Workers left alone for a moment.", "release", "why")
        self._unavailable = self._counter("release_unavailable", "Commands without a worker.", "release")
        self._foreign = self._counter("foreign_replies", "Replies of other code than asked.", "release")
        self._poisoned = self._counter("poisoned", "Commands refused: their key stopped workers.", "release")
        self._pins = self._counter("pin_cache", "Look-ups of pins.", "result")
        gauge = Gauge("omnium_router_in_flight", "Requests being answered.", registry=self.registry)
        gauge.set_function(lambda: self._open)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(f"omnium_router_{name}", text, labels, registry=self.registry)

    def _histogram(self, name: str, text: str, *labels: str) -> Histogram:
        return Histogram(f"omnium_router_{name}", text, labels, buckets=BUCKETS, registry=self.registry)

    def request(self, route: str, method: str, status: int, seconds: float) -> None:
        """A request was answered. `route` is the template."""
        self._child(self._requests, route, method, str(status)).inc()
        self._child(self._request_time, route).observe(seconds)

    def command(self, front: str, release: str, code: str, outcome: str) -> None:
        """A command was answered: accepted, duplicate, a refusal, or the reason of an error."""
        self._commands.labels(
            front, self._bounded("release", release), self._bounded("code", code), outcome
        ).inc()

    def hop(self, release: str, lane: str, seconds: float) -> None:
        """A worker answered."""
        self._child(self._hop, self._bounded("release", release), lane).observe(seconds)

    def retried(self, release: str, why: str) -> None:
        """A command goes to a worker once more."""
        self._retries.labels(self._bounded("release", release), why).inc()

    def ejected(self, release: str, why: str) -> None:
        """A worker gets nothing for a moment."""
        self._ejections.labels(self._bounded("release", release), why).inc()

    def unavailable(self, release: str) -> None:
        """No worker of the release was ready."""
        self._unavailable.labels(self._bounded("release", release)).inc()

    def foreign_reply(self, release: str) -> None:
        """A reply was made by other code than was asked for."""
        self._foreign.labels(self._bounded("release", release)).inc()

    def poisoned(self, release: str) -> None:
        """A key was refused because it has stopped two workers."""
        self._poisoned.labels(self._bounded("release", release)).inc()

    def pin(self, result: str) -> None:
        """A pin was looked up: hit, miss or corrected."""
        self._child(self._pins, result).inc()

    def in_flight(self, change: int) -> None:
        """One request more or less."""
        self._open += change

    def watch(self, gauges: Callable[[], Iterable[GaugeMetricFamily]]) -> None:
        """Take gauges that are worked out when somebody asks."""
        self.registry.register(_Asked(gauges))

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)

    def _child(self, metric: M, *labels: str) -> M:
        key = (metric, *labels)
        child: M | None = self._children.get(key)
        if child is None:
            child = self._children[key] = metric.labels(*labels)
        return child

    def _bounded(self, label: str, value: str) -> str:
        known = self._known.setdefault(label, set())
        if value in known:
            return value
        if len(known) >= MOST_VALUES:
            return OTHER
        known.add(value)
        return value


class _Asked(Collector):
    def __init__(self, gauges: Callable[[], Iterable[GaugeMetricFamily]]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        return self._gauges()
