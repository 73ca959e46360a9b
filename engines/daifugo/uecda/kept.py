"""Games of a meeting that are over, in files of a run that is not: a run that was stopped goes on behind them."""

from __future__ import annotations

import time

import pyarrow as pa
import pyarrow.parquet as pq

from engines.daifugo.rules import PLAYERS
from storage.errors import DamagedFileError
from storage.place import Place
from storage.publish import write_bytes_atomic

KEEP_S = 1.0
"""Games are written down when this has passed, or the first one after it is over."""


class Kept:
    """Rows of games in a row, from the first one on. A file has some of them: ``games-FIRST.parquet``."""

    def __init__(self, folder: Place) -> None:
        """What is there already is read."""
        self._folder = folder
        self._pending: list[pa.RecordBatch] = []
        self._since_s = time.monotonic()
        self.batches = _read(self._folder)
        """All of them, by games."""
        self.games_count = sum(map(_games_in, self.batches))

    def add(self, batch: pa.RecordBatch) -> None:
        """Keep the next games."""
        self.batches.append(batch)
        self.games_count += _games_in(batch)
        self._pending.append(batch)
        if time.monotonic() - self._since_s >= KEEP_S:
            self.write()

    def write(self) -> None:
        """Write down those that are not yet."""
        if not self._pending:
            return
        count = sum(map(_games_in, self._pending))
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_batches(self._pending), sink)
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / _name(self.games_count - count)
        write_bytes_atomic(path, sink.getvalue().to_pybytes())
        self._pending, self._since_s = [], time.monotonic()

    def ranks(self) -> list[int] | None:
        """The players by rank after the last game; None without one."""
        if not self.batches:
            return None
        ranks = self.batches[-1]["rank"][-PLAYERS:].to_pylist()
        return sorted(range(PLAYERS), key=ranks.__getitem__)


def _read(folder: Place) -> list[pa.RecordBatch]:
    """UserError where a file is damaged."""
    found: list[pa.RecordBatch] = []
    count = 0
    while (path := folder / _name(count)).is_file():
        try:
            table = pq.read_table(pa.BufferReader(path.read_bytes()))
        except pa.ArrowException as error:
            raise DamagedFileError(str(path), f"cannot be read ({error})") from None
        (batch,) = table.combine_chunks().to_batches()
        found.append(batch)
        count += _games_in(batch)
    return found


def _games_in(batch: pa.RecordBatch) -> int:
    return len(batch) // PLAYERS


def _name(first: int) -> str:
    return f"games-{first}.parquet"
