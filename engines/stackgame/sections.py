"""Sections of a report on the stack game: tables 1 and 2 of the paper beside our tables, and its probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engines.contract.chart import Axis, Curve, Curves, Value
from engines.contract.game import Roots
from engines.contract.section import Column, Section
from engines.stackgame import paper
from engines.stackgame.report import built_counts, paper_probabilities

SOURCE = (
    'Published: Tanaka, "A calculation player program without using heuristic rules", tables 1 and 2, of which two '
    "cells are wrong."
)
EXACT = "All states are counted: there is no interval."
QUERY = (
    "WITH built AS (\n    SELECT run_id, stacks, boards, cards, sum(states_count)::BIGINT AS states_count\n"
    "    FROM stackgame_table{condition} GROUP BY ALL\n)\n"
    "SELECT DISTINCT stacks, boards, cards, states_count FROM built ORDER BY ALL"
)


def sections(roots: Roots) -> Iterable[Section]:
    """Of what was built; probabilities where all tables count, since some are computed without."""
    built = built_counts(roots.table_runs)
    if not built:
        return
    yield _counts(built, roots)
    if roots.chosen is None:
        yield _probabilities(roots)


def _counts(built: Mapping[tuple[int, int, int], set[int]], roots: Roots) -> Section:
    rows: list[dict[str, Any]] = []
    for (stacks, boards, cards), counts in sorted(built.items()):
        printed = paper.TABLES.get(stacks, {}).get(boards, ())
        for count in sorted(counts):
            rows.append(
                {
                    "stacks": stacks,
                    "boards": boards,
                    "cards": cards,
                    "states_count": count,
                    "paper_count": printed[cards - 1] if cards <= len(printed) else None,
                    "right_count": paper.CORRECTED.get((stacks, boards, cards)),
                }
            )
    kinds = sorted({(row["stacks"], row["boards"]) for row in rows})
    theirs = [
        Curve(
            "published",
            tuple((float(n), Value(count)) for n, count in enumerate(printed, start=1)),
            published=True,
        )
        for printed in (paper.TABLES.get(stacks, {}).get(boards) for stacks, boards in kinds)
        if printed
    ]
    ours = [
        Curve(
            f"{stacks} stacks, {boards} boards",
            tuple(
                (float(row["cards"]), Value(row["states_count"]))
                for row in rows
                if (row["stacks"], row["boards"]) == (stacks, boards)
            ),
        )
        for stacks, boards in kinds
    ]
    names = None if roots.chosen is None else [run.name for run in roots.chosen]
    return Section(
        name="counts",
        title="States that can be reached, m boards of n cards (tables 1 and 2)",
        columns=(
            Column("stacks", "stacks"),
            Column("boards", "m, boards"),
            Column("cards", "n, cards"),
            Column("states_count", "states"),
            Column("paper_count", "published"),
            Column("right_count", "right, where that is wrong", none=""),
        ),
        rows=tuple(rows),
        query=QUERY.format(condition="" if names is None else _only(names)),
        chart=Curves(Axis("n, cards of a board"), Axis("states", log=True), (*ours, *theirs)),
        notes=(EXACT, SOURCE),
    )


def _only(names: Sequence[str]) -> str:
    """A condition that holds for the tables among chosen runs: a name ends with the beginning of the run's id."""
    ends = [name.rpartition("-")[2] for name in names]
    return " WHERE " + " OR ".join(f"starts_with(run_id, '{end}')" for end in ends if end.isalnum())


def _probabilities(roots: Roots) -> Section:
    rows: list[dict[str, Any]] = [
        {
            "name": each.name,
            "stacks": each.stacks,
            "paper": None if each.paper is None else f"{each.paper:.7g}",
            "checked": f"{each.checked:.12f}",
            "found": None if each.found is None else f"{each.found:.12f}",
            "source": each.source,
            "state": each.state,
        }
        for each in paper_probabilities(roots.tables)
    ]
    return Section(
        name="probabilities",
        title="Probabilities: the worked example of section 3.2, and starts of two boards",
        columns=(
            Column("name", "name"),
            Column("stacks", "stacks"),
            Column("paper", "published"),
            Column("checked", "checked otherwise"),
            Column("found", "found"),
            Column("source", "from"),
            Column("state", "state"),
        ),
        rows=tuple(rows),
        query="",
        notes=("A value is exact but for how a table stores it: yamafuda prob STATE gives each.",),
    )
