"""A section of a report: a figure, the table below it, and the query behind both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.chart import Chart


@dataclass(frozen=True)
class Column:
    """A column of a section's table."""

    name: str
    """Key in the rows; the query's column of this name has the same values."""
    title: str
    unit: str = ""
    """``chart.PERCENT`` for shares."""
    low: str = ""
    """Keys of the 95% interval, if there is one: it is shown in the same cell."""
    high: str = ""
    signed: bool = False
    """Whether it is a difference: positive ones get a plus sign."""
    none: str = "-"
    """The text where there is no value."""


@dataclass(frozen=True)
class Section:
    """One result of runs."""

    name: str
    """Its id, unique on a page; letters, digits and hyphens."""
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Mapping[str, Any], ...]
    """JSON values by the names of columns; None where there is none."""
    query: str
    """SQL for ``yamafuda query``: rows with some of these columns, and no others."""
    chart: Chart | None = None
    notes: tuple[str, ...] = ()
    """Notes that are needed to read the numbers: how intervals are made, sources, what is missing."""
    runs: tuple[str, ...] = ()
    """Names of the folders of the runs behind it."""
    partial: bool = False
    """Whether the query includes runs that are not finished."""
