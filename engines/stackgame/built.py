"""A finished table of the stack game, for other engines: found by its job, opened as a whole."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np

from engines import _native
from engines.stackgame.rules import State
from engines.stackgame.table import StackgameTable, StackgameTableJob
from engines.tables.finished import FinishedTable
from engines.tables.keyed_files import LayerFiles, naming_files, open_layer
from storage.place import Place


@dataclass(frozen=True)
class BuiltTable:
    """The shard files of a table, all mapped."""

    game: _native.Game
    layers: list[LayerFiles]

    @property
    def readers(self) -> list[_native.LayerReader]:
        """The layers for the core, that of all cards first."""
        return [layer.native for layer in self.layers]

    def naming_files(self) -> AbstractContextManager[None]:
        """Turns the core's error about a damaged block into one that names the file."""
        return naming_files(self.layers[0].paths, {layer.native.layer: layer.paths for layer in self.layers})

    def probability(self, state: State) -> float | None:
        """The value of a state; None when the table has none for it."""
        reader = _native.TableReader(self.game, self.readers)
        with self.naming_files():
            values, _ = reader.lookup_states([(list(state.before), list(state.forbidden))])
        return None if np.isnan(values[0]) else float(values[0])


def find_table(
    tables_dir: Place, job: StackgameTableJob, otherwise: str = ""
) -> FinishedTable[StackgameTable]:
    """The finished table of a job; errors as of ``FinishedTable.need``."""
    return FinishedTable.need(tables_dir, StackgameTable(job), otherwise)


def open_table(tables_dir: Place, job: StackgameTableJob, otherwise: str = "") -> BuiltTable:
    """All layers of the finished table of a job; DamagedFileError names a file that is not right."""
    table = find_table(tables_dir, job, otherwise)
    kernel = table.engine.kernel
    return BuiltTable(kernel, [open_layer(kernel, table.layout, layer) for layer in table.engine.layers()])
