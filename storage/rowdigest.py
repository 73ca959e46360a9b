"""The content digest of a Parquet dataset: the same for the same rows, however they are cut into files.

Not over file bytes, which change with writers and compression, but over the sorted rows in a form of their
own (storage/FORMAT.md has the definition).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from storage.chunks import iter_batches
from storage.dataset import dataset_provenance, iter_rows
from storage.place import Place

_HEADER = b"yamafuda rows 1\n"


def content_digest(run_dir: Place | str) -> str:
    """Digest of the current rows of a run without the columns marked volatile: 64 hexadecimal digits.

    Errors as from ``storage.dataset.open_dataset``; ValueError for a column of a type without a definition.
    """
    volatile = dataset_provenance(run_dir).volatile
    return _digest(
        table.select([name for name in table.column_names if name not in volatile])
        for table in iter_rows(run_dir)
    )


def rows_digest(table: pa.Table) -> str:
    """Digest of rows in the order given; columns are identified by name, not by position."""
    return _digest([table])


def _digest(tables: Iterable[pa.Table]) -> str:
    """Digest of the rows of tables with the same columns, one table at least."""
    sorted_tables = (table.select(sorted(table.column_names)) for table in tables)
    first = next(sorted_tables)
    columns = [[field.name, _type_name(field.type)] for field in first.schema]
    digest = hashlib.sha256(_HEADER)
    digest.update(json.dumps(columns, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
    rows_count = 0
    for batch in iter_batches(chain([first], sorted_tables)):
        rows_count += len(batch)
        for column in batch.columns:
            _add(digest.update, column)
    digest.update(np.array([rows_count], "<u8").tobytes())
    return digest.hexdigest()


def _add(update: Callable[[bytes], None], array: pa.Array) -> None:
    """Validity, then lengths where they vary, then the bytes of the values."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    update(_little(pc.is_valid(array)))
    if _is_text(array.type):
        filled = pc.fill_null(array.cast(pa.large_binary()), b"")
        update(_little(pc.binary_length(filled)))
        update(_text_bytes(filled))
    elif _is_list(array.type):
        lengths = pc.if_else(pc.is_valid(array), pc.list_value_length(array), 0)
        update(_little(lengths.cast(pa.int64())))
        _add(update, array.flatten())
    else:
        update(_little(pc.fill_null(array, False if pa.types.is_boolean(array.type) else 0)))


def _text_bytes(array: pa.Array) -> bytes:
    """All values of a large_binary array without nulls, one after another."""
    if not len(array):
        return b""
    _, offsets, data = array.buffers()
    edges = np.frombuffer(offsets, np.int64)[array.offset : array.offset + len(array) + 1]
    return bytes(memoryview(data)[edges[0] : edges[-1]]) if data is not None else b""


def _little(array: pa.Array) -> bytes:
    values: Any = array.to_numpy(zero_copy_only=False)
    data: bytes = values.astype(values.dtype.newbyteorder("<")).tobytes()
    return data


def _type_name(kind: pa.DataType) -> str:
    """Name of a type in the digest; the encoding of values and the width of offsets make no difference."""
    if pa.types.is_dictionary(kind):
        return _type_name(kind.value_type)
    if _is_list(kind):
        return f"list<{_type_name(kind.value_type)}>"
    if _is_text(kind):
        return "binary" if "binary" in str(kind) else "string"
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
        return str(kind)
    raise ValueError(f"a column of type {kind} has no place in a content digest")


def _is_text(kind: pa.DataType) -> bool:
    return any(
        test(kind)
        for test in (
            pa.types.is_string,
            pa.types.is_large_string,
            pa.types.is_binary,
            pa.types.is_large_binary,
        )
    )


def _is_list(kind: pa.DataType) -> bool:
    return any(test(kind) for test in (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list))
