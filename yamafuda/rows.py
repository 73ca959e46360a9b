"""Rows as Python gets them: Arrow, on its way to pandas, Polars, DuckDB or whatever else reads Arrow."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from storage.errors import UserError
from yamafuda.html import table_html

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

SHOWN_COUNT = 10
"""Of a long table so many rows are shown, half of them from each end."""


class Rows:
    """A table of results.

    Libraries that read Arrow take it as it is: ``polars.DataFrame(rows)``, ``pyarrow.table(rows)``, or in DuckDB
    ``SELECT * FROM rows``.
    """

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def to_arrow(self) -> pa.Table:
        """As ``pyarrow.Table``; nothing is copied."""
        return self._table

    def to_pandas(self, **options: Any) -> pd.DataFrame:
        """As a pandas DataFrame; ``options`` are those of ``pyarrow.Table.to_pandas``. UserError without pandas."""
        _need("pandas")
        found: pd.DataFrame = self._table.to_pandas(**options)
        return found

    def to_polars(self) -> pl.DataFrame:
        """As a Polars DataFrame; UserError without Polars."""
        _need("polars")
        import polars as pl

        return pl.DataFrame(self._table)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dict for each row."""
        found: list[dict[str, Any]] = self._table.to_pylist()
        return found

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        names: list[str] = self._table.column_names
        return names

    def __getitem__(self, column: str) -> pa.ChunkedArray:
        """A column by name; KeyError when there is none."""
        return self._table[column]

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<{len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """Its first and last rows, as notebooks show them."""
        ends, gap = [self._table], None
        if len(self) > SHOWN_COUNT:
            half = SHOWN_COUNT // 2
            ends = [self._table.slice(0, half), self._table.slice(len(self) - half)]
            gap = half, len(self) - SHOWN_COUNT
        cells = [list(row.values()) for end in ends for row in end.to_pylist()]
        return table_html(self.columns, cells, f"{len(self):,} rows", gap)


def _need(library: str) -> None:
    try:
        import_module(library)
    except ModuleNotFoundError as error:
        raise UserError(f"to_{library}", f"needs {error.name}: pip install {library}") from error
