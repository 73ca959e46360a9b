"""``yamafuda report klondike``: shares of random deals that can be won, by rules, beside published ones."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engines.contract.game import Roots
from engines.klondike.rules import RedealRule, Rules
from engines.reporting import NONE, aligned, first_rows, run_plan
from engines.statistics.intervals import difference, wilson
from storage.layout import run_folders

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = [
    "seed", "deal_index", "outcome", "elapsed_s", "states_count", "moves_count", "redeals_count", "peak_bytes"
]  # fmt: skip
"""What is read of a run's rows."""


@dataclass(frozen=True)
class Pool:
    """The random deals of all runs by the same rules, each once."""

    rules: Rules
    """As ``effective`` has them."""
    rows: pa.Table
    """``COLUMNS``, in the order of seed and index."""
    unfinished: list[str]
    """A remark on each run that is not done."""


def report(roots: Roots, as_json: bool) -> bool:
    """Print the shares from the runs below the roots; instead a JSON object for each set of rules and each pair.

    False when a deal is lost with the last cards dealt and won without them, which cannot be.
    """
    results = roots.results
    found = pools(results)
    rates = [_rates(pool) for pool in found]
    pairs = list(_pairs(found))
    if as_json:
        for each in rates + pairs:
            print(json.dumps(each))
    else:
        for table in (_shares, _searches):
            if found:
                print("\n".join([*table(found, rates), ""]))
        if pairs:
            print("\n".join([*_last_cards(pairs), ""]))
        print(f"{len(found)} sets of rules; runs are in {results.resolve()}")
    return not any(pair["won_only_without_count"] for pair in pairs)


def effective(rules: Rules) -> Rules:
    """The rules with options that make no difference as in the standard game.

    When one card is dealt at once, no fewer can be left; and the last cards only ever need leave to be dealt under
    ``carry``.
    """
    if rules.draw == 1 or rules.redeal_rule == RedealRule.standard:
        return replace(rules, redeal_rule=RedealRule.standard, deal_last=True)
    return rules


def pools(results: Path) -> list[Pool]:
    """What the sweeps that decide deals of a seed have found, by rules.

    A deal that several runs have counts once, as decided if one has decided it. Of a run that is not done, or has
    units that failed, the deals before the first one that is missing count: those after it would be the quick ones.
    """
    import pyarrow as pa

    from storage.dataset import part_paths

    tables: dict[Rules, list[pa.Table]] = {}
    unfinished: dict[Rules, list[str]] = {}
    for run_dir in run_folders([results]):
        plan = run_plan(run_dir)
        job = plan["job"]
        of_seed = job.get("name") == "klondike_sweep" and job.get("seed") is not None
        if not of_seed or job.get("mode") != "decide" or not part_paths(run_dir):
            continue
        rows = first_rows(run_dir, COLUMNS)
        if len(rows) == 0:
            continue
        rules = _job_rules(job)
        tables.setdefault(rules, []).append(rows)
        if len(rows) < plan["items_count"]:
            remark = f"{run_dir.name}: not done, {len(rows):,} of {plan['items_count']:,} deals count"
            unfinished.setdefault(rules, []).append(remark)
    return [
        Pool(rules, _once(pa.concat_tables(tables[rules])), unfinished.get(rules, []))
        for rules in sorted(tables, key=_order)
    ]


def _job_rules(job: dict[str, Any]) -> Rules:
    return effective(
        Rules(
            draw=job["draw"],
            redeals=job["redeals"],
            redeal_rule=RedealRule(job["redeal_rule"]),
            deal_last=job["deal_last"],
            foundation_back=job["foundation_back"],
        )
    )


def _once(rows: pa.Table) -> pa.Table:
    """Each deal once: one that is decided rather than one that is open."""
    import pyarrow as pa
    import pyarrow.compute as pc

    is_open = pc.equal(rows["outcome"], "undecided")
    keys = [("seed", "ascending"), ("deal_index", "ascending"), ("is_open", "ascending")]
    order = pc.sort_indices(rows.append_column("is_open", is_open), sort_keys=keys)
    rows = rows.take(order).combine_chunks()
    differs = pc.or_(*(pc.not_equal(rows[name][1:], rows[name][:-1]) for name in ("seed", "deal_index")))
    return rows.filter(pa.chunked_array([pa.array([True]), *differs.chunks]))


def _rates(pool: Pool) -> dict[str, Any]:
    """The figures of a set of rules; options that make no difference are null.

    ``published_difference_low`` to ``_high`` is the 95% interval of our share less the published one
    (``engines.statistics.intervals.difference``), wide enough for every outcome of the deals that are open; the shares
    are ``published_consistent`` if it holds 0. Of twenty shares that are equal one is expected to fail this.
    """
    from engines.klondike.figures import figures

    rules, found = pool.rules, figures(pool.rules, True, pool.rows)
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
    return _options(rules) | found | {"unfinished": pool.unfinished}


