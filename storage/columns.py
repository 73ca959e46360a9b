"""A column of a Parquet file: name and type, and its unit and meaning, which are stored in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

# pyarrow takes a fifth of a second to import, and all commands import modules that declare columns.
if TYPE_CHECKING:
    import pyarrow as pa

UNIT, MEANING = b"unit", b"meaning"
"""Keys of a field's metadata."""


def column(name: str, kind: str | pa.DataType, unit: str, meaning: str, nullable: bool = False) -> pa.Field:
    """A field of a schema.

    ``kind``: an Arrow type, or its alias (``uint8``, ``string``). ``unit``: what the numbers count or are measured
    in; empty for texts, and for plain counts. ``meaning``: a phrase or a sentence.
    """
    import pyarrow as pa

    data_type = pa.type_for_alias(kind) if isinstance(kind, str) else kind
    return pa.field(name, data_type, nullable, {UNIT: unit.encode(), MEANING: meaning.encode()})


def common_columns() -> pa.Schema:
    """The columns that come first in every part, before the engine's own."""
    import pyarrow as pa

    return pa.schema(
        [
            column("run_id", "string", "", "The run."),
            column(
                "attempt", "int32", "", "Attempt that computed the row, from 1; an item's highest counts."
            ),
            column("seed", "uint64", "", "Seed of the job; null where there is none.", nullable=True),
            column("index", "uint64", "", "Number of the item in its run, from 0; in a table, of the row."),
            column(
                "outcome",
                "string",
                "",
                "won, lost or undecided; null where none of them applies.",
                nullable=True,
            ),
            column("elapsed_s", "float64", "s", "Time that the row took to compute.", nullable=True),
            column("host", "string", "", "Machine that computed the row.", nullable=True),
        ]
    )


@dataclass(frozen=True)
class Vocabulary:
    """Columns that several schemas share, each declared once."""

    told: Mapping[str, tuple[Any, ...]]
    """Name -> the further arguments of ``column``."""

    def __call__(self, *names: str) -> list[pa.Field]:
        """These columns."""
        return [column(name, *self.told[name]) for name in names]
