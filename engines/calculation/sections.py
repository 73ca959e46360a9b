"""Sections of a report on Calculation: wins of players beside the paper's, players in pairs, and decks with the pile
known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engines.calculation.figures import figures
from engines.calculation.paper import PRINTED
from engines.calculation.report import BESIDE, GAME, OPTIONS, Pool, pairs_of, pools
from engines.contract.chart import PERCENT, Axis, Dots, DotSeries, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.solitaire import report as solitaire
from engines.solitaire.sections import WILSON, pool_sections
from engines.statistics.intervals import difference, wilson
from engines.statistics.sql import column_sql, literal_sql, rows_sql, share_sql

IDLE = {"exponent": "value = 'norm'", "exact_cards": "edges = 'all'"}
"""Options that only matter where a condition holds."""
PUBLISHED = 'Published: Tanaka, "A calculation player program without using heuristic rules", tables 3 and 4.'
PAIRED = "95% intervals: Newcombe's method 10 for paired shares; p: McNemar's exact test."
KEY = (*OPTIONS, "seed", "deal_index")


def sections(roots: Roots) -> Iterable[Section]:
    """Players, players in pairs, then decks that are decided with all cards known."""
    found = pools(roots.sweep_runs)
    if found:
        source = rows_sql(
            "calculation_sweep",
            None if roots.chosen is None else [run for pool in found for run in pool.runs],
            KEY,
        )
        partial = roots.chosen is None and any(pool.unfinished for pool in found)
        names = _names(found)
        yield _players(found, names, source, partial)
        yield from _pairs(found, names, source, partial)
    yield from pool_sections(GAME, solitaire.read_pools(GAME, roots), roots)


def _telling(found: Sequence[Pool]) -> list[str]:
    """Options in which players differ; for a single player those in the paper's tables."""
    differing = [name for name in OPTIONS if len({str(pool.options[name]) for pool in found}) > 1]
    return differing or ["stacks", "look_ahead", "keep"]


def _names(found: Sequence[Pool]) -> list[str]:
    """The options in which each player differs from the others, in words."""
    return [_told(pool, _telling(found)) for pool in found]


def _told(pool: Pool, names: Sequence[str]) -> str:
    return ", ".join(
        f"{name.replace('_', ' ')} {_word(pool.options[name])}"
        for name in names
        if pool.options[name] is not None
    )


