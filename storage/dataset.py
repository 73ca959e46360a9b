"""Parquet datasets: one immutable file for each unit and attempt, below RUN/data.

Any reader of Parquet takes them as they are: the part of a later attempt has all rows of its unit and replaces the
earlier one. Meanwhile, and in runs of earlier versions, an item (``index``) may be in several parts. Then its rows of
the highest attempt are taken, here (``read_rows``) and in SQL (``current_rows_sql``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as pads
import pyarrow.fs as pafs
import pyarrow.parquet as pq

from storage.arrow import location
from storage.chunks import ROW_GROUP_COUNT, chunks, index_ranges
from storage.copies import local
from storage.errors import DamagedFileError, UserError
from storage.layout import part_of
from storage.parts import live_names
from storage.place import Place, place_at
from storage.publish import publish, staged
from storage.record import FileRecord, make_file_record

SCHEMA_VERSION = 1
#: Columns that may differ between two runs of one job.
VOLATILE_COLUMNS = ("elapsed_s", "peak_bytes", "attempt", "host")

TAKEN = b"yamafuda.taken"


@dataclass(frozen=True)
class Provenance:
    """Where rows come from; stored in the schema metadata of every part."""

    run_id: str
    engine_version: int
    job: Mapping[str, Any]
    """The job's configuration as JSON values."""
    volatile: tuple[str, ...] = VOLATILE_COLUMNS
    """Columns that ``content_digest`` leaves out."""

    def metadata(self) -> dict[bytes, bytes]:
        """As Parquet key-value metadata (storage/FORMAT.md lists the keys)."""
        values = {
            "yamafuda.schema_version": SCHEMA_VERSION,
            "yamafuda.run_id": self.run_id,
            "yamafuda.engine_version": self.engine_version,
            "yamafuda.job": self.job,
            "yamafuda.volatile": list(self.volatile),
        }
        return {
            key.encode(): (value if isinstance(value, str) else json.dumps(value, sort_keys=True)).encode()
            for key, value in values.items()
        }


def write_part(
    path: Place,
    staging_dir: Place,
    rows: pa.Table | pa.RecordBatch,
    provenance: Provenance,
    taken: Mapping[str, Any] | None = None,
) -> FileRecord | None:
    """Publish the rows of one unit and attempt as ``path``; None when another writer was first.

    ``taken``: time and the like that the unit took, for its record in case the driver loses it.
    ``rows`` need the columns run_id, attempt and index; these and all that are not nullable must be without nulls, else
    ValueError. DiskFullError when there is no room.
    """
    table = pa.Table.from_batches([rows]) if isinstance(rows, pa.RecordBatch) else rows
    _check_rows(table)
    with staged(path, staging_dir) as temporary:
        pq.write_table(
            table.replace_schema_metadata(provenance.metadata() | _taken_metadata(taken)),
            temporary,
            row_group_size=ROW_GROUP_COUNT,
            **part_options(table.schema),
        )
        return publish_part(temporary, path, len(table))


def publish_part(temporary: Path, path: Place, rows_count: int) -> FileRecord | None:
    """``publish`` a part; returns the record of its file, made without reading it, or None when another writer was
    first."""
    record = make_file_record(temporary, rows_count)
    return replace(record, name=path.name) if publish(temporary, path) else None


def part_options(schema: pa.Schema) -> dict[str, Any]:
    """How columns are encoded, for Arrow's writer."""
    integers = [field.name for field in schema if pa.types.is_integer(field.type)]
    return {
        "compression": "zstd",
        "use_dictionary": [field.name for field in schema if pa.types.is_string(field.type)],
        "column_encoding": dict.fromkeys(integers, "DELTA_BINARY_PACKED"),
    }


def _taken_metadata(taken: Mapping[str, Any] | None) -> dict[bytes, bytes]:
    return {} if taken is None else {TAKEN: json.dumps(taken).encode()}


def taken_of(file: pq.FileMetaData) -> dict[str, Any]:
    """The ``taken`` that ``write_part`` was given; empty in parts of earlier versions."""
    try:
        found: dict[str, Any] = json.loads((file.metadata or {})[TAKEN])
    except (KeyError, ValueError):
        return {}
    return found


