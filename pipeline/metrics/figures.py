"""The figures that a driver gives of a run while it goes on: their names, what they mean, their values now.

Names follow the conventions of Prometheus: base units, ``_total`` for what only grows while the driver lives.
All have the labels ``job`` and ``run`` (the run id).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.meter import Standing
from pipeline.tally import Tally

LABELS = ("job", "run")


@dataclass(frozen=True)
class Metric:
    """One figure."""

    name: str
    help: str

    @property
    def grows(self) -> bool:
        """Whether it is a counter; a gauge if not."""
        return self.name.endswith("_total")


METRICS = {
    metric.name: metric
    for metric in (
        Metric("yamafuda_units_done_total", "Units that were computed, and whose files are in place."),
        Metric("yamafuda_units_failed_total", "Units that failed for good."),
        Metric(
            "yamafuda_units_retried_total",
            "Tries of units that failed in the unit itself and were followed by another try.",
        ),
        Metric(
            "yamafuda_units_lost_total",
            "Tries of units that ended with their node and were followed by another try.",
        ),
        Metric("yamafuda_units_in_flight", "Units that are handed out: being computed, or next in line."),
        Metric("yamafuda_items_done_total", "Items of sweeps in the units that were computed."),
        Metric(
            "yamafuda_states_done_total",
            "States of tables that got their values in the units that were computed.",
        ),
        Metric("yamafuda_progress_ratio", "Share of the whole run that is done or has failed, from 0 to 1."),
        Metric("yamafuda_left_seconds", "Estimated time left; absent while there is no estimate."),
        Metric("yamafuda_cores", "Processors that can take units."),
        Metric("yamafuda_store_requests_total", "Requests to object stores."),
        Metric("yamafuda_store_read_bytes_total", "Bytes read from object stores."),
        Metric("yamafuda_store_written_bytes_total", "Bytes written to object stores."),
    )
}


def values(tally: Tally, standing: Standing, cores: int, counted: str) -> Mapping[str, float]:
    """The figures that are known now, by name; ``counted`` says what units are made of: ``items`` or ``states``."""
    moved = tally.moved_in_all
    found: dict[str, float] = {
        "units_done_total": tally.computed_count,
        "units_failed_total": len(tally.failed),
        "units_retried_total": tally.retried_count,
        "units_lost_total": tally.lost_count,
        "units_in_flight": tally.in_flight_count,
        f"{counted}_done_total": tally.items_count,
        "progress_ratio": min(standing.share, 1.0),
        "cores": cores,
        "store_requests_total": moved.requests_count,
        "store_read_bytes_total": moved.read_bytes,
        "store_written_bytes_total": moved.written_bytes,
    }
    if standing.left_s is not None:
        found["left_seconds"] = standing.left_s
    return {f"yamafuda_{name}": value for name, value in found.items()}
