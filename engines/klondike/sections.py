"""Sections of a report on Klondike: those of all solitaires, and the effect of the last cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.chart import PERCENT, Axis, Dots, DotSeries, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.klondike.report import GAME, pairs_of
from engines.solitaire.pool_sql import PoolSql
from engines.solitaire.report import read_pools
from engines.solitaire.sections import WILSON, key_columns, names_of, pool_sections
from engines.statistics.sql import column_sql, share_sql

if TYPE_CHECKING:
    from engines.solitaire.pools import Pool


def sections(roots: Roots) -> Iterable[Section]:
    """Shares, states and times of pools, then pairs that differ in the last cards."""
    found = read_pools(GAME, roots)
    yield from pool_sections(GAME, found, roots)
    yield from _last_cards(found, roots)


def _last_cards(found: Sequence[Pool], roots: Roots) -> Iterator[Section]:
    rows = [
        row | {"won_only_with_share": row["won_only_with_count"] / row["deals_count"]}
        for row in pairs_of(found)
    ]
    if not rows:
        return
    sql = PoolSql(GAME, found, roots)
    rules = [name for name in found[0].told if name != "deal_last"]
    told: list[Mapping[str, Any]] = [{name: row[name] for name in rules} for row in rows]
    yield Section(
        name="last-cards",
        title="The same deals with the last cards dealt when the waste is empty, and without",
        columns=(
            *key_columns(GAME, told[0]),
            Column("deals_count", "deals"),
            Column("won_count", "both won"),
            Column("lost_count", "both lost"),
            Column(
                "won_only_with_share",
                "only with",
                PERCENT,
                "won_only_with_share_low",
                "won_only_with_share_high",
            ),
            Column("won_only_without_count", "only without"),
            Column("open_count", "open"),
        ),
        rows=tuple(rows),
        query=_query(rules, sql),
        chart=Dots(
            Axis("deals that are won only with the last cards dealt", PERCENT),
            tuple(names_of(GAME, told)),
            (DotSeries("share", tuple(Value.of(row, "won_only_with_share") for row in rows)),),
        ),
        notes=(WILSON, "A deal that is won without the last cards dealt is won with them."),
        runs=sql.runs,
        partial=sql.partial,
    )


def _query(rules: Sequence[str], sql: PoolSql) -> str:
    keys = ", ".join(f"{sql.keys[name]} AS {column_sql(name)}" for name in rules)
    same = " AND ".join(f"a.{column_sql(name)} IS NOT DISTINCT FROM b.{column_sql(name)}" for name in rules)
    told = ", ".join(f"a.{column_sql(name)}" for name in rules)
    share = share_sql(
        "won_only_with_share", "won_only_with_count", "deals_count", "won_only_with_count + open_count"
    )

    def count(ours: str, theirs: str) -> str:
        return f"count(*) FILTER (a.outcome = '{ours}' AND b.outcome = '{theirs}')"

    return (
        f"WITH deals AS (\n    SELECT {keys}, deal_last, seed, deal_index, outcome\n"
        f"    FROM {sql.source} WHERE {sql.condition} AND draw > 1 AND redeal_rule = 'carry'\n), counted AS (\n"
        f"    SELECT {told}, count(*) AS deals_count,\n        {count('won', 'won')} AS won_count,\n"
        f"        {count('lost', 'lost')} AS lost_count,\n        {count('won', 'lost')} AS won_only_with_count,\n"
        f"        {count('lost', 'won')} AS won_only_without_count,\n"
        "        count(*) FILTER (a.outcome = 'undecided' OR b.outcome = 'undecided') AS open_count\n"
        f"    FROM deals AS a JOIN deals AS b ON a.deal_last AND NOT b.deal_last\n"
        f"        AND a.seed = b.seed AND a.deal_index = b.deal_index AND {same}\n    GROUP BY ALL\n)\n"
        f"SELECT *,\n    {share}\nFROM counted ORDER BY ALL"
    )
