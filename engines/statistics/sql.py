"""The same figures as SQL (DuckDB's), for the queries that reports show."""

from __future__ import annotations

from engines.statistics.intervals import Z


def wilson_sql(count: str, total: str) -> tuple[str, str]:
    """Expressions for the ends of ``intervals.wilson`` of ``count`` in ``total``, which are expressions themselves."""
    z = f"{Z!r}"
    share = f"({count}) / ({total})"
    centre = f"{share} + {z}**2 / (2 * ({total}))"
    half = f"{z} * sqrt({share} * (1 - {share}) / ({total}) + {z}**2 / (4 * ({total})**2))"
    whole = f"(1 + {z}**2 / ({total}))"
    return f"greatest(0, ({centre} - {half}) / {whole})", f"least(1, ({centre} + {half}) / {whole})"


def equal_sql(name: str, value: object) -> str:
    """A condition that holds where a column has a value, also where that is null."""
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


def rows_sql(kind: str, run_names: tuple[str, ...] | None, key: tuple[str, ...] = ()) -> str:
    """What a query reads rows of a kind of job from: all runs, or those of these names.

    ``key``: columns that together name an item; of several runs each counts once, decided rather than open.
    """
    if run_names is None:
        return column_sql(kind)
    if len(run_names) == 1:
        return column_sql(run_names[0])
    rows = " UNION ALL BY NAME ".join(f"FROM {column_sql(name)}" for name in run_names)
    if not key:
        return f"({rows})"
    names = ", ".join(map(column_sql, key))
    return f"(SELECT DISTINCT ON ({names}) * FROM ({rows}) ORDER BY outcome = 'undecided')"
