"""Answers of games as pages show them: values of plays as a table, the rest in the game's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_PLAYS = "plays"
"""Values of all plays: a dict for each play, or such lists by player."""
_HEADS = {"score_se": "standard error", "score_mean": "mean score"}
_LEFT_OUT = ("cpu_s", "elapsed_s")
"""Values that the words below give already."""


@dataclass(frozen=True)
class Table:
    """The table of one player's plays."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[bool]
    """Whether a column has numbers."""


def shown(told: Mapping[str, Any]) -> dict[str, Any]:
    """An answer for its template."""
    values = told["values"]
    return {**told, "tables": list(_tables(values.get(_PLAYS)))}


def _tables(plays: Any) -> Iterator[Table]:
    named = plays if isinstance(plays, Mapping) else {"": plays}
    for title, rows in named.items():
        if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
            yield _table(str(title), rows)


def _table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    names = list(dict.fromkeys(name for row in rows for name in row))
    names = [
        name for name in names if name not in _LEFT_OUT and any(row.get(name) is not None for row in rows)
    ]
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    numeric = [all(isinstance(row.get(name), int | float | None) for row in rows) for name in names]
    return Table(title, [_head(name) for name in names], cells, numeric)


def _head(name: str) -> str:
    return _HEADS.get(name, name.removesuffix("_count").replace("_", " "))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return " ".join(map(_cell, value))
    return str(value)
