"""Values of columns as people read them: their units are in their names."""

from __future__ import annotations

from typing import Any

from yamafuda.words import size, time_words

UNITS = {"s": time_words, "bytes": size}
"""Ending of a column's name -> the text of its numbers, with the unit."""
_COUNT = "count"


def head_words(column: str) -> str:
    """The name of a column without its unit, which each value has."""
    name, _, unit = column.rpartition("_")
    return (name if name and unit in (*UNITS, _COUNT) else column).replace("_", " ")


def cell_words(value: Any, column: str) -> str:
    """A value of a column; empty where there is none."""
    unit = column.rpartition("_")[2]
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float() if unit in UNITS:
            return UNITS[unit](value)
        case int() if unit == _COUNT:
            return f"{value:,}"
        case float():
            return f"{value:.4g}"
    return str(value)
