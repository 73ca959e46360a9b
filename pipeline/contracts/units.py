"""The units of a sweep: ranges of items, all of one size but the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engines.contract.job import ItemRange


class Units:
    """The units of a plan; number k has the items from k * unit_items_count on."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.count: int = plan["units_count"]
        self._digits = max(6, len(str(self.count)))
        self._size, self._items_count = plan["unit_items_count"], plan["items_count"]

    def __getitem__(self, number: int) -> ItemRange:
        return ItemRange(self.name(number, number), *self.items(number, number))

    def name(self, first: int, last: int) -> str:
        """Of a unit, or of those from ``first`` to ``last`` that are compacted together."""
        if first == last:
            return f"{first:0{self._digits}d}"
        return f"{first:0{self._digits}d}-{last:0{self._digits}d}"

    def items(self, first: int, last: int) -> tuple[int, int]:
        """The first item of unit ``first``, and one past the last of unit ``last``."""
        return first * self._size, min((last + 1) * self._size, self._items_count)


def sweep_units(plan: Mapping[str, Any]) -> Iterator[ItemRange]:
    """The units of a sweep in order."""
    units = Units(plan)
    return (units[number] for number in range(units.count))
