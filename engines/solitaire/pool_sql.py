"""SQL for the deals of pools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.game import Roots
from engines.contract.options import options_of
from engines.contract.registry import engine_class
from engines.solitaire.game import DECIDE, Solitaire
from engines.solitaire.sweep import SolitaireSweep
from engines.statistics.sql import column_sql, equal_sql, rows_sql, wilson_sql

if TYPE_CHECKING:
    from engines.solitaire.pools import Pool


class PoolSql:
    """SQL for the pools of a game from certain runs."""

    def __init__(self, game: Solitaire[Any, Any, Any], found: Sequence[Pool], roots: Roots) -> None:
        jobs = [name for name in game.jobs if issubclass(engine_class(name), SolitaireSweep)]
        told = list(found[0].told)
        runs = None if roots.chosen is None else [run for pool in found for run in pool.runs]
        key = (*told, "seed", "deal_index")
        sources = [rows_sql(job, runs, key) for job in (jobs if runs is None else jobs[:1])]
        self.source = (
            sources[0]
            if len(sources) == 1
            else f"({' UNION ALL BY NAME '.join(f'FROM {each}' for each in sources)})"
        )
        self.runs = tuple(run.name for pool in found for run in pool.runs)
        self.partial = runs is None and any(pool.unfinished for pool in found)
        with_mode = any(hasattr(engine_class(job).job_type(), "mode") for job in jobs)
        self.condition = "seed IS NOT NULL" + (f" AND mode = '{DECIDE}'" if with_mode else "")
        self.keys = {name: _key(game, name, found) for name in told}

    def shares(self) -> str:
        """Counts and shares of won deals, a row for each pool."""
        keys = ", ".join(f"{made} AS {column_sql(name)}" for name, made in self.keys.items())
        low, _ = wilson_sql("won_count", "deals_count")
        _, high = wilson_sql("won_count + open_count", "deals_count")
        return (
            f"WITH counted AS (\n    SELECT {keys}, count(*) AS deals_count,\n"
            "        count(*) FILTER (outcome = 'won' OR moves_count IS NOT NULL) AS won_count,\n"
            "        count(*) FILTER (outcome = 'lost') AS lost_count\n"
            f"    FROM {self.source} WHERE {self.condition} GROUP BY ALL\n)\n"
            "SELECT *, deals_count - won_count - lost_count AS open_count,\n"
            "    won_count / deals_count AS won_share_min,\n"
            "    (deals_count - lost_count) / deals_count AS won_share_max,\n"
            f"    {low} AS won_share_low,\n    {high} AS won_share_high\n"
            "FROM counted ORDER BY ALL"
        )


def _key(game: Solitaire[Any, Any, Any], name: str, found: Sequence[Pool]) -> str:
    """A size or an option, null where it makes no difference, given the others."""
    nullable = {each.name: bool(each.none) for each in options_of(game.options)}
    if nullable.get(name, True):
        return column_sql(name)
    conditions: dict[str, None] = {}
    for pool in found:
        if pool.told[name] is None:
            told = {
                other: value
                for other, value in pool.told.items()
                if value is not None or nullable.get(other, False)
            }
            conditions[" AND ".join(equal_sql(*each) for each in told.items())] = None
    if not conditions:
        return column_sql(name)
    return f"CASE WHEN {' OR '.join(conditions)} THEN NULL ELSE {column_sql(name)} END"
