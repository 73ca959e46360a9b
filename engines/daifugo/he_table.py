"""The table of HE (the paper, section 3.2): how often hands of each class held each item, as a Parquet file.

A hand of 2 to 5 cards has one of 256 classes, by how many cards it has and by what its player has played so far in
the game: 64 * (cards - 2), and 1 for two cards or more of 3 to 7, 2 for an 8, 4 for two or more of 9 to Q, 8 for two or
more of K to 2, 16 for a group, 32 for a sequence. (The paper's threshold is 2 for all these hands.) A hand is counted
each time that it comes down to so many cards. The 15 items are the ranks 3 to 2, two cards of one rank, and three in a
row in one suit; the joker is part of none.

A file has a row for each class, in the order of classes, and these columns, all without nulls except the shares:

    class               uint16   0 to 255
    seen_count          uint64   hands of the class
    rank_3_count        uint64   those of them that held a 3; then rank_4_count, ..., rank_9_count, rank_10_count,
    ...                          rank_J_count, rank_Q_count, rank_K_count, rank_A_count, rank_2_count
    group_count         uint64   those that held two cards of one rank
    sequence_count      uint64   those that held three in a row in one suit
    rank_3_share        double   rank_3_count / seen_count, null for a class that was not seen; then the other 14 in
    ...                          the same order: the occurrence probabilities

Its schema metadata has ``yamafuda.daifugo_he``: a JSON object with ``version`` (1) and ``sources``, a list of objects
with ``player`` (whose hands these are), ``players`` (the five of the games), ``games_count``, ``seed`` and
``engine_version`` (of ``daifugo_learn``).

Tables are added up by their counts (HE/all of the paper). A file to be read needs only the columns ``class`` and
``*_count``, and may have several rows for each class, the same number for all: so the rows of a run of
``daifugo_learn`` are a table, too. Classes that were seen fewer than 10 times keep their own counts here; the core
pools them when it makes worlds: with all classes of the same number of cards, and if none of these was seen, with all
classes.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from engines.daifugo.columns import shared
from storage.columns import column
from storage.dataset import Provenance, dataset_provenance, read_rows
from storage.errors import DamagedFileError, UserError
from storage.layout import RunLayout
from storage.place import Place, place_at
from storage.publish import write_bytes_atomic

RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
ITEMS = (*(f"rank_{rank}" for rank in RANKS), "group", "sequence")
CLASSES_COUNT = 256
SEEN_MIN = 10
"""Number of hands from which on a class is used by itself."""
_HELD = {
    **{f"rank_{rank}": f"{'an' if rank in ('8', 'A') else 'a'} {rank}" for rank in RANKS},
    "group": "two cards of one rank",
    "sequence": "three in a row in one suit",
}
COUNT_COLUMNS = ("seen_count", *(f"{item}_count" for item in ITEMS))
JOB = "daifugo_learn"
"""The job whose runs are tables."""

_KEY = b"yamafuda.daifugo_he"
_VERSION = 1
_COUNT_MAX = 1 << 48
"""Largest count in a file, so that no sum overflows."""

Counts = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Source:
    """Games that were counted."""

    player: str
    """Whose hands."""
    players: tuple[str, ...]
    """The five that played."""
    games_count: int
    seed: int
    engine_version: int


@dataclass(frozen=True)
class HeTable:
    """Counts by class."""

    seen: Counts
    """Hands, shape (256,)."""
    held: Counts
    """Those of them that held an item, shape (256, 15)."""
    sources: tuple[Source, ...] = ()

    def shares(self) -> npt.NDArray[np.float64]:
        """Occurrence probabilities, shape (256, 15); NaN for classes that were not seen."""
        with np.errstate(invalid="ignore"):
            found: npt.NDArray[np.float64] = self.held / self.seen[:, np.newaxis].astype(np.float64)
        return found


def merge(tables: Sequence[HeTable]) -> HeTable:
    """One table of the hands of all (at least one). UserError when the same games of a player are in two of them."""
    # The same games, whatever version counted them.
    sources = Counter(replace(source, engine_version=0) for table in tables for source in table.sources)
    twice = next((source for source, count in sources.items() if count > 1), None)
    if twice is not None:
        raise UserError(
            "--merged",
            f"{twice.games_count} games of {twice.player} (seed {twice.seed}) are in two of the tables",
        )
    return HeTable(
        seen=np.sum([table.seen for table in tables], axis=0, dtype=np.uint64),
        held=np.sum([table.held for table in tables], axis=0, dtype=np.uint64),
        sources=tuple(source for table in tables for source in table.sources),
    )


def count_columns() -> list[pa.Field]:
    """``COUNT_COLUMNS`` with their meanings."""
    return [
        column(
            "seen_count", "uint64", "hands", "Hands of the class, each time one comes down to so many cards."
        ),
        *(
            column(f"{item}_count", "uint64", "hands", f"Hands of the class that held {_HELD[item]}.")
            for item in ITEMS
        ),
    ]


def file_columns() -> pa.Schema:
    """The columns of a file."""
    shares = [
        column(
            f"{item}_share", "float64", "", f"Share of the hands of the class that held {_HELD[item]}.", True
        )
        for item in ITEMS
    ]
    return pa.schema([*shared("class"), *count_columns(), *shares])


def to_rows(table: HeTable) -> pa.Table:
    """The columns of the file."""
    shares = table.shares()
    columns = [
        pa.array(range(CLASSES_COUNT), pa.uint16()),
        pa.array(table.seen, pa.uint64()),
        *(pa.array(table.held[:, place]) for place in range(len(ITEMS))),
        *(pa.array(shares[:, place], from_pandas=True) for place in range(len(ITEMS))),
    ]
    about = {"version": _VERSION, "sources": [asdict(source) for source in table.sources]}
    metadata = {_KEY: json.dumps(about, sort_keys=True).encode()}
    return pa.table(columns, schema=file_columns().with_metadata(metadata))


def save(path: Place, table: HeTable) -> None:
    """Write or replace a file; the same table is the same bytes. UserError when the folder is not there."""
    if not path.parent.is_dir():
        raise UserError(str(path), "its folder is not there")
    buffer = io.BytesIO()
    pq.write_table(to_rows(table), buffer, compression="zstd")
    write_bytes_atomic(path, buffer.getvalue())


def load(path: Place | str, player: str | None = None) -> HeTable:
    """The table of a file, or of the folder of a finished run of ``daifugo_learn``.

    ``player``: of a run with several the one whose hands count; all if not given. UserError that names the file or
    folder and what is wrong with it.
    """
    where = place_at(path) if isinstance(path, str) else path
    if where.is_dir():
        return _load_run(where, player)
    if not where.exists():
        raise UserError(str(path), "there is no such table: a Parquet file, or the folder of a run of " + JOB)
    if player is not None:
        raise UserError(str(path), f"is a file; only a run has players to choose from ({player!r})")
    try:
        # Read in one piece: a table is small, and its path is not that of a dataset.
        rows = pq.ParquetFile(where).read()
    except (OSError, ValueError, pa.ArrowException) as error:
        raise DamagedFileError(str(path), f"is no readable Parquet file: {_line(error)}") from error
    return replace(sum_rows(str(path), rows), sources=_sources(str(path), rows.schema.metadata or {}))


def _load_run(folder: Place, player: str | None) -> HeTable:
    layout = RunLayout(folder)
    if not layout.plan.is_file():
        raise UserError(str(folder), "is neither a table nor the folder of a run")
    if not layout.manifest.is_file():
        raise UserError(str(folder), "this run is not finished; run its command again")
    provenance = dataset_provenance(folder)
    if provenance.job.get("name") != JOB:
        raise UserError(str(folder), f"is a run of {provenance.job.get('name')}; tables are runs of {JOB}")
    # Runs of the engine's first version call the player so.
    column = "player" if provenance.engine_version == 1 else "player_name"
    rows = read_rows(folder, [column, "class", *COUNT_COLUMNS])
    there = sorted(pc.unique(rows[column]).to_pylist())
    if player is not None:
        rows = rows.filter(pc.equal(rows[column], player))
        if not rows.num_rows:
            raise UserError(str(folder), f"has no player {player!r}; there are: {', '.join(there)}")
    chosen = there if player is None else [player]
    sources = tuple(_source(provenance, each) for each in chosen)
    return replace(sum_rows(str(folder), rows), sources=sources)


def _source(provenance: Provenance, player: str) -> Source:
    job = provenance.job
    return Source(player, tuple(job["players"]), job["games"], job["seed"], provenance.engine_version)


def sum_rows(path: str, rows: pa.Table) -> HeTable:
    """The table of rows with the columns ``class`` and ``*_count``; UserError that names ``path`` and the column."""
    classes = _whole(path, rows, "class", CLASSES_COUNT - 1)
    times = np.bincount(classes, minlength=CLASSES_COUNT)
    if not len(classes) or (times != times[0]).any():
        raise UserError(
            path,
            f"has {len(classes)} rows, {times.min()} to {times.max()} of a class; "
            f"a table has all {CLASSES_COUNT} classes equally often",
        )
    sums = np.zeros((CLASSES_COUNT, len(COUNT_COLUMNS)), np.int64)
    for place, name in enumerate(COUNT_COLUMNS):
        counts = _whole(path, rows, name, _COUNT_MAX)
        np.add.at(sums[:, place], classes, counts)
        more = np.flatnonzero(sums[:, place] > sums[:, 0])
        if len(more):
            raise UserError(path, f"class {more[0]}: {name} is more than seen_count")
    if not sums.any():
        raise UserError(path, "no hand was ever seen")
    return HeTable(sums[:, 0].astype(np.uint64), sums[:, 1:].astype(np.uint64))


def _whole(path: str, rows: pa.Table, name: str, most: int) -> npt.NDArray[np.int64]:
    """A column of whole numbers from 0 to ``most``."""
    if rows.column_names.count(name) != 1:
        wrong = "is there twice" if name in rows.column_names else "is missing"
        raise UserError(path, f"column {name} {wrong}; a table has class, {', '.join(COUNT_COLUMNS)}")
    column = rows[name]
    if not pa.types.is_integer(column.type) or column.null_count:
        nulls = f" with {column.null_count} nulls" if column.null_count else ""
        raise UserError(path, f"column {name}: must be whole numbers; it is {column.type}{nulls}")
    low, high = pc.min_max(column).as_py().values() if len(column) else (0, 0)
    if low < 0 or high > most:
        raise UserError(path, f"column {name}: {low if low < 0 else high} is not in 0..{most}")
    values: npt.NDArray[np.int64] = column.cast(pa.int64()).to_numpy()
    return values


def _sources(path: str, metadata: dict[bytes, bytes]) -> tuple[Source, ...]:
    """None for a file that something else wrote."""
    if _KEY not in metadata:
        return ()
    try:
        about = json.loads(metadata[_KEY])
        if type(about["version"]) is not int:
            raise TypeError(f"version {json.dumps(about['version'])}")
        if about["version"] > _VERSION:
            raise DamagedFileError(
                path, f"version {about['version']} is newer than this yamafuda's {_VERSION}"
            )
        return tuple(_read_source(each) for each in about["sources"])
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedFileError(path, f"its metadata cannot be read: {_line(error)}") from error


def _read_source(values: dict[str, Any]) -> Source:
    """TypeError when a value has a wrong type."""
    if not isinstance(values["players"], list):
        raise TypeError(f"not a source: {json.dumps(values)}")
    source = Source(**{**values, "players": tuple(values["players"])})
    texts, numbers = (
        (source.player, *source.players),
        (source.games_count, source.seed, source.engine_version),
    )
    if not all(isinstance(text, str) for text in texts) or not all(type(number) is int for number in numbers):
        raise TypeError(f"not a source: {json.dumps(values)}")
    return source


def _line(error: Exception) -> str:
    return " ".join(str(error).split())
