"""Sections of a report on Superpuzz: figure 8 and table 1 of the paper with our results, then shares of won deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from engines.contract.chart import PERCENT, Axis, Curve, Curves, Dots, DotSeries, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.solitaire.report import read_pools
from engines.solitaire.sections import pool_sections
from engines.statistics.sql import RunRows, rows_sql, share_sql
from engines.superpuzz import paper
from engines.superpuzz.game import Superpuzz
from engines.superpuzz.report import Mean, Size, censuses

SOURCE = 'Published: Shintani, "A Program to Solve Superpuzz", table 1 (100 deals a row), of which figure 8 is drawn.'
BOOTSTRAP = "95% intervals of means are those of the studentized bootstrap."


def sections(roots: Roots) -> Iterable[Section]:
    """Figure 8, deals without a win, then the sections of all solitaires."""
    found = censuses(roots.sweep_runs)
    if found:
        sizes, runs = [size for size, _ in found], [run for _, run in found]
        yield _figure_8(sizes, runs)
        yield _moves(sizes, runs)
        yield _losses(sizes, runs)
    game = Superpuzz()
    yield from pool_sections(game, read_pools(game, roots), roots)


def _query(runs: Sequence[RunRows], figures: str) -> str:
    return (
        f'SELECT "columns", count(*) AS deals_count,\n    {figures}\n'
        f"FROM {rows_sql('superpuzz_sweep', runs)}\nGROUP BY ALL ORDER BY ALL"
    )


def _figure_8(sizes: Sequence[Size], runs: Sequence[RunRows]) -> Section:
    rows = [
        {
            "columns": size.columns,
            "deals_count": size.deals_count,
            "open_count": size.open_count,
            "states_min": size.states_min,
            "states_max": size.states_max,
            **_mean("states", size.states),
            **_mean("before_win", size.states_before_win),
            **_paper(size, "states_mean", "states_min", "states_max", "states_before_win_mean"),
        }
        for size in sizes
    ]
    curves = [
        _curve("most", rows, "states_max"),
        _curve("mean", rows, "states_mean"),
        _curve("mean before the first win", rows, "before_win_mean"),
    ]
    printed = [
        _curve(f"{name}, published", rows, f"paper_{key}", published=True)
        for name, key in (
            ("most", "states_max"),
            ("mean", "states_mean"),
            ("before", "states_before_win_mean"),
        )
    ]
    return Section(
        name="figure-8",
        title="States that can be reached from a random deal, by columns (the paper's figure 8)",
        columns=(
            Column("columns", "columns"),
            Column("deals_count", "deals"),
            Column("open_count", "open"),
            Column("states_mean", "mean", "states", "states_mean_low", "states_mean_high"),
            Column("paper_states_mean", "published", "states"),
            Column("states_max", "most", "states"),
            Column("paper_states_max", "published", "states"),
            Column("states_min", "least", "states"),
            Column("paper_states_min", "published", "states"),
            Column(
                "before_win_mean",
                "before the first win",
                "states",
                "before_win_mean_low",
                "before_win_mean_high",
            ),
            Column("paper_states_before_win_mean", "published", "states"),
        ),
        rows=tuple(rows),
        runs=tuple(run.name for run in runs),
        query=_query(
            runs,
            "count(*) FILTER (outcome = 'undecided') AS open_count,\n"
            "    avg(states_count) AS states_mean, max(states_count) AS states_max, min(states_count) AS states_min,\n"
            "    avg(states_before_win_count) FILTER (moves_count IS NOT NULL) AS before_win_mean",
        ),
        chart=Curves(
            Axis("columns"),
            Axis("states", log=True),
            tuple(each for each in [*curves, *printed] if each.points),
        ),
        notes=(
            SOURCE,
            BOOTSTRAP,
            *(
                f"{size.columns} columns: {size.open_count} deals hit a limit; mean and most are at least these."
                for size in sizes
                if size.open_count
            ),
            *(
                f"{size.columns} columns: not done; {size.deals_count:,} of {size.deals_planned:,} deals are used."
                for size in sizes
                if size.deals_count < size.deals_planned
            ),
        ),
    )


def _moves(sizes: Sequence[Size], runs: Sequence[RunRows]) -> Section:
    rows = [
        {
            "columns": size.columns,
            "deals_count": size.deals_count,
            **_mean("moves", size.moves),
            **_paper(size, "moves_mean"),
        }
        for size in sizes
    ]
    return Section(
        name="moves",
        title="Moves to the win that was found first, in depth (table 1)",
        columns=(
            Column("columns", "columns"),
            Column("deals_count", "deals"),
            Column("moves_mean", "mean", "moves", "moves_mean_low", "moves_mean_high"),
            Column("paper_moves_mean", "published", "moves"),
        ),
        rows=tuple(rows),
        runs=tuple(run.name for run in runs),
        query=_query(runs, "avg(moves_count) AS moves_mean"),
        chart=Curves(
            Axis("columns"),
            Axis("moves"),
            tuple(
                each
                for each in (
                    _curve("mean", rows, "moves_mean"),
                    _curve("published", rows, "paper_moves_mean", published=True),
                )
                if each.points
            ),
        ),
        notes=(SOURCE, BOOTSTRAP, "Which win is found first depends on the order of moves."),
    )


def _losses(sizes: Sequence[Size], runs: Sequence[RunRows]) -> Section:
    rows: list[dict[str, Any]] = []
    for size in sizes:
        row = {
            "columns": size.columns,
            "deals_count": size.deals_count,
            "lost_count": size.lost_count,
            "lost_share": size.lost_count / size.deals_count,
            "lost_share_low": size.lost_share_low,
            "lost_share_high": size.lost_share_high,
            "paper_share_low": size.paper_lost_share_low,
            "paper_share_high": size.paper_lost_share_high,
            **_mean("lost_states", size.lost_states),
            **_paper(size, "lost_states_mean"),
        }
        row["paper_share"] = None if size.paper is None else size.paper.lost_count / paper.DEALS_COUNT
        rows.append(row)
    counted = _query(
        runs,
        "count(*) FILTER (outcome = 'lost') AS lost_count, count(moves_count) AS won_count,\n"
        "    avg(states_count) FILTER (outcome = 'lost') AS lost_states_mean",
    )
    return Section(
        name="lost",
        title="Random deals without a win, by columns (table 1)",
        columns=(
            Column("columns", "columns"),
            Column("deals_count", "deals"),
            Column("lost_count", "lost"),
            Column("lost_share", "lost", PERCENT, "lost_share_low", "lost_share_high"),
            Column("paper_share", "published", PERCENT, "paper_share_low", "paper_share_high"),
            Column(
                "lost_states_mean",
                "states of these",
                "states",
                "lost_states_mean_low",
                "lost_states_mean_high",
            ),
            Column("paper_lost_states_mean", "published", "states"),
        ),
        rows=tuple(rows),
        runs=tuple(run.name for run in runs),
        query=(
            f"WITH counted AS (\n{counted}\n)\nSELECT * EXCLUDE (won_count),\n"
            f"    {share_sql('lost_share', 'lost_count', 'deals_count', 'deals_count - won_count')}\n"
            "FROM counted ORDER BY ALL"
        ),
        chart=Dots(
            Axis("deals without a win", PERCENT),
            tuple(f"{size.columns} columns" for size in sizes),
            (
                DotSeries("ours", tuple(Value.of(row, "lost_share") for row in rows)),
                DotSeries("published", tuple(Value.of(row, "paper_share") for row in rows), published=True),
            ),
        ),
        notes=(SOURCE, "95% intervals of shares are Wilson's, the paper's too.", BOOTSTRAP),
    )


def _curve(name: str, rows: Sequence[dict[str, Any]], key: str, published: bool = False) -> Curve:
    points = [(float(row["columns"]), Value.of(row, key)) for row in rows]
    return Curve(
        name, tuple((x, each) for x, each in points if each is not None and each.value > 0), published
    )


def _mean(name: str, mean: Mean | None) -> dict[str, float | None]:
    found = (None, None, None) if mean is None else (mean.value, mean.low, mean.high)
    return dict(zip((f"{name}_mean", f"{name}_mean_low", f"{name}_mean_high"), found, strict=True))


def _paper(size: Size, *names: str) -> dict[str, float | None]:
    """Fields of the paper's row; None where there is none."""
    return {f"paper_{name}": getattr(size.paper, name, None) for name in names}
