"""Numbers of reports as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.contract.chart import PERCENT, SECONDS
from engines.contract.section import Column

_POWERS = {6: "million", 9: "billion"}


def cell_words(column: Column, row: Mapping[str, Any]) -> tuple[str, str]:
    """A value and its interval as a table shows them; empty without a value."""
    value = row.get(column.name)
    if value is None:
        return column.none, ""
    low, high = (row.get(end) if end else None for end in (column.low, column.high))
    interval = ""
    if low is not None and high is not None:
        interval = f"{number_words(low, column)} to {number_words(high, column)}"
    return number_words(value, column), interval


def number_words(value: Any, column: Column) -> str:
    """A JSON value in a column."""
    if value is None:
        return column.none
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(number_words(each, column) for each in value)
    sign = "+" if column.signed else ""
    if column.unit == PERCENT:
        return f"{100 * value:{sign}.2f}"
    if column.unit == SECONDS and not column.signed:
        return time_words(value)
    if isinstance(value, int):
        return f"{value:{sign},}"
    return f"{value:{sign},.0f}" if abs(value) >= 1000 else f"{value:{sign}.4g}"


def head_words(column: Column) -> str:
    """The head of a column, with its unit unless each cell has its own."""
    title = column.title.replace("_", " ")
    return f"{title}, {column.unit}" if column.unit not in ("", SECONDS) else title


def time_words(seconds: float) -> str:
    """A time in a unit of fitting size."""
    for least, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= least:
            return f"{seconds / least:,.3g} {name}" if seconds < 1000 * least else f"{seconds:,.0f} s"
    return f"{seconds * 1e9:.3g} ns" if seconds else "0 s"


def share_words(value: float) -> str:
    """A share in percent, for a mark of a scale."""
    return f"{100 * value:.6g}"


def power_words(value: float) -> str:
    """A number, for a mark of a logarithmic scale."""
    for power, name in sorted(_POWERS.items(), reverse=True):
        if value >= 10**power:
            return f"{value / 10**power:g} {name}"
    return f"{value:,.6g}"
