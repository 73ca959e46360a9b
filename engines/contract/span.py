"""Which items two runs share: the jobs must differ only in the range of items."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Span:
    """Fields of a job that say which items it has, and change nothing in an item."""

    count: str
    """The number of items; a value that is not a number means all items of the plan."""
    first: str | None = None
    """The number of the first one; without the field it is 0."""
    beside: tuple[str, ...] = ()
    """Fields that change only what is written beside an item's result: texts, the path of a file."""
    item: tuple[str, ...] = ("index",)
    """Columns that together identify an item in every run."""

    def fields(self) -> tuple[str, ...]:
        """All fields in which jobs with common items may differ."""
        return (self.count, *((self.first,) if self.first else ()), *self.beside)

    def numbers(self, job: Mapping[str, Any], items_count: int) -> range:
        """The numbers of a job's items, in the unit of ``count``; ``items_count`` is the plan's."""
        first = job.get(self.first, 0) if self.first else 0
        count = job.get(self.count)
        if isinstance(count, bool) or not isinstance(count, int):
            count = items_count
        return range(first, first + count)


def family(job: Mapping[str, Any], span: Span | None, later: Mapping[str, Any]) -> str:
    """A key that is equal for two jobs (values as in plan.json) if they must find the same for an item.

    ``later``: values of fields that old plans lack. Without a span only equal jobs have the same items.
    """
    told = {**later, **job}
    for name in span.fields() if span else ():
        told.pop(name, None)
    return json.dumps(told, sort_keys=True)
