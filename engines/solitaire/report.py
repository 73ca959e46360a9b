"""``yamafuda report`` of every solitaire: shares of random deals that can be won, beside published ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.game import Roots
from engines.contract.options import options_of
from engines.solitaire.game import Solitaire
from engines.statistics.intervals import difference
from engines.text.columns import NONE, aligned
from engines.text.words import count_of

if TYPE_CHECKING:
    from engines.solitaire.pools import Pool


def report_of(game: Solitaire[Any, Any, Any], verb: str) -> Callable[[Roots, bool], bool]:
    """The game's function for the verb, which is ``report``."""

    def report(roots: Roots, as_json: bool) -> bool:
        """Print the shares of random deals that can be won.

        Also the work of the searches. JSON has a line for each row.
        """
        report_pools(game, read_pools(game, roots), roots, as_json)
        return True

    return report


def read_pools(game: Solitaire[Any, Any, Any], roots: Roots) -> list[Pool]:
    """The pools of the runs below the roots."""
    from engines.solitaire.pools import pools

    return pools(game, roots.sweep_runs)


def report_pools(game: Solitaire[Any, Any, Any], found: Sequence[Pool], roots: Roots, as_json: bool) -> None:
    """Print the figures of each pool."""
    rates = [rates_of(game, pool) for pool in found]
    if as_json:
        for pool, each in zip(found, rates, strict=True):
            print(json.dumps(each | intervals_of(game, pool)))
        return
    print_tables(game, found, rates)
    print(f"{count_of(len(found), 'set of rules', 'sets of rules')}; runs are in {roots.results.resolve()}")


def print_tables(game: Solitaire[Any, Any, Any], found: Sequence[Pool], rates: list[dict[str, Any]]) -> None:
    """Print the tables of pools; ``rates`` are their figures."""
    for table in (_shares, _searches):
        if found:
            print("\n".join([*table(game, found, rates), ""]))


def rates_of(game: Solitaire[Any, Any, Any], pool: Pool) -> dict[str, Any]:
    """The figures of a pool; options that make no difference are null.

    ``published_difference_low`` to ``_high`` is the 95% interval of our share less the published one
    (``engines.statistics.intervals.difference``), wide enough for every outcome of open deals; the shares are
    ``published_consistent`` if 0 is in it. Of twenty equal shares one is expected to fail this.
    """
    from engines.solitaire.figures import figures

    found = figures(game, pool.rows, game.published(pool.options, **pool.sizes))
    if "published_source" in found:
        theirs = tuple(found[f"published_won_share{end}"] for end in ("", "_low", "_high"))
        shares = [
            difference(found[share], found["won_share_low"], found["won_share_high"], *theirs)
            for share in ("won_share_min", "won_share_max")
        ]
        low, high = shares[0][0], shares[1][1]
        found |= {
            "published_difference_low": low,
            "published_difference_high": high,
            "published_consistent": low <= 0 <= high,
        }
    return pool.told | found | {"unfinished": pool.unfinished}


def intervals_of(game: Solitaire[Any, Any, Any], pool: Pool) -> dict[str, Any]:
    """The intervals of the means among the figures of a pool."""
    from engines.solitaire.figures import measures
    from engines.statistics.measures import mean_intervals

    return mean_intervals(measures(game, pool.rows))


def head(game: Solitaire[Any, Any, Any], told: dict[str, Any]) -> list[str]:
    """Heads of the columns of sizes and options."""
    labels = {each.name: each.label for each in options_of(game.options)}
    return [labels.get(name, name) for name in told]


def cells(game: Solitaire[Any, Any, Any], told: dict[str, Any]) -> list[str]:
    """Sizes and options in these columns."""
    words = {each.name: each.none for each in options_of(game.options)}
    found = []
    for name, value in told.items():
        if value is None:
            found.append(words.get(name) or NONE)
        else:
            found.append({True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value))
    return found


def interval(values: dict[str, Any], name: str) -> str:
    """A 95% interval of a share, in percent."""
    return f"{percent(values[f'{name}_low'])} to {percent(values[f'{name}_high'])}"


def percent(share: float) -> str:
    """A share in percent, without the sign."""
    return f"{100 * share:.2f}"


def _shares(
    game: Solitaire[Any, Any, Any], found: Sequence[Pool], rates: list[dict[str, Any]]
) -> Iterator[str]:
    yield "Random deals that can be won with all cards known, in percent with 95% intervals"
    heads = ("deals", "won", "lost", "open", "won %", "")
    known = any("published_source" in each for each in rates)
    rows = [(*head(game, found[0].told), *heads, *(("published", "difference", "") if known else ()))]
    sources: dict[str, None] = {}
    for pool, each in zip(found, rates, strict=True):
        low, high = each["won_share_min"], each["won_share_max"]
        published = (NONE, NONE, "") if known else ()
        if "published_source" in each:
            sources[each["published_source"]] = None
            half = each["published_won_share_high"] - each["published_won_share"]
            published = (
                f"{100 * each['published_won_share']:.5g} ± {100 * half:.3g}",
                interval(each, "published_difference"),
                "consistent" if each["published_consistent"] else "differs",
            )
        rows.append(
            (
                *cells(game, pool.told),
                *(f"{each[f'{name}_count']:,}" for name in ("deals", "won", "lost", "open")),
                percent(low) if low == high else f"{percent(low)} to {percent(high)}",
                interval(each, "won_share"),
                *published,
            )
        )
    yield from aligned(rows)
    for option in options_of(game.options):
        if option.label != option.name:
            yield f"{option.label}: {option.help}"
    for source in sources:
        yield f"published: {source}"
    for pool in found:
        yield from pool.unfinished


def _searches(
    game: Solitaire[Any, Any, Any], found: Sequence[Pool], rates: list[dict[str, Any]]
) -> Iterator[str]:
    measures = {game.effort.removesuffix("_count"): None, "deal_s": "s", "moves": None}
    measures |= {name.removesuffix("_count"): None for name in game.counts}
    # A game may have counts that only another mode makes.
    there = [name for name in measures if any(each[f"{name}_mean"] is not None for each in rates)]
    yield "Their searches: work and seconds a deal, and the lengths of the solutions that were found"
    rows = [
        (
            *head(game, found[0].told),
            *(
                label
                for name in there
                for label in (f"{measures[name] or name.replace('_', ' ')} mean", "median", "p99")
            ),
        )
    ]
    for pool, each in zip(found, rates, strict=True):
        numbers = [_number(each[f"{name}_{which}"]) for name in there for which in ("mean", "median", "p99")]
        rows.append((*cells(game, pool.told), *numbers))
    yield from aligned(rows)


def _number(value: float | None) -> str:
    if value is None:
        return NONE
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
