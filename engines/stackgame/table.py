"""``job=stackgame_table``: the success probability of every state of the stack game (Tanaka, sections 3.1 and 3.2)."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engines import _native
from engines.contract.job import Estimate, Job, LayerPlan, UnitContext
from engines.contract.options import option
from engines.contract.vocabulary import shared
from engines.stackgame import rules
from engines.tables.columns import keyed_figures
from engines.tables.keyed import KeyedTable
from engines.tables.keyed_files import decode, naming_files
from storage.columns import column
from storage.errors import UserError
from storage.layout import RunLayout
from storage.shardfile import open_shard

if TYPE_CHECKING:  # pyarrow takes a fifth of a second to import, and asking for a probability does without it
    import pyarrow as pa


@dataclass
class StackgameJob(Job):
    """Fields that all jobs of the stack game share."""

    stacks: int = 3
    boards: int = 2
    cards: int = 8
    """Cards of each board."""
    value_type: str = option(
        "float32",
        "How the table's probabilities are stored; they are computed in float64 either way.",
        choices=("float32", "float64"),
    )


@dataclass
class StackgameTableJob(StackgameJob):
    """Fields of ``conf/job/stackgame_table.yaml``."""

    form: str = option(
        "auto",
        "For one and two boards: indexed, values at the rank of a state, without keys; general, the general canonical "
        "form, as a second, independent way.",
        choices=("auto", "general", "indexed"),
    )

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        make_game(self.stacks, self.boards, self.cards, self.form)


@functools.lru_cache(maxsize=4)
def make_game(stacks: int, boards: int, cards: int, form: str = "auto") -> _native.Game:
    """The game in the native core; UserError naming the job's field when it is out of range."""
    for name, value in (("stacks", stacks), ("boards", boards), ("cards", cards)):
        if not 0 <= value < 1 << 32:  # what the core cannot even be asked
            raise UserError(f"job.{name}", f"{value} is {'too large' if value > 0 else 'not at least 1'}")
    try:
        return _native.Game(stacks, boards, cards, form)
    except ValueError as error:
        name, _, reason = str(error).partition(": ")
        raise UserError(f"job.{name}", reason) from None


#: A shard of this many states is a few seconds of work; smaller layers are still cut for a few workers.
SHARD_STATES = 4_000_000
SMALL_LAYER_STATES = 20_000
LEAST_SHARDS = 4
#: With a block's header and what LMDB puts before it, 32 pages of 4-byte values, or 64 of 8-byte ones.
INDEXED_BLOCK_STATES = 32_752
INDEXED = "indexed"


