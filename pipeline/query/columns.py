"""The columns of views: those that rows of a job have today, whatever columns the files of its runs have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engines.contract.columns import columns_of
from engines.contract.engine import Engine
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
    """Name -> type in SQL, in the order of the rows; empty for a kind of job that no game has."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Name -> name in old runs."""

    def select(self, found: Mapping[str, str]) -> str:
        """What to SELECT from files with the columns ``found`` (name -> type); columns that are not in the
        schema come last."""
        told, used = [], set[str]()
        for name, kind in self.types.items():
            sources = [each for each in self._sources(name, found) if each in found]
            used.update(sources)
            told.append(f"{_value(sources, found, kind)} AS {identifier(name)}")
        return ", ".join([*told, *(identifier(name) for name in found if name not in used)])

    def _sources(self, name: str, found: Mapping[str, str]) -> list[str]:
        """The names that a column may have in files with the columns ``found``."""
        old = self.renamed.get(name, name)
        # An old name that means something else today is not a source where the new one exists.
        return [name] if old == name or (old in self.types and name in found) else [name, old]

    def nothing(self) -> str:
        """A SELECT of no rows."""
        return f"SELECT {self.select({}) or 'NULL AS run_id'} WHERE false"


def columns_of_kind(kind: str, engine: type[Engine]) -> Columns:
    """The columns of a kind of job."""
    types = {each.name: sql_type(each.type) for each in columns_of(kind)}
    return Columns(types, engine.renamed)


def _value(sources: Sequence[str], found: Mapping[str, str], kind: str) -> str:
    """The first of some columns that is not null, as a value of this type."""
    casts = [
        identifier(each) if found[each] == kind else f"CAST({identifier(each)} AS {kind})" for each in sources
    ]
    return (
        f"coalesce({', '.join(casts)})" if len(casts) > 1 else casts[0] if casts else f"CAST(NULL AS {kind})"
    )


def sql_type(kind: pa.DataType) -> str:
    """DuckDB's name for a type of Arrow."""
    import pyarrow as pa

    return f"{sql_type(kind.value_type)}[]" if pa.types.is_list(kind) else _TYPES[str(kind)]
