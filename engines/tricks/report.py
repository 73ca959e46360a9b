"""``yamafuda report tricks``: how often the leader wins, what leading costs, and which statements of the thesis
hold."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from engines.contract.game import Roots
from engines.contract.runs import Runs, run_plan, sound_runs
from engines.text.columns import NONE, aligned
from storage.layout import RunLayout
from storage.manifest import read_summary
from storage.place import Place

PROVEN = ("theorem_1", "theorem_2", "theorem_4", "two_point_cards", "whist")
"""Statements that are proven for all deals, of the highest cards to be won: one that fails shows a wrong table."""
BAR_WIDTH = 60
WON, DRAWN, LOST = "#", "=", "."


@dataclass(frozen=True)
class Share:
    """All deals with the same point cards."""

    points: str
    aim: str
    cards: int
    above: int
    k: int
    deals_count: int
    leader_won_count: int
    drawn_count: int
    leader_lost_count: int
    leading_cost: float
    """How many points fewer (with point cards to be avoided: more) the leader gets in the mean than when playing
    second."""


def _percent(count: int, share: Share) -> str:
    return f"{100 * count / share.deals_count:.0f}"


MEASURES: list[tuple[str, Callable[[Share], str]]] = [
    ("deals that the leader wins, %", lambda share: _percent(share.leader_won_count, share)),
    ("deals that are drawn, %", lambda share: _percent(share.drawn_count, share)),
    ("deals that the leader loses, %", lambda share: _percent(share.leader_lost_count, share)),
    ("what leading costs, in point cards", lambda share: f"{share.leading_cost:.2f}"),
]


def report(roots: Roots, as_json: bool) -> bool:
    """Print who wins, and which statements hold.

    From tables also what leading costs. JSON has a line for each row.
    """
    tables = roots.tables
    for shares in read_shares(roots.table_runs).values():
        if as_json:
            for share in shares:
                print(json.dumps({"kind": "share"} | asdict(share)))
        else:
            print("\n".join([*_tables(shares), ""]))
    if not as_json:
        print(f"tables are in {tables.resolve()}")
    return _report_statements(roots, as_json)


def _report_statements(roots: Roots, as_json: bool) -> bool:
    """Print the statements, or as JSON; False when one that is proven fails."""
    right = True
    for (points, aim), summary in sorted(largest(roots.sweep_runs, "tricks_theorems").items()):
        right &= (points, aim) != ("highest", "most") or all(
            each["holds"] for each in summary["statements"] if each["statement"] in PROVEN
        )
        if as_json:
            for each in summary["statements"]:
                rules = {"points": points, "aim": aim, "cards": summary["cards"]}
                print(json.dumps({"kind": "statement"} | rules | each))
        else:
            print("\n".join(["", *_statements(summary)]))
    if not as_json:
        print(f"\nruns are in {roots.results.resolve()}")
    return right


def largest(runs: Runs, job: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The summary of the finished run with the most cards, by (points, aim); with its folder as ``folder``."""

    def finished(run_dir: Place) -> dict[str, Any] | None:
        if run_plan(run_dir)["job"].get("name") != job or not RunLayout(run_dir).manifest.exists():
            return None
        return read_summary(run_dir) | {"folder": run_dir}

    found: dict[tuple[str, str], dict[str, Any]] = {}
    for summary in sound_runs(runs, finished):
        rules = summary["points"], summary["aim"]
        if rules not in found or found[rules]["cards"] < summary["cards"]:
            found[rules] = summary
    return found


def read_shares(runs: Runs) -> dict[tuple[str, str], list[Share]]:
    """The shares of the largest table of each kind, by (points, aim)."""
    from storage.dataset import read_rows

    found: dict[tuple[str, str], list[Share]] = {}
    names = ["leader_won_count", "drawn_count", "leader_points_sum"]
    for rules, summary in sorted(largest(runs, "tricks_table").items()):
        sums: dict[int, list[list[int]]] = {}
        for row in read_rows(summary["folder"], ["layer", *names]).to_pylist():
            parts = [row[name] for name in names]
            known = sums.get(row["layer"])
            sums[row["layer"]] = (
                parts if known is None else [_added(*pair) for pair in zip(known, parts, strict=True)]
            )
        found[rules] = [share for cards in sorted(sums) for share in _shares(*rules, cards, *sums[cards])]
    return found


