"""A finished table of the stack game as other engines read it: found by its job, opened as a whole."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engines import _native
from engines.contract.job import job_words, run_id
from engines.stackgame.rules import State
from engines.stackgame.table import StackgameTable, StackgameTableJob
from engines.tables.keyed_files import LayerFiles, naming_files, open_layer
from storage.errors import UserError
from storage.layout import RunLayout
from storage.manifest import read_manifest
from storage.record import verify_file


@dataclass(frozen=True)
class BuiltTable:
    """The shard files of a table, all mapped."""

    game: _native.Game
    layers: list[LayerFiles]

    @property
    def readers(self) -> list[_native.LayerReader]:
        """For the core, all cards first."""
        return [layer.native for layer in self.layers]

    def naming_files(self) -> AbstractContextManager[None]:
        """Turns what the core says of a damaged block into an error that names the file."""
        return naming_files(self.layers[0].paths, {layer.native.layer: layer.paths for layer in self.layers})

    def probability(self, state: State) -> float | None:
        """The value of a state; None when the table has none for it."""
        reader = _native.TableReader(self.game, self.readers)
        with self.naming_files():
            values, _ = reader.lookup_states([(list(state.before), list(state.forbidden))])
        return None if np.isnan(values[0]) else float(values[0])


def find_table(tables_dir: Path, job: StackgameTableJob, otherwise: str = "") -> RunLayout:
    """Where the finished table of a job is; UserError that tells how to build it when it is not below ``tables_dir``.

    ``otherwise``: what else can be done then. Its summary must be the one that it was finished with.
    """
    layout = RunLayout(tables_dir / run_id(job, StackgameTable.version))
    if not layout.manifest.exists():
        estimate = StackgameTable(job).estimate()
        raise UserError(
            str(layout.run_dir),
            f"the table is not there or not finished; build it with: yamafuda run {job_words(job)} "
            f"(about {_duration(estimate.core_s)} of one core){otherwise}",
        )
    record = read_manifest(layout.run_dir).record(layout.run_dir, layout.summary)
    verify_file(layout.summary, record)
    return layout


def open_table(tables_dir: Path, job: StackgameTableJob, otherwise: str = "") -> BuiltTable:
    """The finished table of a job; UserError as ``find_table``, DamagedFileError names a file that is not right."""
    layout, table = find_table(tables_dir, job, otherwise), StackgameTable(job)
    return BuiltTable(table.kernel, [open_layer(table.kernel, layout, layer) for layer in table.layers()])


def _duration(seconds: float) -> str:
    """In one unit."""
    for unit, size in (("hours", 3600), ("minutes", 60)):
        if seconds >= size:
            return f"{seconds / size:.2g} {unit}"
    return f"{max(1, round(seconds))} s"
