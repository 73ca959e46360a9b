"""What one driver did to a run, for its summary and its exit status."""

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
    """Items of a sweep, or states of a table with their values, in those units."""
    skipped_count: int = 0
    """Units whose file was in place."""
    in_flight_count: int = 0
    """Units that are handed out."""
    retried_count: int = 0
    """Tries that failed by their own fault and were followed by another."""
    lost_count: int = 0
    """Tries that ended with their node and were followed by another."""
    failed: dict[str, str] = field(default_factory=dict)
    """Unit -> reason."""
    peak_bytes: int = 0
    startup_s: float = 0.0
    """Time until Ray was there."""
    moved: Traffic = field(default_factory=Traffic)
    """To and from object stores, by other processes in these units."""
    moved_before: Traffic = field(default_factory=traffic.so_far)
    """By this process before it began."""
    elapsed_s: float = 0.0
    """Without the start of Ray, which the jobs of a series share."""

    @property
    def moved_in_all(self) -> Traffic:
        """To and from object stores since it began, by this process and in the units of others."""
        return self.moved + traffic.so_far().since(self.moved_before)

    def begun(self) -> None:
        """A unit was handed out."""
        self.in_flight_count += 1

    def tried_again(self, is_lost: bool) -> None:
        """One in flight failed and is tried again; ``is_lost``: its node went away."""
        self.in_flight_count -= 1
        if is_lost:
            self.lost_count += 1
        else:
            self.retried_count += 1

    def ended(self) -> None:
        """One in flight is done or has failed for good."""
        self.in_flight_count -= 1
