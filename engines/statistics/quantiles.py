"""The distribution of a measure over items: quantiles with intervals, as a section of a report."""

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

TAKE_MORE = (*range(9900, 1000, -300), *(each * 10**power for power in (2, 1, 0) for each in range(9, 0, -1)))
SHARES = tuple((10_000 - each) / 10_000 for each in TAKE_MORE)
"""Shares of items at or below a quantile; close together near 1, for a logarithmic scale of the rest."""
QUANTILES = "quantiles"
"""The query's column with the list of quantiles for the figure."""
TITLES = {0.5: "median", 0.9: "90% take at most", 0.99: "99% take at most"}
"""Quantiles in tables, with the heads of their columns."""
CURVES_MOST = 6
"""Most curves in one figure."""
NOTE = (
    "95% intervals: of means by the studentized bootstrap, of quantiles by Wilson's interval of their share. "
    "The query gives the numbers without intervals, and the quantiles of the figure."
)


@dataclass(frozen=True)
class Group:
    """The items of one curve and one row."""

    name: str
    key: Mapping[str, Any]
    """Columns that distinguish it from the others."""
    values: Sequence[float]
    """Its values, at least one."""


def quantile_name(share: float) -> str:
    """Such as ``q50``."""
    return f"q{100 * share:g}"


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
    """The distribution of the column ``measure`` in each group.

    ``axis``: that of the values; its scale is logarithmic. ``source`` and ``condition``: parts of the query;
    ``key_sql``: SQL for the columns ``keys``.
    """
    count_name, unit = "items_count", axis.unit
    told, shares = (
        [share for share in known if any(_tells(share, len(each.values)) for each in groups)]
        for known in (TITLES, SHARES)
    )
    columns = [
        *keys,
        Column(count_name, "n"),
        Column("mean", "mean", unit, "mean_low", "mean_high"),
        *(
            Column(name, TITLES[share], unit, f"{name}_low", f"{name}_high")
            for share, name in zip(told, map(quantile_name, told), strict=True)
        ),
        Column("most", "most", unit),
    ]
    made = ", ".join(f"{made} AS {column_sql(key)}" for key, made in key_sql.items())
    quantiles = [f"quantile_cont({column_sql(measure)}, {share}) AS {quantile_name(share)}" for share in told]
    figures = [
        f"count(*) AS {count_name}",
        f"avg({column_sql(measure)}) AS mean",
        *quantiles,
        f"max({column_sql(measure)}) AS most",
        *([f"quantile_cont({column_sql(measure)}, {shares}) AS {QUANTILES}"] if shares else []),
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
        rows=tuple({**each.key, **_row(each.values, count_name, told, shares)} for each in groups),
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


def _tells(share: float, count: int) -> bool:
    """Whether at least one item of ``count`` is expected on each side."""
    return min(share, 1 - share) * count >= 1 - 1e-9


def _varies(values: Sequence[float]) -> bool:
    """Whether there is anything to draw."""
    return len({x for x, _ in _points(values)}) > 1


def _row(
    values: Sequence[float], count_name: str, told: Sequence[float], shares: Sequence[float]
) -> dict[str, Any]:
    low, high = mean_interval(values) or (None, None)
    row: dict[str, Any] = {
        count_name: len(values),
        "mean": math.fsum(values) / len(values),
        "mean_low": low,
        "mean_high": high,
        "most": max(values),
    }
    for share in told:
        found = _quantile(np.asarray(values, np.float64), share)
        name = quantile_name(share)
        row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    if shares:
        row[QUANTILES] = np.quantile(np.asarray(values, np.float64), shares).tolist()
    return row


def _quantile(values: np.ndarray, share: float) -> Value:
    """A quantile with the interval of its share, read off the same values: no shape is assumed."""
    ends = wilson(round(share * len(values)), len(values))
    found, low, high = (float(each) for each in np.quantile(values, [share, *ends]))
    return Value(found, low, high)


def _points(values: Sequence[float]) -> list[tuple[float, Value]]:
    """Points (quantile, share of items above it), both above 0 for logarithms."""
    shares = [share for share in SHARES if _tells(share, len(values))]
    found = np.quantile(np.asarray(values, np.float64), shares).tolist()
    return [
        (value, Value(round(1 - share, 4))) for value, share in zip(found, shares, strict=True) if value > 0
    ]
