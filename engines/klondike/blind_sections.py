"""Sections of a report on a player who sees only open cards: its wins beside those with all cards known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.contract.chart import PERCENT, Axis, Dots, DotSeries, Value
from engines.contract.runs import first_rows
from engines.contract.section import Column, Section
from engines.klondike.paper import BLIND
from engines.statistics.intervals import wilson
from engines.statistics.sql import RunRows, rows_sql, share_sql
from storage.dataset import part_paths, read_rows
from storage.place import Place

KNOWLEDGE = {"outcome": "what is seen", "known_outcome": "all cards"}
"""Column with the outcome of a deal -> what was known in it."""


def blind_sections(run_dir: Place) -> Iterator[Section]:
    """Sections for the deals before the first missing one."""
    if not part_paths(run_dir):
        return
    rows = first_rows(run_dir, [*KNOWLEDGE])
    count = len(rows)
    if not count:
        return
    whole = count == len(read_rows(run_dir, ["index"]))
    source = rows_sql("", [RunRows(run_dir.name, None if whole else count)])
    told: list[dict[str, Any]] = []
    for name, knowledge in KNOWLEDGE.items():
        won = rows[name].to_pylist().count("won")
        low, high = wilson(won, count)
        told.append(
            {
                "knowledge": knowledge,
                "deals_count": count,
                "won_count": won,
                "won_share": won / count,
                "won_share_low": low,
                "won_share_high": high,
            }
        )
    printed, least = BLIND
    told[0]["published_least"] = least
    counts = " UNION ALL\n    ".join(
        f"SELECT '{knowledge}' AS knowledge, count(*) AS deals_count, count(*) FILTER ({name} = 'won') AS won_count "
        f"FROM {source}"
        for name, knowledge in KNOWLEDGE.items()
    )
    yield Section(
        name="won",
        title="Deals that are won by what is known",
        columns=(
            Column("knowledge", "known"),
            Column("deals_count", "deals"),
            Column("won_count", "won"),
            Column("won_share", "won", PERCENT, "won_share_low", "won_share_high"),
            Column("published_least", "published, at least", PERCENT),
        ),
        rows=tuple(told),
        runs=(run_dir.name,),
        query=(
            f"WITH counted AS (\n    {counts}\n)\n"
            f"SELECT *,\n    {share_sql('won_share', 'won_count', 'deals_count')}\nFROM counted ORDER BY ALL"
        ),
        chart=Dots(
            Axis("deals that are won", PERCENT),
            tuple(f"{knowledge} known" for knowledge in KNOWLEDGE.values()),
            (
                DotSeries(
                    "ours",
                    tuple(Value.of(row, "won_share") for row in told),
                ),
                DotSeries("published, at least", (Value(least), None), published=True),
            ),
        ),
        notes=(
            "95% intervals of shares are Wilson's.",
            "With all cards known a deal may be undecided within the limits of the job: it counts as not won.",
            f"Published: {printed}.",
        ),
    )
