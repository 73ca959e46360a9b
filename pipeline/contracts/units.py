"""The units of a sweep: ranges of items, all of one size but the last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.job import ItemRange

MOST_LEVEL = 15
"""Of blocks."""


class Units:
    """The units of a plan; number k has the items from k * unit_items_count on."""

    def __init__(self, plan: Mapping[str, Any]) -> None:
        self.count: int = plan["units_count"]
        self._digits = max(6, len(str(self.count)))
        self._size, self._items_count = plan["unit_items_count"], plan["items_count"]

    def __getitem__(self, number: int) -> ItemRange:
        return ItemRange(self.name(number, number), *self.items(number, number))

    def name(self, first: int, last: int) -> str:
        """The name of a unit, or of the units from ``first`` to ``last`` that are compacted together."""
        if first == last:
            return f"{first:0{self._digits}d}"
        return f"{first:0{self._digits}d}-{last:0{self._digits}d}"

    def items(self, first: int, last: int) -> tuple[int, int]:
        """The first item of unit ``first``, and one past the last of unit ``last``."""
        return first * self._size, min((last + 1) * self._size, self._items_count)

    def block(self, number: int, level: int) -> tuple[int, int]:
        """The first and the last unit of the block that has a unit: 4^level units, aligned; the last block may
        have fewer."""
        first = number >> 2 * level << 2 * level
        return first, min(first + 4**level, self.count) - 1

    def level_of(self, first: int, last: int) -> int:
        """The level of a block; for a short last one the highest that fits; 0 when these units are no block."""
        levels = [level for level in range(1, MOST_LEVEL + 1) if self.block(first, level) == (first, last)]
        return max(levels, default=0)
