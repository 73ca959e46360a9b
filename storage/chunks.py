"""A dataset of parts, cut into groups of rows that are read together: so more rows than fit into memory are read in
order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.dataset as pads
import pyarrow.parquet as pq

#: Point queries read one row group: small enough to be quick, large enough to pack well.
ROW_GROUP_COUNT = 122_880


def chunks(dataset: pads.Dataset, least_rows_count: int) -> Iterator[pads.Dataset]:
    """Row groups in the order of ``index``, about so many rows in each dataset; at least one dataset.

    An item is in two of them only if one file has it and its rows go on in that file's next row group.
    """
    files = list(dataset.get_fragments())
    pieces: list[_Piece] = []
    for place, file in enumerate(files):
        metadata = file.metadata
        for number, (least, most) in enumerate(index_ranges(metadata)):
            pieces.append(_Piece(least, most, place, number, metadata.row_group(number).num_rows))
    pieces.sort(key=lambda piece: (piece.least, piece.file, piece.number))
    for chunk in _cut(pieces, least_rows_count):
        numbers: dict[int, list[int]] = {}
        for piece in chunk:
            numbers.setdefault(piece.file, []).append(piece.number)
        groups = [files[place].subset(row_group_ids=each) for place, each in sorted(numbers.items())]
        yield pads.FileSystemDataset(groups, dataset.schema, dataset.format, dataset.filesystem)
    if not pieces:
        yield dataset


def index_ranges(metadata: pq.FileMetaData) -> Iterator[tuple[int, int]]:
    """The least and the greatest ``index`` of each row group of a part, as far as its file says."""
    column = metadata.schema.names.index("index")
    for number in range(metadata.num_row_groups):
        statistics = metadata.row_group(number).column(column).statistics
        known = statistics is not None and statistics.has_min_max
        yield (statistics.min, statistics.max) if known else (0, 1 << 64)


def iter_batches(tables: Iterable[pa.Table]) -> Iterator[pa.RecordBatch]:
    """Rows of tables in batches of exactly ROW_GROUP_COUNT rows, the last one shorter."""
    rest: pa.Table | None = None
    for table in tables:
        rest = table if rest is None else pa.concat_tables([rest, table])
        while len(rest) >= ROW_GROUP_COUNT:
            yield _batch(rest.slice(0, ROW_GROUP_COUNT))
            rest = rest.slice(ROW_GROUP_COUNT)
    if rest is not None and len(rest):
        yield _batch(rest)


def _batch(table: pa.Table) -> pa.RecordBatch:
    return table.combine_chunks().to_batches()[0]


@dataclass(frozen=True)
class _Piece:
    """A row group."""

    least: int
    most: int
    file: int
    number: int
    rows_count: int


def _cut(pieces: Sequence[_Piece], least_rows_count: int) -> Iterator[list[_Piece]]:
    """Cut ascending row groups at about so many rows."""
    chunk: list[_Piece] = []
    rows_count = 0
    for place, piece in enumerate(pieces):
        if rows_count >= least_rows_count:
            reaching = [other for other in chunk if other.most >= piece.least]
            # Cut before an item that no earlier part has, or inside one file that goes on alone.
            if not reaching or _files(reaching, pieces, place) == {piece.file}:
                yield chunk
                chunk, rows_count = [], 0
        chunk.append(piece)
        rows_count += piece.rows_count
    if chunk:
        yield chunk


def _files(reaching: Iterable[_Piece], pieces: Sequence[_Piece], place: int) -> set[int]:
    """The files that have the first item of the piece at ``place``, of those before it and those that begin there."""
    found = {piece.file for piece in reaching}
    least = pieces[place].least
    while place < len(pieces) and pieces[place].least == least:
        found.add(pieces[place].file)
        place += 1
    return found
