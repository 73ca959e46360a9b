"""Scales of figures: their titles with units, and marks as people write numbers."""

from __future__ import annotations

import math
from typing import Any

from engines.contract.chart import PERCENT, SECONDS, Axis
from pipeline.report.numbers import power_words, share_words, time_words

WIDE_LEAST = 500
"""Pixels from which on a drawing has room for more marks."""


def set_scale(axis: Any, told: Axis, values: list[float]) -> None:
    """Title with unit, and marks as people write numbers."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    by_share, by_time = told.unit == PERCENT, told.unit == SECONDS
    with_unit = bool(told.unit) and not by_time and told.unit not in told.title
    axis.set_label_text(f"{told.title}, {told.unit}" if with_unit else told.title)
    words = share_words if by_share else time_words if by_time else power_words if told.log else _plain
    axis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
    if told.log:
        getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
        powers = math.log10(max(values, default=1)) - math.log10(min(values, default=1))
        axis.set_major_locator(LogLocator(10, subs=(1.0,) if powers > 1.5 else (1.0, 2.0, 5.0), numticks=12))
        axis.set_major_formatter(FuncFormatter(lambda value, _: words(value)))
        axis.set_minor_formatter(NullFormatter())
    else:
        whole = not by_share and all(float(value).is_integer() for value in values)
        axis.set_major_locator(MaxNLocator(nbins=_marks_count(axis), integer=whole, steps=[1, 2, 2.5, 5, 10]))


def _marks_count(axis: Any) -> int:
    """As many as there is room for."""
    width = axis.axes.figure.get_size_inches()[0] * 96
    return 4 if width < WIDE_LEAST and axis.axis_name == "x" else 8


def _plain(value: float) -> str:
    return f"{value:,.6g}"


def mark_words(axis: Any, ends: tuple[float, float]) -> list[str]:
    """The texts at the marks of a scale."""
    words = axis.get_major_formatter()
    return [words(mark) for mark in axis.get_majorticklocs() if ends[0] <= mark <= ends[1]]
