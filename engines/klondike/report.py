"""``yamafuda report klondike``: shares of random deals that can be won, and the effect of the last cards."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engines.contract.game import Roots
from engines.klondike.game import Klondike
from engines.solitaire import report as solitaire
from engines.statistics.intervals import wilson
from engines.text.columns import aligned

if TYPE_CHECKING:
    from engines.solitaire.pools import Pool

GAME = Klondike()


def report(roots: Roots, as_json: bool) -> bool:
    """Print shares of deals that can be won.

    JSON has a line for each set of rules, and for each pair that differs in the last cards. Status 1 when a deal is
    lost with the last cards dealt and won without them, which is impossible.
    """
    found = solitaire.read_pools(GAME, roots)
    pairs = list(pairs_of(found))
    solitaire.report_pools(GAME, found, roots, as_json)
    if as_json:
        for each in pairs:
            print(json.dumps(each))
    elif pairs:
        print("\n".join(["", *_last_cards(pairs)]))
    return not any(pair["won_only_without_count"] for pair in pairs)


def pairs_of(found: Sequence[Pool]) -> Iterator[dict[str, Any]]:
    """Deals that were searched both with the last cards dealt when the waste is empty, and without."""
    by_rules = {tuple(pool.told.values()): pool for pool in found}
    for pool in found:
        without = by_rules.get(tuple((pool.told | {"deal_last": False}).values()))
        if not pool.told["deal_last"] or without is None:
            continue
        keys = ["seed", "deal_index"]
        both = (
            pool.rows.select([*keys, "outcome"])
            .join(without.rows.select([*keys, "outcome"]), keys, right_suffix="_without", join_type="inner")
            .group_by(["outcome", "outcome_without"])
            .aggregate([([], "count_all")])
            .to_pylist()
        )
        counts = {(row["outcome"], row["outcome_without"]): row["count_all"] for row in both}
        if not counts:
            continue
        count, depend = sum(counts.values()), counts.get(("won", "lost"), 0)
        open_count = sum(number for outcomes, number in counts.items() if "undecided" in outcomes)
        yield {
            **{name: value for name, value in pool.told.items() if name != "deal_last"},
            "deals_count": count,
            "won_count": counts.get(("won", "won"), 0),
            "lost_count": counts.get(("lost", "lost"), 0),
            "won_only_with_count": depend,
            "won_only_without_count": counts.get(("lost", "won"), 0),
            "open_count": open_count,
            "won_only_with_share_low": wilson(depend, count)[0],
            "won_only_with_share_high": wilson(depend + open_count, count)[1],
        }


def _last_cards(pairs: list[dict[str, Any]]) -> Iterator[str]:
    yield "The same deals with the last cards dealt when the waste is empty, and without"
    rows: list[tuple[str, ...]] = [
        (
            *solitaire.head(GAME, _rules(pairs[0])),
            "deals",
            "both won",
            "both lost",
            "only with",
            "%",
            "only without",
            "open",
        )
    ]
    for each in pairs:
        names = ("deals", "won", "lost", "won_only_with")
        rows.append(
            (
                *solitaire.cells(GAME, _rules(each)),
                *(f"{each[f'{name}_count']:,}" for name in names),
                solitaire.interval(each, "won_only_with_share"),
                f"{each['won_only_without_count']:,}",
                f"{each['open_count']:,}",
            )
        )
    yield from aligned(rows)


def _rules(pair: dict[str, Any]) -> dict[str, Any]:
    """The rules among the figures of a pair, all but the one that differs."""
    return {
        name: value for name, value in pair.items() if name in vars(GAME.options()) and name != "deal_last"
    }