def _check_rows(table: pa.Table) -> None:
    needed = ("run_id", "attempt", "index")
    for name in needed:
        if name not in table.column_names:
            raise ValueError(f"rows: column {name} is missing")
    for field in table.schema:
        if (field.name in needed or not field.nullable) and table[field.name].null_count:
            raise ValueError(f"rows: column {field.name} has nulls")


def open_part(path: Place) -> pq.ParquetFile:
    """A part, to be closed or entered."""
    return pq.ParquetFile(local(path))


def part_paths(run_dir: Place | str) -> list[str]:
    """The parts of a run in the order of their names, as paths in its file system; without parts that another one
    covers."""
    filesystem, base = _location(run_dir)
    selector = pafs.FileSelector(f"{base}/data", allow_not_found=True)
    try:
        found = filesystem.get_file_info(selector)
    except NotADirectoryError:
        raise DamagedFileError(f"{base}/data", "is a file where a folder should be") from None
    names = live_names(info.base_name for info in found if info.base_name.endswith(".parquet"))
    return [f"{base}/data/{name}" for name in sorted(names)]


def open_dataset(run_dir: Place | str) -> pads.Dataset:
    """All parts of a run, all attempts, as one dataset with the columns of all of them.

    ``run_dir``: a folder, or a URL of an object store. The schema's metadata is that of the last part.
    UserError when there is no part; DamagedFileError for a part that is unreadable, newer, or of another run.
    """
    filesystem, _ = _location(run_dir)
    paths = part_paths(run_dir)
    if not paths:
        raise UserError(str(run_dir), "has no Parquet files below data/")
    schemas = [_read_schema(filesystem, path) for path in paths]
    if len({schema.metadata[b"yamafuda.run_id"] for schema in schemas}) > 1:
        raise DamagedFileError(str(run_dir), "its data/ has parts of more than one run")
    return _dataset(paths, schemas, filesystem)


def dataset_of(files: Sequence[str]) -> pads.Dataset:
    """Parts of one run, files of this machine, as ``open_dataset`` gives all of them."""
    filesystem = pafs.LocalFileSystem()
    return _dataset(files, [_read_schema(filesystem, path) for path in files], filesystem)


def _dataset(paths: Sequence[str], schemas: Sequence[pa.Schema], filesystem: pafs.FileSystem) -> pads.Dataset:
    schema = pa.unify_schemas(schemas).with_metadata(schemas[-1].metadata)
    return pads.dataset(paths, schema=schema, format="parquet", filesystem=filesystem)


def read_rows(run_dir: Place | str, columns: Sequence[str] | None = None) -> pa.Table:
    """The current rows of a run in the order of ``index``: for each item those of its highest attempt, as written.

    ``columns``: names to read, all by default. Errors as from ``open_dataset``.
    """
    return pa.concat_tables(iter_rows(run_dir, columns))


