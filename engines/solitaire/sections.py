"""Sections of a report on a solitaire: figures of the shares of won deals, and of the work of searches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.chart import PERCENT, SECONDS, Axis, Dots, DotSeries, Value
from engines.contract.game import Roots
from engines.contract.options import options_of
from engines.contract.section import Column, Section
from engines.solitaire.game import Solitaire
from engines.solitaire.pool_sql import PoolSql
from engines.solitaire.report import cells, rates_of, read_pools
from engines.statistics.quantiles import Group, quantile_section
from engines.text.columns import NONE

if TYPE_CHECKING:
    from engines.solitaire.pools import Pool

WILSON = "95% intervals of shares are Wilson's."
OPEN = "Open deals may be won or lost: the thick line goes from none of them won to all; the interval covers both."
WON_COLUMNS = (
    Column("deals_count", "deals"),
    Column("won_count", "won"),
    Column("lost_count", "lost"),
    Column("open_count", "open"),
    Column("won_share_min", "won", PERCENT, "won_share_low", "won_share_high"),
    Column("won_share_max", "won if all open ones are", PERCENT),
)
PUBLISHED_COLUMNS = (
    Column(
        "published_won_share", "published", PERCENT, "published_won_share_low", "published_won_share_high"
    ),
    Column("difference", "ours less published", PERCENT, "difference_low", "difference_high", signed=True),
)


def sections_of(game: Solitaire[Any, Any, Any], verb: str) -> Callable[[Roots], Iterable[Section]]:
    """The game's function for the verb, which is ``sections``."""

    def sections(roots: Roots) -> Iterable[Section]:
        """Shares of random deals that can be won, and the work of the searches."""
        return pool_sections(game, read_pools(game, roots), roots)

    return sections


def pool_sections(game: Solitaire[Any, Any, Any], found: Sequence[Pool], roots: Roots) -> Iterator[Section]:
    """The sections of pools; none without any."""
    if not found:
        return
    sql = PoolSql(game, found, roots)
    yield _shares(game, found, sql)
    work = game.effort.removesuffix("_count").replace("_", " ")
    yield _spread(game, found, sql, game.effort, Axis(f"{work} of a search", work))
    yield _spread(game, found, sql, "elapsed_s", Axis("processor time of a search", SECONDS))


def key_columns(game: Solitaire[Any, Any, Any], told: Mapping[str, Any]) -> tuple[Column, ...]:
    """Columns of sizes and options."""
    words = {each.name: each.none for each in options_of(game.options)}
    return tuple(Column(name, name, none=words.get(name) or NONE) for name in told)


def names_of(game: Solitaire[Any, Any, Any], told: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sizes and options that differ, in words; for a single pool all of them."""
    differing = [name for name in told[0] if len({str(each[name]) for each in told}) > 1] or list(told[0])
    names = []
    for each in told:
        chosen = {name: each[name] for name in differing}
        pairs = zip(chosen, cells(game, chosen), strict=True)
        names.append(", ".join(f"{name.replace('_', ' ')} {cell}" for name, cell in pairs if cell != NONE))
    return names


def _shares(game: Solitaire[Any, Any, Any], found: Sequence[Pool], sql: PoolSql) -> Section:
    rows = [rates_of(game, pool) for pool in found]
    ours = [
        Value(row["won_share_min"], row["won_share_low"], row["won_share_high"], row["won_share_max"])
        for row in rows
    ]
    sources = dict.fromkeys(row["published_source"] for row in rows if "published_source" in row)
    theirs = [Value.of(row, "published_won_share") for row in rows]
    for row in rows:
        if "published_source" in row:
            row["difference"] = row["won_share_min"] - row["published_won_share"]
            row["difference_low"] = row["published_difference_low"]
            row["difference_high"] = row["published_difference_high"]
    labelled = [each for each in options_of(game.options) if each.label != each.name]
    return Section(
        name="won",
        title="Random deals that can be won with all cards known",
        columns=(*key_columns(game, found[0].told), *WON_COLUMNS, *(PUBLISHED_COLUMNS if sources else ())),
        rows=tuple(rows),
        query=sql.shares(),
        chart=Dots(
            Axis("deals that can be won", PERCENT),
            tuple(names_of(game, [pool.told for pool in found])),
            (
                DotSeries("ours", tuple(ours)),
                *([DotSeries("published", tuple(theirs), published=True)] if sources else ()),
            ),
        ),
        notes=(
            WILSON,
            *([OPEN] if any(row["open_count"] for row in rows) else []),
            *(f"{each.name.replace('_', ' ')}: {each.help}" for each in labelled),
            *(f"Published: {source}." for source in sources),
            *(remark for pool in found for remark in pool.unfinished),
        ),
        runs=sql.runs,
        partial=sql.partial,
    )


def _spread(
    game: Solitaire[Any, Any, Any], found: Sequence[Pool], sql: PoolSql, measure: str, axis: Axis
) -> Section:
    """Work of decided deals: one that hit a limit would take more. A single pool is split by outcome."""
    by_outcome = len(found) == 1
    groups, keys = [], list(key_columns(game, found[0].told))
    if by_outcome:
        keys.append(Column("outcome", "outcome"))
    for name, pool in zip(names_of(game, [pool.told for pool in found]), found, strict=True):
        outcomes = pool.rows["outcome"].to_pylist()
        values = pool.rows[measure].to_pylist()
        for chosen in ("won", "lost") if by_outcome else ("",):
            told = [
                value
                for value, outcome in zip(values, outcomes, strict=True)
                if value is not None and outcome != "undecided" and chosen in ("", outcome)
            ]
            if told:
                key = pool.told | ({"outcome": chosen} if by_outcome else {})
                groups.append(Group(chosen or name, key, told))
    return quantile_section(
        measure.removesuffix("_count").replace("_", "-"),
        f"{axis.title[0].upper()}{axis.title[1:]}, of deals that are decided",
        measure,
        axis,
        groups,
        keys,
        sql.source,
        f"{sql.condition} AND outcome <> 'undecided' AND {measure} IS NOT NULL",
        key_sql=sql.keys | ({"outcome": "outcome"} if by_outcome else {}),
        runs=sql.runs,
        partial=sql.partial,
    )
