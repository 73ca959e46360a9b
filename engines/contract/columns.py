"""What the Parquet files of jobs have as columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engines.contract.registry import engine_class
from engines.contract.sweep import Sweep

if TYPE_CHECKING:
    import pyarrow as pa


def columns_of(job_name: str) -> pa.Schema:
    """The columns of the rows in ``data/`` of a job's runs, the common ones first."""
    import pyarrow as pa

    from storage.dataset import common_columns

    found = engine_class(job_name)
    engine = found(found.job_type(name=job_name))
    own = engine.columns() if isinstance(engine, Sweep) else pa.schema([])
    return pa.unify_schemas([common_columns(), own])
