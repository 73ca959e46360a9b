"""The same figures in DuckDB's SQL, for the queries that reports show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines.statistics.intervals import Z


def wilson_sql(count: str, total: str) -> tuple[str, str]:
    """Expressions for both ends of ``intervals.wilson``; ``count`` and ``total`` are expressions, too."""
    z = f"{Z!r}"
    share = f"({count}) / ({total})"
    centre = f"{share} + {z}**2 / (2 * ({total}))"
    half = f"{z} * sqrt({share} * (1 - {share}) / ({total}) + {z}**2 / (4 * ({total})**2))"
    whole = f"(1 + {z}**2 / ({total}))"
    return f"greatest(0, ({centre} - {half}) / {whole})", f"least(1, ({centre} + {half}) / {whole})"


def share_sql(name: str, count: str, total: str, most: str = "") -> str:
    """Columns NAME, NAME_low and NAME_high: a share with its interval; with ``most`` the upper end is that of
    ``most``."""
    low, _ = wilson_sql(count, total)
    _, high = wilson_sql(most or count, total)
    return f"{count} / {total} AS {name},\n    {low} AS {name}_low,\n    {high} AS {name}_high"


def equal_sql(name: str, value: object) -> str:
    """A condition that a column has a value; the value may be null."""
    return f"{column_sql(name)} IS NOT DISTINCT FROM {literal_sql(value)}"


def column_sql(name: str) -> str:
    """A name as SQL has it."""
    return '"' + name.replace('"', '""') + '"'


def literal_sql(value: object) -> str:
    """A value as SQL has it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


@dataclass(frozen=True)
class RunRows:
    """The rows of a run that are used."""

    name: str
    """Name of its folder."""
    items_count: int | None = None
    """The number of items before the first missing one; None for all."""

    def sql(self) -> str:
        """The query's source of these rows, without a name."""
        before = "" if self.items_count is None else f' WHERE "index" < {self.items_count}'
        return f"FROM {column_sql(self.name)}{before}"


def rows_sql(kind: str, runs: Sequence[RunRows] | None, key: Sequence[str] = ()) -> str:
    """The query's source of rows of a kind of job: all runs, or chosen ones.

    ``key``: columns that together identify an item; an item in several runs counts once, decided rather than open.
    """
    if runs is None:
        return column_sql(kind)
    told = sorted({each.name: each.sql() for each in runs}.values())
    if len(told) == 1:
        whole = all(each.items_count is None for each in runs)
        return told[0].removeprefix("FROM ") if whole else f"({told[0]})"
    rows = " UNION ALL BY NAME ".join(f"({each})" for each in told)
    if not key:
        return f"({rows})"
    names = ", ".join(map(column_sql, key))
    return f"(SELECT DISTINCT ON ({names}) * FROM ({rows}) ORDER BY outcome = 'undecided')"
