"""Sections of a report on trick taking: who wins, what leading costs, and how many deals obey each statement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engines.contract.chart import PERCENT, Axis, Curve, Curves, Dots, DotSeries, Part, Parts, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.statistics.sql import column_sql
from engines.tricks.report import Share, counterexample_words, largest, read_shares

EXACT = "All deals are counted: there is no interval."
COST = "What leading costs: the mean of point cards that who leads has less than leading second."
COST_OF_AVOIDED = "What leading costs: the mean of point cards that who leads has more than leading second."
CURVES_MOST = 6
_DEALS = "(factorial(2 * cards) // factorial(cards) // factorial(cards))::BIGINT"
"""All deals of two hands of so many cards, in SQL."""
COUNTED = (
    Column("deals_count", "deals"),
    Column("leader_won_share", "the leader wins", PERCENT),
    Column("drawn_share", "drawn", PERCENT),
    Column("leader_lost_share", "the leader loses", PERCENT),
    Column("leading_cost", "leading costs", "point cards"),
)


def sections(roots: Roots) -> Iterable[Section]:
    """Of the largest table of each kind of point cards, then of statements."""
    tables = largest(roots.table_runs, "tricks_table")
    for rules, shares in read_shares(roots.table_runs).items():
        run = tables[rules]["folder"].name
        if rules[0] == "anywhere":
            yield _anywhere(shares, run)
        else:
            yield _who_wins(shares, run)
            yield _costs(shares, run)
    for _, summary in sorted(largest(roots.sweep_runs, "tricks_theorems").items()):
        yield from _statements(summary)


def _rules(share: Share) -> str:
    return f"the k {share.points} point cards {'to be won' if share.aim == 'most' else 'to be avoided'}"


def _name(kind: str, share: Share) -> str:
    return f"{kind}-{share.points}-{share.aim}"


def _row(share: Share) -> dict[str, Any]:
    counts = {
        "leader_won": share.leader_won_count,
        "drawn": share.drawn_count,
        "leader_lost": share.leader_lost_count,
    }
    return {
        "cards": share.cards,
        "above": share.above,
        "k": share.k,
        "deals_count": share.deals_count,
        **{f"{name}_share": count / share.deals_count for name, count in counts.items()},
        "leading_cost": share.leading_cost,
    }


def _query(run: str, share: Share, key: str, cards: Sequence[int], more: str = "") -> str:
    """Sums over the shards of layers; ``key``: what gives the place of a choice in their lists."""
    sign = "" if share.aim == "most" else "-"
    lists = ("leader_won_count", "drawn_count", "leader_points_sum")
    unnested = ", ".join(f"unnest({name}) AS {name}" for name in lists)
    summed = ", ".join(f"sum({name})::BIGINT AS {name}" for name in lists)
    return (
        f"WITH cells AS (\n    SELECT layer AS cards, generate_subscripts(drawn_count, 1) AS place, {unnested}\n"
        f"    FROM {column_sql(run)} WHERE layer IN ({', '.join(map(str, cards))})\n), {more}sums AS (\n"
        f"    SELECT cards, {key}, {_DEALS} AS deals_count,\n        {summed}\n"
        f"    FROM cells{' JOIN choices USING (place)' if more else ''} GROUP BY ALL\n)\n"
        "SELECT cards, k, deals_count, leader_won_count / deals_count AS leader_won_share,\n"
        "    drawn_count / deals_count AS drawn_share,\n"
        "    (deals_count - leader_won_count - drawn_count) / deals_count AS leader_lost_share,\n"
        f"    {sign}(k * deals_count - 2 * leader_points_sum) / deals_count AS leading_cost"
        f"{', above' if more else ''}\nFROM sums WHERE k > 0 ORDER BY ALL"
    )


def _who_wins(shares: Sequence[Share], run: str) -> Section:
    most = [share for share in shares if share.cards == shares[-1].cards and share.k]
    rows = [_row(share) for share in most]
    parts = (("the leader wins", "leader_won"), ("drawn", "drawn"), ("the leader loses", "leader_lost"))
    return Section(
        name=_name("who-wins", shares[0]),
        title=f"Who wins, {most[0].cards} cards each, {_rules(shares[0])}",
        columns=(Column("cards", "cards each"), Column("k", "k"), *COUNTED),
        rows=tuple(rows),
        runs=(run,),
        query=_query(run, shares[0], "place - 1 AS k", [most[0].cards]),
        chart=Parts(
            Axis("k, point cards"),
            Axis("deals", PERCENT),
            tuple(share.k for share in most),
            tuple(Part(name, tuple(row[f"{key}_share"] for row in rows)) for name, key in parts),
        ),
        notes=(EXACT, COST if shares[0].aim == "most" else COST_OF_AVOIDED),
    )


def _costs(shares: Sequence[Share], run: str) -> Section:
    """Of numbers of cards that are evenly apart, down from the most."""
    most = shares[-1].cards
    cards = sorted(range(most, 0, -max(1, -(-most // CURVES_MOST))))
    chosen = [share for share in shares if share.cards in cards and share.k]
    return Section(
        name=_name("costs", shares[0]),
        title=f"What leading costs, {_rules(shares[0])}",
        columns=(Column("cards", "cards each"), Column("k", "k"), *COUNTED),
        rows=tuple(map(_row, chosen)),
        runs=(run,),
        query=_query(run, shares[0], "place - 1 AS k", cards),
        chart=Curves(
            Axis("k, point cards"),
            Axis("leading costs", "point cards"),
            tuple(_curve(chosen, n, f"{n} cards each") for n in reversed(cards)),
        ),
        notes=(EXACT, COST if shares[0].aim == "most" else COST_OF_AVOIDED),
    )


def _curve(shares: Sequence[Share], cards: int, name: str) -> Curve:
    return Curve(
        name, tuple((float(each.k), Value(each.leading_cost)) for each in shares if each.cards == cards)
    )


def _anywhere(shares: Sequence[Share], run: str) -> Section:
    """Of the most cards: what leading costs, by the cards above the point cards."""
    most = shares[-1].cards
    chosen = [share for share in shares if share.cards == most and share.k]
    aboves = range(0, 2 * most, max(1, -(-2 * most // CURVES_MOST)))
    rows = [_row(share) for share in chosen]
    choices = (
        "choices AS (\n    SELECT u.range AS above, v.range AS k,\n"
        "        row_number() OVER (ORDER BY u.range, v.range) AS place\n"
        f"    FROM range({2 * most + 1}) AS u, range({2 * most + 1}) AS v WHERE u.range + v.range <= {2 * most}\n), "
    )
    won = "to be won" if shares[0].aim == "most" else "to be avoided"
    return Section(
        name=_name("costs", shares[0]),
        title=f"What leading costs, {most} cards each, k point cards {won} below u others",
        columns=(Column("above", "u"), Column("k", "k"), *COUNTED),
        rows=tuple(rows),
        runs=(run,),
        query=_query(run, shares[0], "above, k", [most], choices),
        chart=Curves(
            Axis("k, point cards"),
            Axis("leading costs", "point cards"),
            tuple(_curve([each for each in chosen if each.above == u], most, f"u = {u}") for u in aboves),
        ),
        notes=(EXACT, COST if shares[0].aim == "most" else COST_OF_AVOIDED),
    )


def _statements(summary: Mapping[str, Any]) -> Iterator[Section]:
    told = [each for each in summary["statements"] if each["deals_count"]]
    if not told:
        return
    rows = []
    for each in told:
        case = each["smallest_counterexample"]
        rows.append(
            {
                "statement": each["statement"],
                "hands": each["hands"],
                "deals_count": each["deals_count"],
                "deals_obeying_count": each["deals_obeying_count"],
                "share": each["deals_obeying_count"] / each["deals_count"],
                "least": each["least"],
                "most": each["most"],
                "counterexample": None if case is None else counterexample_words(case, summary["points"]),
            }
        )
    names = list(dict.fromkeys(row["statement"] for row in rows))
    kinds = {"all": "all deals", "conditions": "deals that keep the conditions"}
    shares = {(row["statement"], row["hands"]): row["share"] for row in rows}
    aim = "to be won" if summary["aim"] == "most" else "to be avoided"
    yield Section(
        name=f"statements-{summary['points']}-{summary['aim']}",
        title=f"Deals that obey the statements, up to {summary['cards']} cards each, {summary['points']} cards {aim}",
        columns=(
            Column("statement", "statement"),
            Column("hands", "of"),
            Column("deals_count", "deals"),
            Column("deals_obeying_count", "obey"),
            Column("share", "share", PERCENT),
            Column("least", "least gain", "points", signed=True),
            Column("most", "most", "points", signed=True),
            Column("counterexample", "smallest counterexample", none=""),
        ),
        rows=tuple(rows),
        runs=(summary["folder"].name,),
        query=(
            "SELECT statement, hands, sum(deals_count)::BIGINT AS deals_count,\n"
            "    sum(deals_obeying_count)::BIGINT AS deals_obeying_count,\n"
            "    sum(deals_obeying_count) / sum(deals_count) AS share, min(least) AS least, max(most) AS most\n"
            f"FROM {column_sql(summary['folder'].name)} WHERE deals_count > 0\nGROUP BY ALL ORDER BY ALL"
        ),
        chart=Dots(
            Axis("deals that obey", PERCENT),
            tuple(name.replace("_", " ") for name in names),
            tuple(
                DotSeries(
                    title,
                    tuple(Value(shares[name, hands]) if (name, hands) in shares else None for name in names),
                )
                for hands, title in kinds.items()
            ),
        ),
        notes=(EXACT, "k: point cards; u: cards above them; a gain is what Left gets by it."),
    )
