"""``yamafuda report stackgame``: built tables beside tables 1 and 2 of the paper and its probabilities."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engines.contract.game import Roots
from engines.contract.runs import Runs, sound_runs
from engines.stackgame import paper
from storage.errors import UserError
from storage.manifest import read_summary
from storage.place import Place

if TYPE_CHECKING:
    from engines.stackgame.rules import State

AGREES, ERRATUM, DIFFERS, NOT_BUILT = "✓", "erratum", "✗", "-"

TOLERANCE = 5e-7
"""Tolerance of probabilities: a table of float32 is closer to the exact values than this."""


@dataclass(frozen=True)
class Count:
    """A cell of the paper's tables."""

    stacks: int
    boards: int
    cards: int
    paper: int
    corrected: int | None
    """The right number where the paper is wrong."""
    built: int | None
    """``states_count`` of our table; None when it is not built."""
    mark: str


@dataclass(frozen=True)
class KnownProbability:
    """A probability that the paper prints, or that was checked in another way."""

    name: str
    state: str
    stacks: int
    paper: float | None
    checked: float
    found: float | None
    """Our value: from a built table that has the state, or else computed; None when that takes too long."""
    source: str
    mark: str


def report(roots: Roots, as_json: bool) -> bool:
    """Print every cell and probability, as tables or as JSON lines."""
    tables = roots.tables
    counts, probabilities = paper_counts(roots.table_runs), paper_probabilities(tables)
    if as_json:
        for count in counts:
            print(json.dumps({"kind": "count"} | asdict(count), ensure_ascii=False))
        for each in probabilities:
            print(json.dumps({"kind": "probability"} | asdict(each), ensure_ascii=False))
    else:
        for lines in (*(_table(stacks, counts) for stacks in paper.TABLES), _probabilities(probabilities)):
            print("\n".join([*lines, ""]))
        print(f"{AGREES} right  {ERRATUM}: right, the paper is wrong  {DIFFERS} wrong  {NOT_BUILT} not built")
        print(f"tables are in {tables.resolve()}")
    return all(
        mark != DIFFERS for mark in [*(each.mark for each in counts), *(each.mark for each in probabilities)]
    )


def paper_counts(runs: Runs) -> list[Count]:
    """Every cell of the paper's tables with the counts of finished runs."""
    built = built_counts(runs)
    found = []
    for stacks, rows in paper.TABLES.items():
        for boards, printed in rows.items():
            for cards, number in enumerate(printed, start=1):
                cell = (stacks, boards, cards)
                right = paper.expected_count(*cell)
                # Of several runs of a cell, one that differs is what matters.
                ours = min(built.get(cell, ()), key=lambda count: count == right, default=None)
                found.append(
                    Count(*cell, number, paper.CORRECTED.get(cell), ours, _count_mark(ours, number, right))
                )
    return found


def paper_probabilities(tables_dir: Place) -> list[KnownProbability]:
    """The worked example of section 3.2, from its printed position, and the starts of two boards."""
    from engines.stackgame import rules, text

    values = _Values(tables_dir)
    found = [
        _compared(
            "p" + "".join(map(str, boards)),
            *(worked.state, 3, worked.probability.printed, worked.probability.checked),
            *values.find(text.parse(worked.state, 3)),
        )
        for boards, worked in paper.WORKED.items()
    ]
    whole = _estimate({boards: each.found for boards, each in zip(paper.WORKED, found, strict=True)})
    shown = ("whole", "product of the above", 3, paper.WHOLE.printed, paper.WHOLE.checked, whole, "")
    found.append(_compared(*shown))
    for (stacks, boards_count, cards), checked in paper.STARTS.items():
        state = rules.start(stacks, boards_count, cards)
        found.append(_compared("start", text.format(state), stacks, None, checked, *values.find(state)))
    return found