def _word(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _published(options: Mapping[str, Any]) -> tuple[int, int, str] | None:
    """Wins and games of the paper's player that this one stands beside, and why."""
    for title, like in BESIDE.items():
        for printed in PRINTED:
            asked = like | {"stacks": printed.stacks, "look_ahead": printed.look_ahead, "keep": printed.keep}
            if all(options[name] == asked[name] for name in OPTIONS):
                games, wins = max(printed.wins.items())
                return wins, games, title
    return None


def _players(found: Sequence[Pool], names: Sequence[str], source: str, partial: bool) -> Section:
    rows: list[dict[str, Any]] = []
    beside = []
    telling = _telling(found)
    others = [name for name in OPTIONS if name not in telling]
    for pool in found:
        row: dict[str, Any] = pool.options | figures(pool.rows)
        row["won_share"] = row["won_share_min"]  # every game ends
        printed = _published(pool.options)
        if printed is not None:
            wins, games, like = printed
            low, high = wilson(wins, games)
            ours = row["won_share_min"], row["won_share_low"], row["won_share_high"]
            below, above = difference(*ours, wins / games, low, high)
            row |= {
                "published_share": wins / games,
                "published_share_low": low,
                "published_share_high": high,
                "published_games_count": games,
                "difference": ours[0] - wins / games,
                "difference_low": below,
                "difference_high": above,
                "beside": like,
            }
        beside.append(printed)
        rows.append(row)
    keys = ", ".join(f"{made} AS {column_sql(name)}" for name, made in _keys().items())
    with_published = (
        Column("published_share", "published", PERCENT, "published_share_low", "published_share_high"),
        Column("published_games_count", "of games"),
        Column("difference", "difference", PERCENT, "difference_low", "difference_high", signed=True),
        Column("beside", "published player like"),
    )
    told = [Value.of(row, "published_share") for row in rows]
    return Section(
        name="players",
        title="Games that players win",
        columns=(
            *(Column(name, name) for name in telling),
            Column("deals_count", "deals"),
            Column("won_count", "won"),
            Column("won_share", "won", PERCENT, "won_share_low", "won_share_high"),
            *(with_published if any(beside) else ()),
            Column("deals_per_s", "deals a second"),
            Column("missing_share", "look-ups not in the table", PERCENT),
        ),
        rows=tuple(rows),
        query=(
            f"WITH counted AS (\n    SELECT {keys},\n        count(*) AS deals_count,\n"
            "        count(*) FILTER (outcome = 'won') AS won_count,\n"
            "        sum(missing_count) / nullif(sum(lookups_count), 0) AS missing_share\n"
            f"    FROM {source} GROUP BY ALL\n)\n"
            f"SELECT *,\n    {share_sql('won_share', 'won_count', 'deals_count')}\nFROM counted ORDER BY ALL"
        ),
        chart=Dots(
            Axis("games that are won", PERCENT),
            tuple(names),
            (
                DotSeries(
                    "ours",
                    tuple(Value.of(row, "won_share") for row in rows),
                ),
                *([DotSeries("published", tuple(told), published=True)] if any(told) else ()),
            ),
        ),
        notes=(
            f"All of them: {_told(found[0], others)}.",
            WILSON,
            *([PUBLISHED] if any(beside) else ()),
            *(remark for pool in found for remark in pool.unfinished),
        ),
        runs=tuple(run.name for pool in found for run in pool.runs),
        partial=partial,
    )


def _keys() -> dict[str, str]:
    return {
        name: f"CASE WHEN {IDLE[name]} THEN {name} END" if name in IDLE else column_sql(name)
        for name in OPTIONS
    }


def _pairs(found: Sequence[Pool], names: Sequence[str], source: str, partial: bool) -> Iterator[Section]:
    """Of players of the same game on the same decks."""
    by_options = {tuple(pool.options.values()): name for pool, name in zip(found, names, strict=True)}
    rows = []
    for each in pairs_of(list(found)):
        row = {key: value for key, value in each.items() if key not in ("first", "second")}
        sides = {side: by_options[tuple(each[side].values())] for side in ("first", "second")}
        rows.append(sides | row)
    if not rows:
        return
    players = ",\n        ".join(
        f"({place}, {literal_sql(name)}, {', '.join(literal_sql(pool.options[each]) for each in OPTIONS)})"
        for place, (pool, name) in enumerate(zip(found, names, strict=True))
    )
    same = " AND ".join(
        f"players.{column_sql(name)} IS NOT DISTINCT FROM "
        + (
            f"CASE WHEN games.{IDLE[name]} THEN games.{name} END"
            if name in IDLE
            else f"games.{column_sql(name)}"
        )
        for name in OPTIONS
    )
    yield Section(
        name="pairs",
        title="The same decks played by two players: rate of the first less that of the second",
        columns=(
            Column("first", "first"),
            Column("second", "second"),
            Column("deals_count", "deals"),
            Column("only_first_count", "only the first wins"),
            Column("only_second_count", "only the second"),
            Column("difference", "difference", PERCENT, "difference_low", "difference_high", signed=True),
            Column("p_value", "p"),
        ),
        rows=tuple(rows),
        query=(
            f"WITH players(place, player, {', '.join(map(column_sql, OPTIONS))}) AS (\n"
            f"    VALUES {players}\n), played AS (\n"
            "    SELECT place, player, games.ranks, games.stacks, seed, deal_index, outcome = 'won' AS won\n"
            f"    FROM {source} AS games JOIN players ON {same}\n)\n"
            "SELECT a.player AS first, b.player AS second, count(*) AS deals_count,\n"
            "    count(*) FILTER (a.won AND NOT b.won) AS only_first_count,\n"
            "    count(*) FILTER (b.won AND NOT a.won) AS only_second_count,\n"
            "    avg(a.won::INTEGER - b.won::INTEGER) AS difference\n"
            "FROM played AS a JOIN played AS b USING (ranks, stacks, seed, deal_index)\n"
            "WHERE a.place < b.place GROUP BY ALL ORDER BY ALL"
        ),
        chart=Dots(
            Axis("difference", PERCENT),
            tuple(f"{row['first']} less {row['second']}" for row in rows),
            (
                DotSeries(
                    "difference",
                    tuple(Value.of(row, "difference") for row in rows),
                ),
            ),
        ),
        notes=(PAIRED,),
        runs=tuple(run.name for pool in found for run in pool.runs),
        partial=partial,
    )
