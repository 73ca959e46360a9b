"""A column of a Parquet file: besides name and type its unit and meaning, which travel in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if (
    TYPE_CHECKING
):  # pyarrow takes a fifth of a second to import, and what declares columns is imported by all commands
    import pyarrow as pa

UNIT, MEANING = b"unit", b"meaning"
"""Keys of a field's metadata."""


def column(name: str, kind: str | pa.DataType, unit: str, meaning: str, nullable: bool = False) -> pa.Field:
    """A field of a schema.

    ``kind``: an Arrow type, or its alias (``uint8``, ``string``). ``unit``: what the numbers count or are measured in;
    empty for texts, and for numbers of things. ``meaning``: a phrase or a sentence.
    """
    import pyarrow as pa

    data_type = pa.type_for_alias(kind) if isinstance(kind, str) else kind
    return pa.field(name, data_type, nullable, {UNIT: unit.encode(), MEANING: meaning.encode()})


@dataclass(frozen=True)
class Vocabulary:
    """Columns that several schemas have, each said once."""

    told: Mapping[str, tuple[Any, ...]]
    """Name -> what ``column`` is told besides."""

    def __call__(self, *names: str) -> list[pa.Field]:
        """These columns."""
        return [column(name, *self.told[name]) for name in names]
