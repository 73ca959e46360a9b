"""``yamafuda report superpuzz``: censuses beside table 1 of the paper, figure 8, and shares of decided deals."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from engines.contract.game import Roots
from engines.contract.runs import Runs, first_rows, run_plan, sound_runs
from engines.solitaire.report import read_pools, report_pools
from engines.statistics.bootstrap import mean_interval, mean_range
from engines.statistics.intervals import wilson
from engines.statistics.sql import RunRows
from engines.superpuzz import paper
from engines.superpuzz.game import Superpuzz
from engines.text.columns import NONE, aligned
from engines.text.words import count_of
from storage.place import Place

DIGITS = 6
"""Characters for a factor of ten in figure 8."""


@dataclass(frozen=True)
class Mean:
    """A mean of random deals."""

    value: float
    low: float | None
    """Ends of its 95% interval, from ``bootstrap``; None for too few values."""
    high: float | None


@dataclass(frozen=True)
class Size:
    """Results for one number of columns: a row of table 1, and a column of figure 8."""

    columns: int
    seed: int
    deals_planned: int
    deals_count: int
    """Deals of the run before the first missing one."""
    open_count: int
    """Deals that hit a limit. Their states so far are included, so means and extremes are lower bounds."""
    states: Mean
    states_min: int
    states_max: int
    paper_mean_low: float
    """The mean of as many deals as the paper has lies above this in 97.5% of all cases."""
    paper_mean_high: float
    moves: Mean | None
    """Moves to the win that was found first."""
    states_before_win: Mean | None
    lost_count: int
    lost_share_low: float
    """Wilson's 95% interval; open deals without a win may be won or lost."""
    lost_share_high: float
    lost_states: Mean | None
    paper: paper.Row | None
    paper_lost_share_low: float | None
    paper_lost_share_high: float | None


def report(roots: Roots, as_json: bool) -> bool:
    """Print table 1, figure 8 and shares of deals.

    All are beside the paper's. JSON has a line for each row.
    """
    results = roots.results
    sizes = census_sizes(roots.sweep_runs)
    if as_json:
        for size in sizes:
            print(json.dumps(asdict(size)))
    elif sizes:
        for lines in (_states(sizes), _wins(sizes), _losses(sizes), _figure_8(sizes)):
            print("\n".join([*lines, ""]))
    if not as_json:
        print(f"{count_of(len(sizes), 'size')}; runs are in {results.resolve()}\n")
    game = Superpuzz()
    report_pools(game, read_pools(game, roots), roots, as_json)
    return True


def census_sizes(results: Runs) -> list[Size]:
    """Results for each number of columns with a depth-first census; of several runs the one with most deals is
    used."""
    return [size for size, _ in censuses(results)]


def censuses(runs: Runs) -> list[tuple[Size, RunRows]]:
    """The same, each with its run."""
    found: dict[int, tuple[Size, RunRows]] = {}
    for size, run in sound_runs(runs, _size):
        if size.columns not in found or size.deals_count > found[size.columns][0].deals_count:
            found[size.columns] = size, run
    return [found[columns] for columns in sorted(found)]


def _size(run_dir: Place) -> tuple[Size, RunRows] | None:
    """None for a run of another kind, or with too few deals for any figure."""
    from storage.dataset import part_paths

    plan = run_plan(run_dir)
    job = plan["job"]
    if (job.get("name"), job.get("mode"), job.get("order")) != ("superpuzz_sweep", "census", "depth"):
        return None
    if job["seed"] is None or not part_paths(run_dir):
        return None
    names = ["outcome", "states_count", "moves_count", "states_before_win_count"]
    deals = first_rows(run_dir, names).to_pylist()
    if len(deals) < 2:
        return None
    columns, count = job["columns"], len(deals)
    states = [row["states_count"] for row in deals]
    won = [row for row in deals if row["moves_count"] is not None]
    lost = [row["states_count"] for row in deals if row["outcome"] == "lost"]
    printed = paper.TABLE_1.get(columns)
    range_low, range_high = mean_range(states, paper.DEALS_COUNT)
    theirs = None if printed is None else wilson(printed.lost_count, paper.DEALS_COUNT)
    size = Size(
        columns=columns,
        seed=job["seed"],
        deals_planned=plan["items_count"],
        deals_count=count,
        open_count=sum(row["outcome"] == "undecided" for row in deals),
        states=_mean(states),
        states_min=min(states),
        states_max=max(states),
        paper_mean_low=range_low,
        paper_mean_high=range_high,
        moves=_mean([row["moves_count"] for row in won]) if won else None,
        states_before_win=_mean([row["states_before_win_count"] for row in won]) if won else None,
        lost_count=len(lost),
        lost_share_low=wilson(len(lost), count)[0],
        lost_share_high=wilson(count - len(won), count)[1],
        lost_states=_mean(lost) if lost else None,
        paper=printed,
        paper_lost_share_low=None if theirs is None else theirs[0],
        paper_lost_share_high=None if theirs is None else theirs[1],
    )
    return size, RunRows(run_dir.name, count if _is_part(size) else None)


