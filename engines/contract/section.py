"""A section of a report: a figure, the table below it, and the query that makes both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.chart import Chart


@dataclass(frozen=True)
class Column:
    """A column of a section's table."""

    name: str
    """Key of the rows; the query's column of this name has the same values."""
    title: str
    unit: str = ""
    """``chart.PERCENT`` for shares."""
    low: str = ""
    """Keys of the 95% interval, where there is one: it stands in the same cell."""
    high: str = ""
    signed: bool = False
    """A difference: positive ones have their sign too."""
    none: str = "-"
    """What is told where there is no value."""


@dataclass(frozen=True)
class Section:
    """One thing that runs have found."""

    name: str
    """Tells it from the others of a page; letters, digits and hyphens."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    """JSON values by the names of columns; None where there is none."""
    query: str
    """SQL for ``yamafuda query``: rows with some of these columns, and no others."""
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    """What must be known to read the numbers: how intervals are made, sources, what is not done."""
    runs: tuple[str, ...] = ()
    """Names of the folders of the runs whose rows it is made of."""
    partial: bool = False
    """The query is to take runs that are not finished, too."""
