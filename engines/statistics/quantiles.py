"""How a measure is spread over items: quantiles with intervals, as a section of a report."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engines.contract.chart import PERCENT, Axis, Curve, Curves, Value
from engines.contract.section import Column, Section
from engines.statistics.bootstrap import mean_interval
from engines.statistics.intervals import wilson
from engines.statistics.sql import column_sql

SHARES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999)
"""Of items that have no more."""
TOLD = ("q50", "q90", "q99")
"""Quantiles that tables have."""
CURVES_MOST = 6
"""That one figure has room for."""
NOTE = (
    "95% intervals: of means by the studentized bootstrap, of quantiles by Wilson's interval of their share. "
    "The query gives the numbers without intervals."
)


@dataclass(frozen=True)
class Group:
    """The items of one curve and row."""

    name: str
    key: Mapping[str, Any]
    """Columns that tell it from the others."""
    values: Sequence[float]
    """At least one."""


def quantile_name(share: float) -> str:
    """Such as ``q50`` or ``q99_9``."""
    return "q" + f"{100 * share:.6g}".replace(".", "_")


def quantile_section(
    name: str,
    title: str,
    measure: str,
    axis: Axis,
    groups: Sequence[Group],
    keys: Sequence[Column],
    source: str,
    condition: str,
    *,
    key_sql: Mapping[str, str],
    runs: Sequence[str],
    partial: bool = False,
) -> Section:
    """How the column ``measure`` is spread in each group.

    ``axis``: of the values; its scale is one of logarithms. ``source`` and ``condition``: of the query; ``key_sql``:
    how it makes the columns ``keys``.
    """
    count_name, unit = "items_count", axis.unit
    shares = [share for share in SHARES if any(_tells(share, len(each.values)) for each in groups)]
    columns = [
        *keys,
        Column(count_name, "n"),
        Column("mean", "mean", unit, "mean_low", "mean_high"),
        *(
            Column(each, _QUANTILE_TITLES[each], unit, f"{each}_low", f"{each}_high")
            for each in map(quantile_name, shares)
            if each in TOLD
        ),
        Column("most", "most", unit),
    ]
    made = ", ".join(f"{made} AS {column_sql(key)}" for key, made in key_sql.items())
    told = [share for share in shares if quantile_name(share) in TOLD]
    quantiles = [f"quantile_cont({column_sql(measure)}, {share}) AS {quantile_name(share)}" for share in told]
    figures = [
        f"count(*) AS {count_name}",
        f"avg({column_sql(measure)}) AS mean",
        *quantiles,
        f"max({column_sql(measure)}) AS most",
    ]
    query = (
        f"SELECT {', '.join(filter(None, [made, *figures]))}\nFROM {source}\nWHERE {condition}\n"
        + ("GROUP BY ALL ORDER BY ALL" if key_sql else "")
    ).strip()
    drawn = groups[:CURVES_MOST]
    left_out = f"The figure has the first {CURVES_MOST} of {len(groups)} rows."
    return Section(
        name=name,
        title=title,
        columns=tuple(columns),
        rows=tuple({**each.key, **_row(each.values, count_name, told)} for each in groups),
        query=query,
        chart=Curves(
            replace(axis, log=True),
            Axis("share that takes more", PERCENT, log=True),
            tuple(Curve(each.name, tuple(_points(each.values))) for each in drawn),
        )
        if any(_varies(each.values) for each in drawn)
        else None,
        notes=(NOTE, *([left_out] if len(groups) > CURVES_MOST else [])),
        runs=tuple(runs),
        partial=partial,
    )


_QUANTILE_TITLES = {"q50": "median", "q90": "90% take at most", "q99": "99% take at most"}


def _tells(share: float, count: int) -> bool:
    """Whether at least one item of ``count`` is expected on either side."""
    return min(share, 1 - share) * count >= 1 - 1e-9


def _varies(values: Sequence[float]) -> bool:
    """Whether there is anything to draw."""
    return len({x for x, _ in _points(values)}) > 1


def _row(values: Sequence[float], count_name: str, shares: Sequence[float]) -> dict[str, Any]:
    low, high = mean_interval(values) or (None, None)
    row: dict[str, Any] = {
        count_name: len(values),
        "mean": math.fsum(values) / len(values),
        "mean_low": low,
        "mean_high": high,
        "most": max(values),
    }
    for share in shares:
        found = _quantile(np.asarray(values, np.float64), share)
        name = quantile_name(share)
        row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    return row


def _quantile(values: np.ndarray, share: float) -> Value:
    """With the interval of its share, read off the same values: no shape is assumed."""
    ends = wilson(round(share * len(values)), len(values))
    found, low, high = (float(each) for each in np.quantile(values, [share, *ends]))
    return Value(found, low, high)


def _points(values: Sequence[float]) -> list[tuple[float, Value]]:
    """From quantile to share of items that take more, both above 0, as logarithms need."""
    all_values = np.asarray(values, np.float64)
    found = []
    for share in SHARES:
        if _tells(share, len(all_values)):
            value = float(np.quantile(all_values, share))
            if value > 0:
                found.append((value, Value(1 - share)))
    return found
