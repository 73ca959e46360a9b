"""The columns of views: those that a job's rows have today, whatever its runs have in their files."""

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
    """Name -> type in SQL, in the order of the rows; none of a kind that no game has."""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Name -> name in old runs."""

    def select(self, found: Mapping[str, str]) -> str:
        """What to SELECT of files that have the columns ``found`` (name -> type); others of theirs follow."""
        told, used = [], set[str]()
        for name, kind in self.types.items():
            sources = [each for each in self._sources(name, found) if each in found]
            used.update(sources)
            told.append(f"{_value(sources, found, kind)} AS {identifier(name)}")
        return ", ".join([*told, *(identifier(name) for name in found if name not in used)])

    def _sources(self, name: str, found: Mapping[str, str]) -> list[str]:
        """What a column may be called in files that have the columns ``found``."""
        old = self.renamed.get(name, name)
        # An old name that means something else today is no source where there is the new one.
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
    """What DuckDB calls a type of Arrow's."""
    import pyarrow as pa

    return f"{sql_type(kind.value_type)}[]" if pa.types.is_list(kind) else _TYPES[str(kind)]
