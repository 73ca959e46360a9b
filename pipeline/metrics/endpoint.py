"""Serves the figures of a run over HTTP, for Prometheus to fetch."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pipeline.metrics.figures import LABELS, METRICS
from storage.errors import UserError

Read = Callable[[], Mapping[str, float]]


class RunCollector(Collector):
    """Reads the figures when they are asked for."""

    def __init__(self, read: Read, labels: Mapping[str, str]) -> None:
        self._read = read
        self._labels = [labels[name] for name in LABELS]

    def collect(self) -> Iterator[Metric]:
        """All figures that are known."""
        for name, value in self._read().items():
            metric = METRICS[name]
            family = (CounterMetricFamily if metric.grows else GaugeMetricFamily)(
                name, metric.help, labels=LABELS
            )
            family.add_metric(self._labels, value)
            yield family


@contextmanager
def serving(port: int, read: Read, labels: Mapping[str, str]) -> Iterator[None]:
    """Answer at ``http://HOST:port/metrics`` on all addresses of this machine. UserError when the port is taken."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(RunCollector(read, labels))
    try:
        server, thread = start_http_server(port, registry=registry)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        raise UserError(
            "metrics_port", f"{port} is taken" if taken else f"{port}: {error.strerror or error}"
        ) from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
