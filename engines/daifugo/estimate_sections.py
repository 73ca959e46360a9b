"""Sections of a report on a run of ``daifugo_estimate``: how often worlds, hands and cards are guessed right."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.contract.chart import PERCENT, SECONDS, Axis, Dots, DotSeries, Value
from engines.contract.runs import first_rows
from engines.contract.section import Column, Section
from engines.daifugo.estimate_summary import COUNTS, TOLD, summary_of
from engines.statistics.sql import column_sql
from storage.dataset import part_paths
from storage.place import Place

INTERVALS = (
    "95% intervals: of ratios of sums over whole games, since positions of a game depend on one another."
)


def estimate_sections(run_dir: Place) -> Iterator[Section]:
    """Sections for the positions before the first missing one."""
    if not part_paths(run_dir):
        return
    rows = first_rows(run_dir, ["game", "generator", "elapsed_s", *COUNTS])
    if not len(rows):
        return
    summary = summary_of(rows, list(dict.fromkeys(rows["generator"].to_pylist())))
    told: list[dict[str, Any]] = [each for each in summary["generators"] if each["positions_count"]]
    right = {
        "exact_worlds": "exact_worlds_count",
        "exact_hands": "exact_hands_counts",
        "placed": "placed_counts",
    }
    of = {"exact_worlds": "worlds_count", "exact_hands": "hands_counts", "placed": "cards_counts"}
    sums = ", ".join(f"{_sum(right[name])} / {_sum(of[name])} AS {column_sql(name)}" for name in right)
    yield Section(
        name="right",
        title="Worlds, hands and cards that generators guess right",
        columns=(
            Column("generator", "generator"),
            Column("positions_count", "positions"),
            *(Column(name, title, PERCENT, f"{name}_low", f"{name}_high") for name, title in TOLD.items()),
            Column("world_s", "time of a world", SECONDS),
        ),
        rows=tuple(told),
        runs=(run_dir.name,),
        query=(
            f"SELECT generator, count(*) AS positions_count,\n    {sums},\n"
            "    sum(elapsed_s) / sum(worlds_count) AS world_s\n"
            f"FROM {column_sql(run_dir.name)}\nGROUP BY generator ORDER BY generator"
        ),
        chart=Dots(
            Axis("guessed right", PERCENT),
            tuple(each["generator"] for each in told),
            tuple(
                DotSeries(title, tuple(Value.of(each, name) for each in told)) for name, title in TOLD.items()
            ),
        ),
        notes=(f"{summary['games_count']:,} games.", INTERVALS),
    )


def _sum(name: str) -> str:
    return f"sum({f'list_sum({name})' if name.endswith('_counts') else name})"
