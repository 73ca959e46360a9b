"""The columns of views: those that a job's rows have today, whatever its runs have in their files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engines.contract.columns import columns_of
from engines.contract.engine import Engine
from engines.contract.sweep import Sweep
from pipeline.query.fence import identifier

if TYPE_CHECKING:
    import pyarrow as pa

_TYPES = {
    "bool": "BOOLEAN",
    "int8": "TINYINT",
    "int16": "SMALLINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "uint8": "UTINYINT",
    "uint16": "USMALLINT",
    "uint32": "UINTEGER",
    "uint64": "UBIGINT",
    "float": "FLOAT",
    "double": "DOUBLE",
    "string": "VARCHAR",
}


@dataclass(frozen=True)
class Columns:
    """Of one kind of job."""

    types: Mapping[str, str] = field(default_factory=dict)
    """Name -> type in SQL, in the order of the rows; none of a kind that no game has."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Name -> name in old runs."""

    def select(self, found: Mapping[str, str]) -> str:
        """What to SELECT of files that have the columns ``found`` (name -> type); others of theirs follow."""
        sources = {name: name if name in found else self.renamed.get(name, name) for name in self.types}
        told = [
            f"{_cast(sources[name], found.get(sources[name]), kind)} AS {identifier(name)}"
            for name, kind in self.types.items()
        ]
        used = set(sources.values())
        return ", ".join([*told, *(identifier(name) for name in found if name not in used)])

    def nothing(self) -> str:
        """A SELECT of no rows."""
        return f"SELECT {self.select({}) or 'NULL AS run_id'} WHERE false"


def columns_of_kind(kind: str, engine: type[Engine]) -> Columns:
    """The columns of a kind of job."""
    types = {each.name: sql_type(each.type) for each in columns_of(kind)}
    return Columns(types, engine.renamed if issubclass(engine, Sweep) else {})


def _cast(source: str, found: str | None, wanted: str) -> str:
    value = "NULL" if found is None else identifier(source)
    return value if found == wanted else f"CAST({value} AS {wanted})"


def sql_type(kind: pa.DataType) -> str:
    """What DuckDB calls a type of Arrow's."""
    import pyarrow as pa

    return f"{sql_type(kind.value_type)}[]" if pa.types.is_list(kind) else _TYPES[str(kind)]