def _added(some: list[int], more: list[int]) -> list[int]:
    return [x + y for x, y in zip(some, more, strict=True)]


def _shares(
    points: str, aim: str, cards: int, won: list[int], drawn: list[int], sums: list[int]
) -> Iterator[Share]:
    from engines.tricks.choices import choices

    deals = math.comb(2 * cards, cards)
    for (above, k), w, d, s in zip(choices(points, cards), won, drawn, sums, strict=True):
        cost = (k * deals - 2 * s) / deals * (-1 if aim == "fewest" else 1)
        yield Share(points, aim, cards, above, k, deals, w, d, deals - w - d, cost)


def _tables(shares: list[Share]) -> Iterator[str]:
    first, largest = shares[0], shares[-1].cards
    aim = "to be won" if first.aim == "most" else "to be avoided"
    if first.points == "anywhere":
        yield f"{largest} cards each, k point cards {aim} below u others: what leading costs, in point cards"
        grid = {
            (share.above, share.k): f"{share.leading_cost:.2f}" for share in shares if share.cards == largest
        }
        ks = range(1, 2 * largest + 1)
        yield from aligned(
            [
                ("u \\ k", *map(str, ks)),
                *((str(u), *(grid.get((u, k), "") for k in ks)) for u in range(2 * largest)),
            ]
        )
        return
    yield f"n cards each, the k {first.points} are point cards {aim}"
    ks = range(1, 2 * largest + 1)
    cells = {(share.cards, share.k): share for share in shares}
    for title, text in MEASURES:
        yield f"\n{title}"
        rows = [
            (str(n), *(text(cells[n, k]) if (n, k) in cells else "" for k in ks))
            for n in range(1, largest + 1)
        ]
        yield from aligned([("n \\ k", *map(str, ks)), *rows])
    yield from (
        "",
        f"{largest} cards each: {WON} the leader wins  {DRAWN} drawn  {LOST} the leader loses; then what leading costs",
    )
    for share in (share for share in shares if share.cards == largest and share.k):
        won = round(BAR_WIDTH * share.leader_won_count / share.deals_count)
        drawn = round(BAR_WIDTH * (share.leader_won_count + share.drawn_count) / share.deals_count) - won
        bar = WON * won + DRAWN * drawn + LOST * (BAR_WIDTH - won - drawn)
        yield f"k = {share.k:2}  {bar}  {share.leading_cost:.2f}"


def _statements(summary: dict[str, Any]) -> Iterator[str]:
    aim = "to be won" if summary["aim"] == "most" else "to be avoided"
    yield f"Statements for all deals of up to {summary['cards']} cards each, {summary['points']} point cards {aim}"
    head = ("statement", "hands", "deals", "that obey", "least", "most", "smallest counterexample")
    rows = [head]
    for each in summary["statements"]:
        against = each["smallest_counterexample"]
        rows.append(
            (
                each["statement"],
                each["hands"],
                f"{each['deals_count']:,}",
                f"{each['deals_obeying_count']:,}",
                NONE if each["least"] is None else str(each["least"]),
                NONE if each["most"] is None else str(each["most"]),
                NONE if against is None else counterexample_words(against, summary["points"]),
            )
        )
    yield from aligned(rows)


def counterexample_words(case: dict[str, Any], points: str) -> str:
    """A counterexample: the hands, the point cards, the leader, cards that change hands, and the gain."""
    above = f" u={case['above']}" if points == "anywhere" else ""
    swap = "" if case["gives"] is None else f", {case['gives']} for {case['gets']}"
    return f"{case['counterexample']} k={case['k']}{above}, {case['leader']} leads{swap}: {case['gain']:+d}"