def iter_rows(run_dir: Place | str, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """The rows of ``read_rows`` in tables of a few hundred thousand, at least one table. No item is in two of them,
    unless it has more rows than a row group."""
    dataset = open_dataset(run_dir)
    return current_tables(dataset, list(columns) if columns is not None else dataset.schema.names)


def current_tables(
    dataset: pads.Dataset, wanted: list[str], least_rows_count: int = ROW_GROUP_COUNT
) -> Iterator[pa.Table]:
    """The current rows of a dataset in tables of about so many rows; larger only where parts have items in common."""
    for chunk in chunks(dataset, least_rows_count):
        if any(_is_later(path) for path in chunk.files):
            names = list(dict.fromkeys([*wanted, "index", "attempt", "__filename"]))
            yield current_rows(chunk.to_table(columns=names)).select(wanted)
        else:
            table = chunk.to_table(columns=list(dict.fromkeys([*wanted, "index"])))
            yield table.take(pc.sort_indices(table, sort_keys=[("index", "ascending")])).select(wanted)


def outcome_counts(outcome: pa.Array | pa.ChunkedArray) -> dict[str, int]:
    """The number of rows with each outcome; rows without one are not counted."""
    return {entry["values"]: entry["counts"] for entry in pc.value_counts(outcome.drop_null()).to_pylist()}


def read_parts(paths: Sequence[Place], items: tuple[int, int] | None = None) -> pa.Table:
    """The current rows of some parts of one unit, with all columns. FileNotFoundError when one is gone.

    ``items``: one of them may have others, too; those from the first number to before the second are read.
    """
    files = [_read_part(path, items) for path in paths]
    named = [
        table.append_column("__filename", pa.array([path.name] * len(table), pa.string()))
        for path, table in zip(paths, files, strict=True)
    ]
    return current_rows(pa.concat_tables(named, promote_options="default")).drop_columns("__filename")


def _read_part(path: Place, items: tuple[int, int] | None) -> pa.Table:
    """All rows of a part, or those of ``items`` (ascending); only the row groups needed are read."""
    with open_part(path) as file:
        if items is None:
            return file.read()
        first, last = items
        groups = [
            number
            for number, (least, most) in enumerate(index_ranges(file.metadata))
            if least < last and first <= most
        ]
        rows = file.read_row_groups(groups)
    return rows.filter((pc.field("index") >= first) & (pc.field("index") < last))


def current_rows(table: pa.Table) -> pa.Table:
    """For each item the rows of its highest attempt, from one file (``__filename``), in the order of ``index``."""
    if len(table) == 0:
        return table
    keys = [("index", "ascending"), ("attempt", "descending"), ("__filename", "ascending")]
    # The sort is stable: an item's rows of one attempt keep the order that they have in their part.
    table = table.take(pc.sort_indices(table, sort_keys=keys))
    index, attempt = table["index"].to_numpy(), table["attempt"].to_numpy()
    number = table["__filename"].dictionary_encode().unify_dictionaries().combine_chunks().indices.to_numpy()
    begins = np.concatenate([[True], index[1:] != index[:-1]])
    item = np.cumsum(begins) - 1
    return table.filter(pa.array((attempt == attempt[begins][item]) & (number == number[begins][item])))


def _is_later(path: str) -> bool:
    """Whether a file is a part of a later attempt than the first."""
    part = part_of(path.rpartition("/")[2])
    return part is not None and part[1] > 1


def current_rows_sql(*places: str) -> str:
    """A DuckDB query over parts (paths, globs or URLs) for each item's rows of its highest attempt, from one file."""
    quoted = ", ".join("'" + place.replace("'", "''") + "'" for place in places)
    return (
        f"SELECT * EXCLUDE filename FROM read_parquet([{quoted}], union_by_name = true, filename = true) "
        'QUALIFY row(attempt, filename) = max(row(attempt, filename)) OVER (PARTITION BY run_id, "index")'
    )


def dataset_provenance(run_dir: Place | str) -> Provenance:
    """Provenance of a run's last part. Errors as from ``open_dataset``."""
    return _provenance(open_dataset(run_dir).schema)


def _provenance(schema: pa.Schema) -> Provenance:
    metadata = schema.metadata
    return Provenance(
        metadata[b"yamafuda.run_id"].decode(),
        int(metadata[b"yamafuda.engine_version"]),
        json.loads(metadata[b"yamafuda.job"]),
        tuple(json.loads(metadata[b"yamafuda.volatile"])),
    )


def _read_schema(filesystem: pafs.FileSystem, path: str) -> pa.Schema:
    try:
        schema = pq.read_schema(path, filesystem=filesystem)
    except (OSError, pa.ArrowException) as error:
        raise DamagedFileError(path, f"is no readable Parquet file: {error}") from error
    try:
        version = int(schema.metadata[b"yamafuda.schema_version"])
        _provenance(schema)
    except (KeyError, TypeError, ValueError):
        raise DamagedFileError(path, "has no yamafuda metadata") from None
    if version > SCHEMA_VERSION:
        raise DamagedFileError(
            path, f"schema version {version} is newer than this yamafuda's {SCHEMA_VERSION}"
        )
    return schema


def _location(root: Place | str) -> tuple[pafs.FileSystem, str]:
    """File system and path of a folder or URL."""
    return location(place_at(root) if isinstance(root, str) else root)
