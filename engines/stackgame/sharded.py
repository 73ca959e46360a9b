"""The probability of a state from a built table; only the shards that are needed are opened."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from engines import _native
from engines.contract.job import LayerPlan
from engines.stackgame.chains import fewest_chains
from engines.stackgame.computed import Keys, keys_of
from engines.stackgame.rules import State
from engines.stackgame.table import StackgameTable, make_game
from engines.tables.keyed_files import naming_files, shard_bounds
from storage.jsontext import parse_json
from storage.layout import RunLayout, run_folders
from storage.manifest import read_manifest
from storage.place import Place
from storage.record import verify_file
from storage.shardfile import open_shard

JOB = "stackgame_table"


class ShardedTable:
    """The shard files of a finished table run, opened as they are asked for."""

    def __init__(self, run_dir: Place, plan: dict[str, Any]) -> None:
        self._layout = RunLayout(run_dir)
        self._manifest = read_manifest(run_dir)
        # The plan says which game it is and where keys are: a wrong one would lead to wrong answers.
        verify_file(self._layout.plan, self._manifest.record(run_dir, self._layout.plan))
        job = plan["job"]
        self.game = make_game(job["stacks"], job["boards"], job["cards"], job["form"])
        self.source = f"table {run_dir.name}"
        self._value_type: str = plan["value_type"]
        self._layers = {layer["layer"]: LayerPlan(**layer) for layer in plan["layers"]}

    def values(self, states: list[State]) -> list[float] | None:
        """As for ``Evaluator``; DamagedFileError names a file that is not as it was written."""
        layer = states[0].cards_count
        if layer == 0:
            return [1.0] * len(states)
        keys = keys_of(self.game, states)
        blocks, paths = self._blocks(self._layers[layer], keys)
        with naming_files(paths):
            values, codes = _native.LayerReader(self.game, layer, blocks).lookup(keys)
        if codes.any():
            return None
        if self._value_type == "float32":
            # Shows the digits that were stored, without false ones from the wider type.
            return [float(str(np.float32(value))) for value in values]
        return [float(value) for value in values]

    def _blocks(self, layer: LayerPlan, keys: Keys) -> tuple[list[npt.NDArray[np.uint8]], list[Place]]:
        """The blocks of the shards where ``keys`` are, and the file of each."""
        bounds = shard_bounds(layer, self.game.count(layer.layer))
        # What has no rank is in no shard, as the last one will say.
        shards = {min(bisect_right(bounds, key), layer.shards_count) - 1 for key in integers(keys)}
        blocks: list[npt.NDArray[np.uint8]] = []
        paths: list[Place] = []
        for number in sorted(shards):
            path = self._layout.shard(layer.layer, number)
            with open_shard(path, self._manifest.record(self._layout.run_dir, path)) as shard:
                blocks += [block for _, block in shard.blocks()]
            paths += [path] * (len(blocks) - len(paths))
        return blocks, paths


def finished_tables(tables_dir: Place) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Folders and plans of finished tables that this version reads."""
    for run_dir in run_folders([tables_dir]):
        layout = RunLayout(run_dir)
        plan = _plan(layout)
        if plan is not None and layout.manifest.is_file():
            yield run_dir, plan


def built_tables(tables_dir: Place, state: State) -> Iterator[ShardedTable]:
    """Finished tables that may have a state: exact values first, then the smaller tables."""
    boards = len(fewest_chains(state))
    found = []
    for run_dir, plan in finished_tables(tables_dir):
        job = plan["job"]
        if (
            job["stacks"] == state.stacks
            and job["boards"] >= boards
            and job["boards"] * job["cards"] >= state.cards_count
        ):
            found.append((plan["value_type"] != "float64", job["boards"] * job["cards"], run_dir, plan))
    for *_, run_dir, plan in sorted(found, key=lambda each: each[:3]):
        yield ShardedTable(run_dir, plan)


def _plan(layout: RunLayout) -> dict[str, Any] | None:
    """The plan of a run; None when it isn't a table whose keys this version makes."""
    try:
        plan: dict[str, Any] = parse_json(layout.plan.read_bytes())
        ours = plan["job"]["name"] == JOB and plan["engine_version"] == StackgameTable.version
        numbers = plan["value_type"], *(plan["job"][name] for name in ("stacks", "boards", "cards"))
        ours = ours and [type(number) for number in numbers] == [str, int, int, int]
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a run of another kind, or being removed, is no reason to give no answer
    return plan if ours else None


def integers(keys: Keys) -> list[int]:
    """Keys as integers: of shape (N,), or (N, 4) with the most significant word first."""
    rows = keys.reshape(len(keys), -1).astype(">u8")
    return [int.from_bytes(row.tobytes(), "big") for row in rows]