class StackgameTable(KeyedTable):
    """The stack game's table."""

    version: ClassVar[int] = 1
    job_type: ClassVar[type[Job]] = StackgameTableJob
    job: StackgameTableJob

    def columns(self) -> pa.Schema:
        """The job's values and figures of the shard."""
        import pyarrow as pa

        return pa.schema(
            [
                *shared("stacks"),
                column("boards", "uint8", "boards", "Number of boards."),
                *shared("cards"),
                column("value_type", "string", "", "How probabilities are stored: float32 or float64."),
                column(
                    "form",
                    "string",
                    "",
                    "Canonical form; auto: the one for so many boards, general, or indexed.",
                ),
                *keyed_figures(),
            ]
        )

    @property
    def kernel(self) -> _native.Game:
        """The game; one or two boards have one-word keys, more boards (or ``form=general``) wide ones."""
        return make_game(self.job.stacks, self.job.boards, self.job.cards, self.job.form)

    def keys_count(self, layer: LayerPlan) -> int | None:
        """Of indexed tables."""
        return self.kernel.count(layer.layer)

    def block_states(self) -> int:
        """Of indexed tables, so many that values fill whole pages."""
        return INDEXED_BLOCK_STATES if self.job.form == INDEXED else super().block_states()

    def value_type(self) -> str:
        """As configured."""
        return self.job.value_type

    def layers(self) -> list[LayerPlan]:
        """From all cards down to one; shards by the expected number of states."""
        return self._layers

    @functools.cached_property
    def _layers(self) -> list[LayerPlan]:
        return [
            LayerPlan(layer, self._shards_count(layer), self.kernel.key_bits(layer))
            for layer in range(self.job.boards * self.job.cards, 0, -1)
        ]

    def _shards_count(self, layer: int) -> int:
        expected = self.expected_states(layer)
        if expected < SMALL_LAYER_STATES or layer == self.job.boards * self.job.cards:
            return 1  # the first layer is one state, whatever is expected
        count = max(LEAST_SHARDS, math.ceil(expected / SHARD_STATES))
        return int(1 << (count - 1).bit_length())

    def expected_states(self, layer: int) -> float:
        """A rough count of a layer's states (within a factor of ten), from which shard counts follow.

        It is exact for tables without keys.

        For two boards: valid states grow by a fitted power of the cards, and of those with more cards than a board has,
        fewer and fewer are reached. For more boards: a bell curve whose area follows the growth of the paper's tables.
        """
        job = self.job
        known = self.kernel.count(layer)
        if known is not None:
            return known
        if job.boards == 1:
            return sum(math.comb(job.cards, count) for count in range(1, job.stacks + 1))
        if job.boards == 2:
            valid = (1.715 + 0.125 * job.stacks) * layer + 1.5 * job.stacks - 4.3
            over = max(layer - job.cards, -2)
            slope = max(0.5, 1.4 - 0.14 * job.cards + 0.3 * job.stacks)
            curve = max(0.1, 0.33 - 0.016 * job.cards + 0.05 * job.stacks)
            return math.exp2(max(0.0, valid - 0.25 * job.cards - 0.3 - slope * over - curve * over * over))
        growth = {3: 4.0, 4: 5.4}[job.boards] * (1 + 0.12 * (job.stacks - 3))
        middle = job.boards * job.cards * 0.55
        width = max(1.0, job.boards * job.cards * 0.17)
        bell = math.exp(-((layer - middle) ** 2) / width**2) / (width * math.sqrt(math.pi))
        return max(1.0, math.exp2(growth * job.cards - 2) * bell)

    def unit_work(self, kind: str, layer: LayerPlan) -> float:
        """Work from the expected number of states; most of it is their evaluation."""
        return WORK[kind] * self.expected_states(layer.layer) / layer.shards_count + WORK_LEAST

    def estimate(self) -> Estimate:
        """By the states of the whole table, which grow with the cards as in the tables of the paper."""
        job = self.job
        if job.boards == 1:
            states = float(sum(math.comb(job.cards, count) for count in range(1, job.stacks + 1)))
        else:
            slope, more_slope, start, more_start = GROWTH[job.boards]
            more = job.stacks - 3
            states = math.exp2((slope + more_slope * more) * job.cards + start + more_start * more)
        layers = self.layers()
        state_bytes = 4.0 if job.value_type == "float32" else 8.0
        if job.form == INDEXED:
            states = float(sum(self.kernel.count(layer.layer) or 0 for layer in layers))
        else:
            state_bytes += layers[len(layers) // 2].key_bits / 8
        units = sum(len(self.units(kind, layer)) for kind, layer in self.phases())
        rate = STATES_A_S[self.kernel.words == 1]
        return Estimate(
            round(states),
            round(states * state_bytes * FILES_SHARE) + units * UNIT_BYTES,
            states / rate + units * UNIT_S,
        )

    def verify(self, ctx: UnitContext, sample_count: int) -> list[str]:
        """Also evaluates a few states of each layer by the referee, which shares no code with the core."""
        problems = super().verify(ctx, sample_count)
        if not problems:
            for layer, below in itertools.pairwise(self.layers()):
                problems += referee_check(self, layer, below, ctx, REFEREE_STATES)
        return problems

    def export_columns(self) -> pa.Schema:
        """A row for each state."""
        from engines.stackgame.export import SCHEMA

        return SCHEMA

    def export(self, ctx: UnitContext, out_dir: Path) -> list[Path]:
        """One Parquet file for each layer and shard: states with their text and probability."""
        from engines.stackgame.export import export_table

        return export_table(self.kernel, self.layers(), ctx.run_dir, out_dir)

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """The job's numbers with the table's figures."""
        job = self.job
        return {"stacks": job.stacks, "boards": job.boards, "cards": job.cards} | super().summary(ctx)


GROWTH = {2: (2.13, 0.37, 0.2, -1.6), 3: (4.2, 0.6, -3.3, -1.45), 4: (6.35, 0.75, -6.35, -1.4)}
"""By boards: a table for 3 stacks has 2 ** (a * cards + c) states; a and c, each with what a further stack adds."""
STATES_A_S = {True: 500_000, False: 80_000}
"""Of one core; with keys of one word, and with longer ones."""
FILES_SHARE = 1.2
"""Of the bytes of keys and values those of files, with what is there for a while."""
UNIT_BYTES, UNIT_S = 8_000, 0.003
"""Of a unit beside its states."""
WORK, WORK_LEAST = {"start": 0.0, "expand": 0.4, "step": 0.45, "merge": 0.05, "evaluate": 0.55}, 1000.0
"""Of a state in a unit of each kind, and of any unit, in what all states take together."""

#: States of each layer that ``verify`` has the referee evaluate.
REFEREE_STATES = 5


def referee_check(
    table: StackgameTable, layer: LayerPlan, below: LayerPlan, ctx: UnitContext, count: int
) -> list[str]:
    """Evaluate ``count`` random states of a layer by the rules as they are written; a line for each wrong value."""
    random = np.random.default_rng()
    path = RunLayout(ctx.run_dir).shard(layer.layer, int(random.integers(layer.shards_count)))
    with open_shard(path) as opened:
        blocks = opened.blocks()
        if not blocks:
            return []
        keys, values = decode(path, blocks[int(random.integers(len(blocks)))][1])
    assert values is not None
    files = table.opened(below, ctx)
    problems = []
    for index in random.choice(len(keys), min(count, len(keys)), replace=False):
        before, forbidden = table.kernel.decode(layer.layer, keys[index : index + 1])
        state = rules.State(table.job.stacks, tuple(before), tuple(forbidden))
        total = 0.0
        for card in range(layer.layer):
            placed = [rules.place(state, card, stack) for stack in range(table.job.stacks)]
            nexts = [
                table.kernel.encode(list(next.before), list(next.forbidden))
                for next in placed
                if next is not None
            ]
            if nexts:
                with naming_files(files.paths):
                    found, _ = files.native.lookup(np.concatenate(nexts))
                total += float(found.max())
        # The referee adds in another order, and float32 tables are rounded to 6e-8.
        if not math.isclose(total / layer.layer, values[index], rel_tol=1e-6):
            problems.append(
                f"{path}: state {keys[index]} has value {values[index]}, the referee finds {total / layer.layer}"
            )
    return problems