def _mean(values: list[int]) -> Mean:
    low, high = mean_interval(values) or (None, None)
    return Mean(math.fsum(values) / len(values), low, high)


def _states(sizes: list[Size]) -> Iterator[str]:
    yield "Table 1: states that can be reached from a random deal, with 95% intervals"
    rows = [("columns", "deals", "mean", "", "paper", "of 100 deals", "max", "paper", "min", "paper")]
    for each in sizes:
        deals = f"{each.deals_count}" + (f" of {each.deals_planned}" if _is_part(each) else "")
        at_least = "≥ " if each.open_count else ""
        rows.append(
            (
                str(each.columns),
                deals,
                at_least + _number(each.states.value),
                _interval(each.states),
                _number(_printed(each, "states_mean")),
                f"{_number(each.paper_mean_low)} to {_number(each.paper_mean_high)}",
                at_least + _number(each.states_max),
                _number(_printed(each, "states_max")),
                _number(each.states_min),
                _number(_printed(each, "states_min")),
            )
        )
    yield from aligned(rows)
    yield "of 100 deals: where 95% of the means of as many deals as the paper has lie"
    yield from _notes(sizes)


def _wins(sizes: list[Size]) -> Iterator[str]:
    yield "Table 1: the win that was found first, in depth; which one that is depends on the order of moves"
    rows = [("columns", "moves", "", "paper", "states before", "", "paper")]
    for each in sizes:
        if each.moves is not None and each.states_before_win is not None:
            rows.append(
                (
                    str(each.columns),
                    _number(each.moves.value),
                    _interval(each.moves),
                    _number(_printed(each, "moves_mean")),
                    _number(each.states_before_win.value),
                    _interval(each.states_before_win),
                    _number(_printed(each, "states_before_win_mean")),
                )
            )
    yield from aligned(rows)


def _losses(sizes: list[Size]) -> Iterator[str]:
    yield "Table 1: deals without a win"
    rows = [("columns", "lost", "share", "paper", "", "states", "", "paper")]
    for each in sizes:
        printed, states = each.paper, each.lost_states
        rows.append(
            (
                str(each.columns),
                f"{each.lost_count} of {each.deals_count}",
                f"{100 * each.lost_share_low:.1f} to {100 * each.lost_share_high:.1f}%",
                NONE if printed is None else f"{printed.lost_count} of {paper.DEALS_COUNT}",
                ""
                if each.paper_lost_share_low is None or each.paper_lost_share_high is None
                else f"{100 * each.paper_lost_share_low:.1f} to {100 * each.paper_lost_share_high:.1f}%",
                NONE if states is None else _number(states.value),
                "" if states is None else _interval(states),
                _number(_printed(each, "lost_states_mean")),
            )
        )
    yield from aligned(rows)


def _figure_8(sizes: list[Size]) -> Iterator[str]:
    """Three curves over the columns on a scale of logarithms, and where they lead."""
    yield "Figure 8: states by columns (b before the first win, m mean, x max; the scale has powers of ten)"
    width = DIGITS * (1 + math.floor(math.log10(max(each.states_max for each in sizes)))) + DIGITS
    scale = [" "] * width
    for power in range(width // DIGITS):
        mark = str(power)
        scale[power * DIGITS : power * DIGITS + len(mark)] = mark
    yield "      " + "".join(scale).rstrip()
    for each in sizes:
        line = [" "] * width
        before = None if each.states_before_win is None else each.states_before_win.value
        for mark, value in (("b", before), ("m", each.states.value), ("x", each.states_max)):
            if value:
                line[round(math.log10(max(value, 1)) * DIGITS)] = mark
        yield f"{each.columns:>4}  " + "".join(line).rstrip()
    if len(sizes) > 1:
        last, before_last = sizes[-1], sizes[-2]
        steps = last.columns - before_last.columns
        growth = (last.states.value / before_last.states.value) ** (1 / steps)
        yield f"from {before_last.columns} to {last.columns} columns the mean grows {growth:.2f} times a column"


def _notes(sizes: list[Size]) -> Iterator[str]:
    for each in sizes:
        if each.open_count:
            yield f"{each.columns} columns: {each.open_count} deals hit a limit; mean and max are at least these"
        if _is_part(each):
            yield f"{each.columns} columns: the run is not done"


def _is_part(size: Size) -> bool:
    return size.deals_count < size.deals_planned


def _printed(size: Size, name: str) -> float | None:
    """A field of the paper's row; None where there is none."""
    value: float | None = getattr(size.paper, name, None)
    return value


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:,.0f}"


def _interval(mean: Mean) -> str:
    if mean.low is None or mean.high is None:
        return ""
    return f"{_number(mean.low)} to {_number(mean.high)}"
