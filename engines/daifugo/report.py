"""``yamafuda report daifugo``: figure 9 and table 1 of the paper from tournaments, as far as they are done."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from engines.contract.game import Roots
from engines.daifugo import paper
from engines.daifugo.entries import ALL, Entry, entries_of, is_papers, pooled
from engines.daifugo.parts_report import Part, parts, parts_table
from engines.daifugo.tournament_runs import read_summaries
from engines.daifugo.uecda.report import guests_table, read_guests
from engines.text.columns import NONE, aligned
from engines.text.words import count_of


def report(roots: Roots, as_json: bool) -> bool:
    """Print table 1 and figure 9 beside the paper's.

    JSON has a line for each player.
    """
    results = roots.results
    summaries = list(read_summaries(roots.sweep_runs))
    entries, others = entries_of(summaries), parts_of(summaries)
    guests = read_guests(roots.sweep_runs)
    if as_json:
        for row in (*map(asdict, entries), *map(asdict, others), *map(asdict, guests)):
            print(json.dumps(row))
        return True
    blocks = [
        _table_1(entries),
        _figure_9(entries),
        _other_playouts(entries),
        parts_table(others),
        guests_table(guests),
    ]
    for lines in filter(None, map(list, blocks)):
        print("\n".join([*lines, ""]))
    for summary in summaries:
        if "unfinished" in summary:
            print(summary["unfinished"])
    print(f"{count_of(len(entries) + len(others) + len(guests), 'player')}; runs are in {results.resolve()}")
    return True


def parts_of(summaries: Iterable[dict[str, Any]]) -> list[Part]:
    """All players of tournaments that are not the paper's, run by run."""
    runs = [list(parts(summary)) for summary in summaries if not is_papers(summary)]
    runs = [run for run in runs if run]
    runs.sort(key=lambda run: (run[0].opponents, run[0].of, run[0].games_count, run[0].seed))
    return [part for run in runs for part in run]


def _table_1(entries: Sequence[Entry]) -> Iterator[str]:
    chosen = [entry for entry in entries if entry.playouts == paper.PLAYOUTS_COUNT]
    if not chosen:
        return
    yield f"Table 1: one player with {paper.PLAYOUTS_COUNT} playouts against four, points of 10,000 games"
    head = ("opponents", "player", "games", "points", "error", "paper", *_DIFFERENCE, "paper")
    rows: list[tuple[str, ...]] = [head]
    for entry in [*chosen, *pooled(chosen)]:
        rows.append(
            (
                *(f"4 {entry.opponents}" if entry.opponents != ALL else ALL, title_of(entry)),
                f"{entry.games_count:,}",
                *(_number(entry.points), _number(entry.points_se), _number(entry.paper_points)),
                *(*_difference(entry), _signed(entry.paper_difference)),
            )
        )
    yield from aligned(rows)
    yield "difference: to Rand on the same deals; errors from the sums of matches of 100 games"
    yield (
        "in matches: with the effect of ranks on later games, as in the paper; "
        "where ranks are shared, estimated from Rand's own games"
    )
    yield "paper: its opponents are kishimen (beside rule), paonR2 (strong) and MC (rand); errors there are about 140"


def _figure_9(entries: Sequence[Entry]) -> Iterator[str]:
    """Points by playouts, one column for each generator."""
    chosen = [entry for entry in entries if entry.opponents == "rand" and not entry.changed]
    budgets = sorted({entry.playouts for entry in chosen})
    if len(budgets) < 2:
        return
    yield "Figure 9: points a game against four Rand with 1500 playouts, with standard errors"
    names = sorted({entry.player for entry in chosen}, key=order_of)
    rows = [("playouts", *(paper.TITLES.get(name, name) for name in names))]
    for budget in budgets:
        by_name = {entry.player: entry for entry in chosen if entry.playouts == budget}
        rows.append((str(budget), *(_point(by_name.get(name)) for name in names)))
        if budget == paper.PLAYOUTS_COUNT:
            printed = [paper.TABLE_1["rand"].get(name) for name in names]
            rows.append(("paper", *(NONE if each is None else f"{each / 10_000:.3f}" for each in printed)))
    yield from aligned(rows)


def _other_playouts(entries: Sequence[Entry]) -> Iterator[str]:
    """The paper's remark on 1100 playouts, and all numbers other than 1500."""
    chosen = [e for e in entries if e.playouts != paper.PLAYOUTS_COUNT and e.difference is not None]
    if not chosen:
        return
    yield "Other numbers of playouts: differences to Rand with 1500, points of 10,000 games"
    rows: list[tuple[str, ...]] = [("opponents", "player", "playouts", "games", *_DIFFERENCE)]
    for entry in [*chosen, *pooled(chosen)]:
        opponents = f"4 {entry.opponents}" if entry.opponents != ALL else ALL
        head = (opponents, title_of(entry), str(entry.playouts), f"{entry.games_count:,}")
        rows.append((*head, *_difference(entry)))
    yield from aligned(rows)
    yield "paper: some 1100 playouts of Rand/D or HE/all are as good as 1500 of Rand"


_DIFFERENCE = ("ranks", "difference", "error", "95% interval", "in matches", "error")


def _difference(entry: Entry) -> tuple[str, ...]:
    low, high = _signed(entry.difference_low), _signed(entry.difference_high)
    interval = NONE if entry.difference_low is None else f"{low} to {high}"
    found = (entry.ranks, _signed(entry.difference), _number(entry.difference_se), interval)
    return *found, _signed(entry.in_matches), _number(entry.in_matches_se)


def _point(entry: Entry | None) -> str:
    if entry is None:
        return NONE
    error = "" if entry.points_se is None else f" ± {entry.points_se / 10_000:.3f}"
    return f"{entry.points / 10_000:.3f}{error}"


def title_of(entry: Entry) -> str:
    """A player as reports name it."""
    name = paper.TITLES.get(entry.player, entry.player)
    return f"{name}, {entry.changed}" if entry.changed else name


def order_of(name: str) -> tuple[int, str]:
    """The paper's players first."""
    names = list(paper.TITLES)
    return (names.index(name) if name in names else len(names)), name


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.0f}"


def _signed(value: float | None) -> str:
    return NONE if value is None else f"{value:+.0f}"