def _estimate(found: dict[tuple[int, ...], float | None]) -> float | None:
    """The paper's estimate for the position of the worked example, from its states; None where one has no value."""
    worked = {boards: value for boards, value in found.items() if value is not None}
    if len(worked) < len(found):
        return None
    singles = {boards[0]: value for boards, value in worked.items() if len(boards) == 1}
    losses = [
        worked[boards] / math.prod(singles[board] for board in boards)
        for boards in worked
        if len(boards) == 2
    ]
    return math.prod(singles.values()) * math.prod(losses)


class _Values:
    """Probabilities of states from the tables below a folder, each looked up once."""

    def __init__(self, tables_dir: Place) -> None:
        self._tables_dir = tables_dir
        self._found: dict[State, tuple[float | None, str]] = {}

    def find(self, state: State) -> tuple[float | None, str]:
        """The value and where it is from: the first table that has the state, else computed."""
        if state not in self._found:
            self._found[state] = self._find(state)
        return self._found[state]

    def _find(self, state: State) -> tuple[float | None, str]:
        from engines.stackgame.computed import compute
        from engines.stackgame.sharded import built_tables

        for table in built_tables(self._tables_dir, state):
            values = table.values([state])
            if values is not None:
                return values[0], table.source
        try:
            return compute(state), "computed"
        except UserError:
            return None, ""


def built_counts(runs: Runs) -> dict[tuple[int, int, int], set[int]]:
    """``states_count`` of all finished runs by (stacks, boards, cards)."""
    found: dict[tuple[int, int, int], set[int]] = {}
    for summary in sound_runs(runs, _summary):
        if summary["job"]["name"] == "stackgame_table":
            cell = (summary["stacks"], summary["boards"], summary["cards"])
            found.setdefault(cell, set()).add(summary["states_count"])
    return found


def _summary(run_dir: Place) -> dict[str, Any] | None:
    try:
        return read_summary(run_dir)
    except FileNotFoundError:
        return None  # not finished


def _count_mark(ours: int | None, printed: int, right: int) -> str:
    if ours is None:
        return NOT_BUILT
    if ours != right:
        return DIFFERS
    return AGREES if right == printed else ERRATUM


def _compared(
    name: str,
    state: str,
    stacks: int,
    printed: float | None,
    checked: float,
    found: float | None,
    source: str,
) -> KnownProbability:
    mark = NOT_BUILT if found is None else AGREES if abs(found - checked) <= TOLERANCE else DIFFERS
    return KnownProbability(name, state, stacks, printed, checked, found, source, mark)


def _table(stacks: int, counts: list[Count]) -> Iterator[str]:
    """A table of the paper: m down, n across, three lines for each m."""
    yield f"Table {stacks - 2}: states with {stacks} stacks, m boards of n cards"
    cells = {(each.boards, each.cards): each for each in counts if each.stacks == stacks}
    columns = range(1, paper.CARDS_MAX + 1)
    rows = [("m \\ n", {n: str(n) for n in columns})]
    for m in paper.TABLES[stacks]:
        row = {n: cells[m, n] for n in columns if (m, n) in cells}
        rows.append((f"{m} paper", {n: str(each.paper) for n, each in row.items()}))
        rows.append(("  built", {n: str(each.built or NOT_BUILT) for n, each in row.items()}))
        rows.append(("", {n: each.mark for n, each in row.items() if each.built is not None}))
    widths = {n: max(len(texts.get(n, "")) for _, texts in rows) for n in columns}
    for name, texts in rows:
        if name or texts:
            yield (f"{name:7}  " + "  ".join(texts.get(n, "").rjust(widths[n]) for n in columns)).rstrip()


def _probabilities(probabilities: list[KnownProbability]) -> Iterator[str]:
    yield "Probabilities: the worked example of section 3.2, and starts of two boards"
    yield f"{'':5}  stacks  {'paper':11}  {'checked':14}  {'found':16}     {'source':22}  state"
    for each in probabilities:
        printed = "" if each.paper is None else f"{each.paper:.7g}"
        found = "" if each.found is None else f"{each.found:.12g}"
        yield (
            f"{each.name:5}  {each.stacks:<6}  {printed:11}  {each.checked:.12f}  {found:16}  {each.mark}  "
            f"{each.source:22}  {each.state}"
        )
