"""Limits of the search of one deal: as an argument, as a job's limits, and as options of a command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from engines.contract.job import Limits
from engines.contract.options import option
from engines.text.words import duration, size
from storage.errors import UserError

if TYPE_CHECKING:
    from engines import _native

PROCESS_BYTES = 256 << 20
"""Part of a unit's memory for the process around the search."""


@dataclass(frozen=True)
class Bounds:
    """Limits of a search; a search that would need more ends undecided."""

    states_count: int | None = None
    memory_bytes: int | None = None
    """Memory of the search itself, without the process around it."""
    time_s: float | None = None
    """Seconds of processor time."""

    def native(self) -> _native.SearchLimits:
        """The limits as the core takes them, 0 for no limit."""
        from engines import _native

        return _native.SearchLimits(self.states_count or 0, self.memory_bytes or 0, self.time_s or 0.0)

    def words(self) -> str:
        """In words."""
        told = [] if self.states_count is None else [f"{self.states_count:,} states"]
        told += [] if self.memory_bytes is None else [size(self.memory_bytes)]
        told += [] if self.time_s is None else [f"{duration(self.time_s)} of processor time"]
        return ", ".join(told)

    def reached(self, states_count: int, memory_bytes: int, time_s: float) -> str | None:
        """The limit that a search in Python has hit by now: ``states``, ``memory`` or ``time``; None for none."""
        used = {"states": states_count, "memory": memory_bytes, "time": time_s}
        most = {"states": self.states_count, "memory": self.memory_bytes, "time": self.time_s}
        return next((name for name, bound in most.items() if bound is not None and used[name] >= bound), None)


@dataclass
class SearchLimits(Limits):
    """Limits of the search of a deal. A deal that hits the limit on memory is undecided, as with states and time."""

    indecisive: ClassVar[tuple[str, ...]] = ("retries_count",)
    memory_bytes: int = option(
        4 << 30, "Memory that a unit reserves on its node, in bytes.", least=2 * PROCESS_BYTES
    )
    states: int | None = option(
        100_000_000, "States that a search may store.", least=1, most=(1 << 63) - 1, none="none"
    )
    time_s: float | None = option(None, "Seconds of processor time for each deal.", none="none")

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        if self.time_s is not None and not 0 < self.time_s < float("inf"):
            raise UserError(
                "job.limits.time_s", f"must be more than 0 and finite, or null for none; got {self.time_s}"
            )

    def bounds(self) -> Bounds:
        """The limits as a search takes them."""
        return Bounds(self.states, self.memory_bytes - PROCESS_BYTES, self.time_s)


def bounds_of_options(time_s: float | None, states: int | None, memory_bytes: int) -> Bounds:
    """The bounds from a command's options; UserError naming the one that is out of range."""
    if time_s is not None and not 0 < time_s < float("inf"):
        raise UserError("--time-s", f"must be more than 0 and finite; got {time_s}")
    if states is not None and not 0 < states < 1 << 63:
        raise UserError("--states", f"must be at least 1 and below 2**63; got {states}")
    if not 1 << 20 <= memory_bytes < 1 << 63:
        raise UserError("--memory-bytes", f"must be at least {1 << 20} and below 2**63; got {memory_bytes}")
    return Bounds(states, memory_bytes, time_s)
