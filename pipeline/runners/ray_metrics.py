"""The figures of a run in Ray's own metrics, which its nodes give to Prometheus, with ``ray_`` before their names.

That needs ``ray[default]`` on the nodes; without it nothing happens.
"""

from __future__ import annotations

from collections.abc import Mapping

from ray.util.metrics import Counter, Gauge

from pipeline.metrics.figures import LABELS, METRICS


class RayMetrics:
    """Remembers what was passed to Ray so far. To be used while a session is open."""

    def __init__(self) -> None:
        self._counters: dict[str, Counter] = {}
        self._gauges: dict[str, Gauge] = {}
        self._told: dict[tuple[str, str], float] = {}

    def tell(self, figures: Mapping[str, float], labels: Mapping[str, str]) -> None:
        """Pass the figures of a run on; counters by their growth."""
        tags = dict(labels)
        for name, value in figures.items():
            if METRICS[name].grows:
                key = name, labels["run"]
                told = self._told.get(key, 0.0)
                # A smaller value comes from the run's next driver, in the same series.
                if grown := value - told if value >= told else value:
                    self._counter(name).inc(grown, tags)
                self._told[key] = value
            else:
                self._gauge(name).set(value, tags)

    def _counter(self, name: str) -> Counter:
        if name not in self._counters:
            # Ray adds the ending ``_total`` itself.
            self._counters[name] = Counter(name.removesuffix("_total"), METRICS[name].help, LABELS)
        return self._counters[name]

    def _gauge(self, name: str) -> Gauge:
        if name not in self._gauges:
            self._gauges[name] = Gauge(name, METRICS[name].help, LABELS)
        return self._gauges[name]
