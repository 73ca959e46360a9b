"""The columns of the Parquet files of jobs; one name has one type, one unit and one meaning in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.contract.options import options_of
from engines.contract.registry import engine_class, job_names
from storage.columns import MEANING, UNIT, column

if TYPE_CHECKING:
    import pyarrow as pa

    from engines.contract.engine import Engine


def option_columns(kind: type) -> list[pa.Field]:
    """The columns for those options of a dataclass that rows have."""
    return [
        column(each.name, each.column, each.unit, each.help, bool(each.none))
        for each in options_of(kind)
        if each.column
    ]


def columns_of(job_name: str) -> pa.Schema:
    """The columns of the rows in ``data/`` of a job's runs, the common ones first.

    Each field's metadata has ``unit`` and ``meaning``. UserError when there is no such job.
    """
    return _engine(job_name).all_columns()


def export_columns_of(job_name: str) -> pa.Schema:
    """The columns of the files that ``yamafuda export`` makes from a job's runs; none if it makes no files."""
    return _engine(job_name).export_columns()


def all_columns() -> dict[str, pa.Field]:
    """The columns of all jobs of all games, by name.

    ValueError for a name that two of them use differently (type, unit, meaning, nulls), or that has no meaning.
    """
    found: dict[str, tuple[pa.Field, str]] = {}
    for job in job_names():
        for field in (*columns_of(job), *export_columns_of(job)):
            if not (field.metadata or {}).get(MEANING):
                raise ValueError(f"column {field.name} of {job} has no meaning")
            known, other = found.setdefault(field.name, (field, job))
            if not known.equals(field, check_metadata=True):
                raise ValueError(
                    f"column {field.name}: {_described(field)} in {job}, {_described(known)} in {other}"
                )
    return {name: field for name, (field, _) in found.items()}


def _described(field: pa.Field) -> str:
    nulls = ", may be null" if field.nullable else ""
    return f"{field.type} [{field.metadata[UNIT].decode()}] {field.metadata[MEANING].decode()!r}{nulls}"


def _engine(job_name: str) -> Engine:
    """An engine with the job's defaults: columns depend only on the kind of job."""
    found = engine_class(job_name)
    return found(found.job_type(name=job_name))
