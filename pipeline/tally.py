"""Counts of what one driver did to a run, for its summary and its exit status."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from storage.stores import traffic
from storage.stores.traffic import Traffic


@dataclass
class Tally:
    """What this driver did."""

    started_s: float = field(default_factory=time.monotonic)
    computed_count: int = 0
    """Units that it computed."""
    items_count: int = 0
    """Items of a sweep, or states of a table, in those units."""
    skipped_count: int = 0
    """Units whose file was in place before."""
    in_flight_count: int = 0
    """Units that are handed out."""
    retried_count: int = 0
    """Tries that failed in the unit itself and were followed by another."""
    lost_count: int = 0
    """Tries that ended with their node and were followed by another."""
    failed: dict[str, str] = field(default_factory=dict)
    """Unit -> reason."""
    peak_bytes: int = 0
    startup_s: float = 0.0
    """Time to start Ray."""
    moved: Traffic = field(default_factory=Traffic)
    """Traffic with object stores, by other processes in these units."""
    moved_before: Traffic = field(default_factory=traffic.so_far)
    """Traffic by this process before the driver began."""
    elapsed_s: float = 0.0
    """Time without the start of Ray, which the jobs of a series share."""

    @property
    def moved_in_all(self) -> Traffic:
        """Traffic with object stores since the driver began, by this process and by units in others."""
        return self.moved + traffic.so_far().since(self.moved_before)

    def begun(self) -> None:
        """A unit was handed out."""
        self.in_flight_count += 1

    def tried_again(self, is_lost: bool) -> None:
        """A unit in flight failed and is tried again; ``is_lost``: its node went away."""
        self.in_flight_count -= 1
        if is_lost:
            self.lost_count += 1
        else:
            self.retried_count += 1

    def ended(self) -> None:
        """A unit in flight is done or has failed for good."""
        self.in_flight_count -= 1
