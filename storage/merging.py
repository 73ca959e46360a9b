"""Merges several parts of a dataset into one with their current rows; reads and writes some rows at a time."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pyarrow.parquet as pq

from storage.chunks import ROW_GROUP_COUNT, iter_batches
from storage.copies import local
from storage.dataset import (
    TAKEN,
    current_tables,
    dataset_of,
    outcome_counts,
    part_options,
    publish_part,
    taken_of,
)
from storage.place import Place
from storage.publish import staged
from storage.record import file_figures

REQUESTS_COUNT = 8
"""Objects that are fetched at once."""


def merge_parts(
    sources: Sequence[Place], path: Place, staging_dir: Place, taken: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Publish the current rows of ``sources``, in the order of ``index``, as ``path``, unless it is one of them.

    Returns counts of its rows and outcomes, and the ``file_figures``. ``taken``: called at the end for what the
    merging took; what the parts' units took is added up. DiskFullError when there is no room; FileNotFoundError when
    a source is gone.
    """
    if path in sources:
        with pq.ParquetFile(local(path)) as file:
            outcome = file.read(columns=["outcome"])["outcome"]
            return {"rows_count": len(outcome), "outcomes": outcome_counts(outcome)}
    with ThreadPoolExecutor(REQUESTS_COUNT) as pool:
        files = [str(each) for each in pool.map(local, sources)]
    dataset = dataset_of(files)
    units: Counter[str] = Counter()
    for file in files:
        _add(units, taken_of(pq.read_metadata(file)))
    rows_count, outcomes = 0, Counter[str]()
    schema = dataset.schema.with_metadata(
        {key: value for key, value in dataset.schema.metadata.items() if key != TAKEN}
    )
    with staged(path, staging_dir) as temporary:
        with pq.ParquetWriter(temporary, schema, **part_options(schema)) as writer:
            for batch in iter_batches(current_tables(dataset, schema.names)):
                rows_count += len(batch)
                outcomes.update(outcome_counts(batch["outcome"]))
                writer.write_batch(batch.cast(schema), row_group_size=ROW_GROUP_COUNT)
            told = {**taken(), "units": dict(units)}
            writer.add_key_value_metadata({TAKEN.decode(): json.dumps(told)})
        written = publish_part(temporary, path, rows_count)
    figures = {"rows_count": rows_count, "outcomes": dict(sorted(outcomes.items())), "units": dict(units)}
    return figures | file_figures(written)


def _add(units: Counter[str], taken: dict[str, Any]) -> None:
    """Add what a part's unit, or units, took."""
    told = taken.get("units", {"units_count": 1, "elapsed_s": taken.get("elapsed_s", 0.0)})
    for name, value in told.items():
        units[name] += value
