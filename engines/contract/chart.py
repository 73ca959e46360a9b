"""Figures of reports as data: values, places, units, intervals and sources. Drawing code knows no game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PERCENT = "%"
"""Unit of shares: values are between 0 and 1, and are shown in percent."""
SECONDS = "s"
"""Unit of times, which are shown in a unit of fitting size."""


@dataclass(frozen=True)
class Axis:
    """A scale."""

    title: str
    unit: str = ""
    log: bool = False
    """Powers of ten are as far apart as any others; values are above 0."""


@dataclass(frozen=True)
class Value:
    """A number with its 95% interval."""

    value: float
    low: float | None = None
    high: float | None = None
    most: float | None = None
    """The value if all open items came out one way; ``value`` has them the other way."""

    @classmethod
    def of(cls, row: Mapping[str, Any], name: str) -> Value | None:
        """From the keys NAME, NAME_low and NAME_high, as far as they are there; None without a value."""
        value = row.get(name)
        return None if value is None else cls(value, row.get(f"{name}_low"), row.get(f"{name}_high"))


@dataclass(frozen=True)
class Dots:
    """Values beside names, several series of them."""

    scale: Axis
    names: tuple[str, ...]
    series: tuple[DotSeries, ...]


@dataclass(frozen=True)
class DotSeries:
    """A value, or none, for each name."""

    name: str
    values: tuple[Value | None, ...]
    published: bool = False
    """Whether it is published by others; it is drawn as a reference for ours."""


@dataclass(frozen=True)
class Curves:
    """Values over a scale."""

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Curve:
    """Points from left to right, joined by lines; published ones follow ours, in the same order."""

    name: str
    points: tuple[tuple[float, Value], ...]
    published: bool = False
    joined: bool = True
    """Whether the points are joined by lines."""


@dataclass(frozen=True)
class Parts:
    """Compositions: for each whole number on a scale, shares that add up to 1."""

    x: Axis
    y: Axis
    places: tuple[int, ...]
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Part:
    """A share for each place."""

    name: str
    shares: tuple[float, ...]


Chart = Dots | Curves | Parts