def _pairs(found: list[Pool]) -> Iterator[dict[str, Any]]:
    """Deals that were searched both with the last cards dealt when the waste is empty, and without."""
    by_rules = {pool.rules: pool for pool in found}
    for pool in found:
        without = by_rules.get(replace(pool.rules, deal_last=False))
        if not pool.rules.deal_last or without is None:
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
            **{name: value for name, value in _options(pool.rules).items() if name != "deal_last"},
            "deals_count": count,
            "won_count": counts.get(("won", "won"), 0),
            "lost_count": counts.get(("lost", "lost"), 0),
            "won_only_with_count": depend,
            "won_only_without_count": counts.get(("lost", "won"), 0),
            "open_count": open_count,
            "won_only_with_share_low": wilson(depend, count)[0],
            "won_only_with_share_high": wilson(depend + open_count, count)[1],
        }


def _options(rules: Rules) -> dict[str, Any]:
    carries = rules.draw > 1 and rules.redeal_rule == RedealRule.carry
    return {
        "draw": rules.draw,
        "redeals": rules.redeals,
        "redeal_rule": None if rules.draw == 1 else rules.redeal_rule.value,
        "deal_last": rules.deal_last if carries else None,
        "foundation_back": rules.foundation_back,
    }


def _order(rules: Rules) -> tuple[Any, ...]:
    redeals = math.inf if rules.redeals is None else rules.redeals
    return -rules.draw, rules.redeal_rule, not rules.deal_last, rules.foundation_back, redeals


HEAD = ("draw", "rule", "last", "back", "redeals")


def _head(options: dict[str, Any]) -> tuple[str, ...]:
    """The rules, in the columns of ``HEAD``."""
    words = {True: "yes", False: "no", None: NONE}
    return (
        str(options["draw"]),
        options["redeal_rule"] or NONE,
        words[options.get("deal_last")],
        words[options["foundation_back"]],
        "unlimited" if options["redeals"] is None else str(options["redeals"]),
    )


def _shares(found: list[Pool], rates: list[dict[str, Any]]) -> Iterator[str]:
    yield "Random deals that can be won with all cards known, in percent with 95% intervals"
    rows: list[tuple[str, ...]] = [
        (*HEAD, "deals", "won", "lost", "open", "won %", "", "published", "difference", "")
    ]
    sources: dict[str, None] = {}
    for each in rates:
        low, high = each["won_share_min"], each["won_share_max"]
        published = (NONE, NONE, "")
        if "published_source" in each:
            sources[each["published_source"]] = None
            half = each["published_won_share_high"] - each["published_won_share"]
            published = (
                f"{100 * each['published_won_share']:.5g} ± {100 * half:.3g}",
                _interval(each, "published_difference"),
                "consistent" if each["published_consistent"] else "differs",
            )
        rows.append(
            (
                *_head(each),
                *(f"{each[f'{name}_count']:,}" for name in ("deals", "won", "lost", "open")),
                _percent(low) if low == high else f"{_percent(low)} to {_percent(high)}",
                _interval(each, "won_share"),
                *published,
            )
        )
    yield from aligned(rows)
    yield "last: the last cards, fewer than draw, are dealt when the waste is empty; back: from foundations"
    for source in sources:
        yield f"published: {source}"
    for pool in found:
        yield from pool.unfinished


def _searches(found: list[Pool], rates: list[dict[str, Any]]) -> Iterator[str]:
    yield "Their searches: states and seconds a deal, redeals of the solutions that were found"
    measures = ("mean", "median", "p99")
    rows: list[tuple[str, ...]] = [
        (*HEAD, *(f"{name} {measure}" for name in ("states", "s", "redeals") for measure in measures), "max"),
    ]
    for each in rates:
        numbers = [f"{each[f'states_{measure}']:,.0f}" for measure in measures]
        numbers += [f"{each[f'deal_s_{measure}']:.3g}" for measure in measures]
        redeals = [each[f"redeals_{measure}"] for measure in (*measures, "max")]
        numbers += [NONE if number is None else f"{number:.3g}" for number in redeals]
        rows.append((*_head(each), *numbers))
    yield from aligned(rows)


def _last_cards(pairs: list[dict[str, Any]]) -> Iterator[str]:
    yield "The same deals with the last cards dealt when the waste is empty, and without"
    rows: list[tuple[str, ...]] = [
        (*HEAD[:2], *HEAD[3:], "deals", "both won", "both lost", "only with", "%", "only without", "open")
    ]
    for each in pairs:
        names = ("deals", "won", "lost", "won_only_with")
        rows.append(
            (
                *_head(each)[:2],
                *_head(each)[3:],
                *(f"{each[f'{name}_count']:,}" for name in names),
                _interval(each, "won_only_with_share"),
                f"{each['won_only_without_count']:,}",
                f"{each['open_count']:,}",
            )
        )
    yield from aligned(rows)


def _interval(values: dict[str, Any], name: str) -> str:
    return f"{_percent(values[f'{name}_low'])} to {_percent(values[f'{name}_high'])}"


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
