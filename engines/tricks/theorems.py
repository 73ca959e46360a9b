"""``job=tricks_theorems``: the thesis's statements checked on every deal of a table.

An item is a choice of point cards for all deals of n cards each, its rows are the statements. Most are counted by the
core (engines/native/src/tricks/statements.rs says what each is); those about values that are known without search are
compared with separate programs (``known``, ``whist``).
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from engines import _native
from engines.contract.job import Job, UnitContext
from engines.contract.result import Result
from engines.contract.span import Span
from engines.contract.sweep import Sweep
from engines.contract.vocabulary import shared
from engines.contract.written import Written
from engines.tricks import known, whist
from engines.tricks.built import find_table
from engines.tricks.choices import choices
from engines.tricks.columns import shared as tricks_columns
from engines.tricks.deal import point_cards
from engines.tricks.job import TricksJob
from engines.tricks.position import Position, format_position
from engines.tricks.tally import Tally
from engines.tricks.text import read_deals
from storage.columns import column
from storage.place import Place

COUNTED = (
    "theorem_1",
    "theorem_2",
    "property_1",
    "theorem_5",
    "theorem_6",
    "theorem_7",
    "theorem_7_proven",
    "theorem_8",
    "upper_border",
    "adjacent",
    "far_points",
    "far_points_order",
    "far_others",
    "far_others_order",
    "far_border",
)
"""Statements that the core counts, in its order."""
KNOWN = ("theorem_3", "theorem_4", "two_point_cards", "whist")
HANDS = ("conditions", "all")
"""Deals that keep the conditions of section 5, and all deals."""
_HANDS_WORDS = {"conditions": "deals that keep the conditions", "all": "all deals"}
ROWS = [(statement, hands) for statement in (*COUNTED, *KNOWN) for hands in HANDS]
CHUNK_DEALS = 1 << 17


@dataclass
class TricksTheoremsJob(TricksJob):
    """Fields of ``conf/job/tricks_theorems.yaml``: those of the table, which must be there, or of a smaller one."""

    # Choices of point cards are numbered from those of the fewest cards on.
    span: ClassVar[Span | None] = Span("cards")


class TricksTheorems(Sweep):
    """Statements about trick taking."""

    version: ClassVar[int] = 2
    job_type: ClassVar[type[Job]] = TricksTheoremsJob
    worth_asking: ClassVar[str] = "statement, sum(deals_obeying_count) AS obeying, sum(deals_count) AS deals"
    told_as: ClassVar[Mapping[str, str]] = {"points": "point_cards"}
    job: TricksTheoremsJob

    def columns(self) -> pa.Schema:
        """A row is a statement for ``hands`` of ``cards`` each, ``k`` point cards below ``above`` others.

        A *case* of a statement is a deal with a leader and, of swaps, two cards. Gains are in point cards; for known
        values, a gain is the value found less the stated one. The counterexample is the first one in the order of
        hands.
        """
        gains = pa.list_(pa.int8())
        return pa.schema(
            [
                *tricks_columns("point_cards", "aim"),
                column("statement", "string", "", "Name of the statement."),
                column(
                    "hands", "string", "", "conditions: deals that keep those of section 5; all: all deals."
                ),
                *shared("cards"),
                *tricks_columns("above", "k"),
                column("deals_count", "int64", "deals", "Deals that the statement is about."),
                column("deals_obeying_count", "int64", "deals", "Deals that obey the statement."),
                column(
                    "cases_count", "int64", "cases", "Cases: deals with a leader and, of swaps, two cards."
                ),
                column("cases_obeying_count", "int64", "cases", "Cases that obey the statement."),
                column("least", "int8", "points", "Least gain of all cases.", nullable=True),
                column("most", "int8", "points", "Largest gain of all cases.", nullable=True),
                column(
                    "gain_counts",
                    pa.list_(pa.int64()),
                    "cases",
                    "How often each gain from least to most came.",
                ),
                column(
                    "counterexample", "string", "", "Hands of the first case that disobeys.", nullable=True
                ),
                column("leader", "string", "", "Who leads in it: left or right.", nullable=True),
                column(
                    "gives",
                    "uint8",
                    "",
                    "The card that Left gives away in it, 1 for the lowest.",
                    nullable=True,
                ),
                column("gets", "uint8", "", "The card that Left gets for it.", nullable=True),
                column("gain", "int8", "points", "What Left gains by it.", nullable=True),
                column(
                    "pair_least",
                    gains,
                    "points",
                    "Of the statement adjacent: least gain of each pair of cards.",
                    nullable=True,
                ),
                column(
                    "pair_most",
                    gains,
                    "points",
                    "Of the statement adjacent: largest gain of each pair.",
                    nullable=True,
                ),
            ]
        )

    @functools.cached_property
    def cells(self) -> list[tuple[int, int, int]]:
        """(cards, above, k), smallest deals first."""
        return [
            (cards, above, count)
            for cards in range(1, self.job.cards + 1)
            for above, count in sorted(choices(self.job.points, cards), key=lambda choice: choice[::-1])
        ]

    def items_count(self) -> int:
        """Numbers of cards with choices of point cards."""
        return len(self.cells)

    def item_s(self) -> float:
        """Of one with all cards, the heaviest."""
        return _cell_s(self.job.cards)

    def item_bytes(self) -> float:
        """A row for each statement; most rows are short."""
        return len(ROWS) * 20.0

    def work_s(self) -> float:
        """By the deals of each."""
        return sum(_cell_s(cards) for cards, _, _ in self.cells)

    def result(self, summary: Mapping[str, Any]) -> Result:
        """Which statements hold in all deals that they are about, under the conditions and without them."""
        told, lines = [], []
        for each in summary["statements"]:
            if each["deals_count"]:
                told.append({name: each[name] for name in ("statement", "hands", "holds", "deals_count")})
        for hands in HANDS:
            fail = [each["statement"] for each in told if each["hands"] == hands and not each["holds"]]
            count = sum(each["hands"] == hands for each in told)
            lines.append(
                f"{_HANDS_WORDS[hands]}: {count - len(fail)} of {count} statements hold"
                + (f"; not {', '.join(fail)}" if fail else "")
            )
        return Result({"statements": told}, lines)

    def prepare(self, ctx: UnitContext) -> None:
        """UserError unless the table is there."""
        find_table(ctx.tables_dir, self.job.cards, self.job.points, self.job.aim)

    def run(self, indices: list[int], ctx: UnitContext) -> pa.RecordBatch:
        """Check all statements on all deals of the choices ``indices``."""
        rows: list[dict[str, Any]] = []
        for index in indices:
            start_s = time.perf_counter()
            found = self._rows(index, ctx.tables_dir)
            elapsed_s = (time.perf_counter() - start_s) / len(ROWS)
            rows += [{**row, "elapsed_s": elapsed_s} for row in found]
            ctx.progress(1)
        types = {"index": pa.uint64(), "outcome": pa.string(), "elapsed_s": pa.float64()}
        types |= {field.name: field.type for field in self.columns()}
        return pa.record_batch(
            {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
        )

    @functools.lru_cache(maxsize=1)  # noqa: B019 (of all engines of a process one has its layer open)
    def _layer(self, tables_dir: Place, cards: int) -> _native.TricksLayer:
        table = find_table(tables_dir, self.job.cards, self.job.points, self.job.aim)
        layer: _native.TricksLayer = table.engine.open_layer(table.layout.run_dir, cards)
        return layer

    def _rows(self, index: int, tables_dir: Place) -> list[dict[str, Any]]:
        """The rows of one choice of point cards, in the order of ROWS."""
        cell = cards, above, count = self.cells[index]
        layer = self._layer(tables_dir, cards)
        values = layer.column(above, count)
        more = (above - (self.job.points == "lowest"), count + 1)
        more_values = layer.column(*more) if more in choices(self.job.points, cards) else None
        tallies, pairs = _native.tricks_census(cards, above, count, self.job.aim, values, more_values)
        found = {(row[0], row[1]): Tally.of_core(row) for row in tallies}
        found |= self._known(cell, values)
        rows = []
        for statement, hands in ROWS:
            row: dict[str, Any] = {
                "index": index,
                "outcome": None,
                "point_cards": self.job.points,
                "aim": self.job.aim,
                "statement": statement,
                "hands": hands,
                "cards": cards,
                "above": above,
                "k": count,
            }
            row |= found[statement, hands].row(cards)
            with_pairs = (statement, hands) == ("adjacent", "all")
            row["pair_least"] = [least for least, _ in pairs] if with_pairs else None
            row["pair_most"] = [most for _, most in pairs] if with_pairs else None
            rows.append(row)
        return rows

    def _known(self, cell: tuple[int, int, int], values: _native.Bytes) -> dict[tuple[str, str], Tally]:
        """Values compared with known ones: with the two highest cards as point cards, and with all."""
        cards, above, count = cell
        found = {(statement, hands): Tally() for statement in KNOWN for hands in HANDS}
        usual = self.job.aim == "most" and above == 0
        if not usual or count not in (2, 2 * cards):
            return found
        for first in range(0, len(values), CHUNK_DEALS):
            patterns = _native.tricks_patterns(cards, first, min(CHUNK_DEALS, len(values) - first))
            left, right = known.hands(cards, patterns)
            kept = known.conditions(left, right, above, count)
            ranks = np.arange(first, first + len(patterns))
            played = np.array(
                [
                    values[ranks].astype(np.int8),
                    np.int8(count) - values[len(values) - 1 - ranks].astype(np.int8),
                ]
            )
            for statement, covered, stated in _stated(count, patterns, left, right):
                for hands in HANDS:
                    chosen = covered & kept if hands == "conditions" else covered
                    found[statement, hands].add_known(patterns, chosen, played - stated)
        return found

    def written(self, row: Mapping[str, Any]) -> Written | None:
        """The counterexample of a statement that has one."""
        if row["counterexample"] is None:
            return None
        (deal,) = read_deals(f"{row['counterexample']} k={row['k']}")
        points = point_cards(row["cards"], row["above"], row["k"])
        position = Position(deal.left, deal.right, points, row["leader"] == "left")
        return Written(format_position(position), rules={"aim": self.job.aim})

    def summary(self, ctx: UnitContext) -> dict[str, Any]:
        """For each statement and kind of hands: deals, extremes, and the smallest counterexample."""
        from storage.dataset import read_rows

        names = [field.name for field in self.columns() if not field.name.startswith("pair_")]
        rows = read_rows(ctx.run_dir, names).to_pylist()
        return {
            "cards": self.job.cards,
            "points": self.job.points,
            "aim": self.job.aim,
            "statements": [
                _summed([row for row in rows if (row["statement"], row["hands"]) == each]) for each in ROWS
            ],
        }


SECONDS_A_DEAL = 1.9e-8
"""For each deal and pair of cards."""


def _cell_s(cards: int) -> float:
    """Seconds that the statements about all deals of so many cards take for a choice of point cards, about."""
    return math.comb(2 * cards, cards) * SECONDS_A_DEAL * cards**2


def _stated(
    count: int, patterns: whist.Patterns, left: known.Hands, right: known.Hands
) -> list[tuple[str, known.Flags, Any]]:
    """(statement, deals that it is about, Left's points as stated), both with Left in the lead and with Right."""
    found: list[tuple[str, known.Flags, Any]] = []
    cards = left.shape[1]
    both = np.ones((2, len(left)), np.bool_)
    if count == 2:
        split, owner_leads = known.are_split(left), known.has_highest(left) == np.array([[True], [False]])
        stated = np.array([known.two_point_cards(left, right, left_leads) for left_leads in (True, False)])
        found.append(("theorem_3", split & owner_leads, np.int8(1)))
        found.append(("theorem_4", split & ~owner_leads, stated))
        found.append(("two_point_cards", both, stated))
    if count == 2 * cards:
        stated = np.array([whist.tricks(cards, patterns, left_leads) for left_leads in (True, False)])
        found.append(("whist", both, 2 * stated))
    return found


def _summed(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """One statement over all numbers of cards."""
    about = [row for row in rows if row["deals_count"]]
    against = next((row for row in rows if row["counterexample"] is not None), None)
    counts = {
        name: sum(row[name] for row in rows)
        for name in ("deals_count", "deals_obeying_count", "cases_count", "cases_obeying_count")
    }
    shown = ("cards", "above", "k", "counterexample", "leader", "gives", "gets", "gain")
    return {
        "statement": rows[0]["statement"],
        "hands": rows[0]["hands"],
        **counts,
        "holds": against is None,
        "least": min((row["least"] for row in about), default=None),
        "most": max((row["most"] for row in about), default=None),
        "smallest_counterexample": None if against is None else {name: against[name] for name in shown},
    }
